import { describe, expect, it } from "vitest";
import { readPlainHead } from "./plain-head.ts";

const HEAD =
  "POST /v1/events HTTP/1.1\r\nHost: localhost:4747\r\nContent-Type: application/json\r\nContent-Length: 5\r\nAccept: */*\r\n\r\n";

const read = (text: string, last?: string) => {
  const before = last === undefined ? undefined : readPlainHead(Buffer.from(last, "latin1"), undefined)?.head;
  return readPlainHead(Buffer.from(text, "latin1"), before);
};

/** The head with one line more, or another one in its place. */
const withLine = (line: string) => HEAD.replace("Accept: */*", line);

describe("a plain head", () => {
  it("is taken apart", () => {
    const found = read(`${HEAD}{"a":`);
    expect(found).toMatchObject({ size: 5, bodyAt: HEAD.length, head: { url: "/v1/events" } });
    expect({ ...found?.head.headers }).toEqual({ host: "localhost:4747", "content-type": "application/json", accept: "*/*" });
  });

  it.each([
    ["names in other letters", withLine("ACCEPT: */*"), { accept: "*/*" }],
    ["no space after the colon", withLine("Accept:*/*"), { accept: "*/*" }],
    ["spaces and tabs around a value", withLine("Accept: \t */* \t"), { accept: "*/*" }],
    ["a value of several words", withLine("User-Agent: some agent/1.0 (x; y)"), { "user-agent": "some agent/1.0 (x; y)" }],
    ["a value of nothing", withLine("X-Nothing:"), { "x-nothing": "" }],
    ["a name that objects have, too", withLine("__proto__: x"), {}],
    ["a connection that is to be kept", withLine("Connection: Keep-Alive"), { connection: "Keep-Alive" }],
    ["a length with zeros before it", HEAD.replace(": 5", ": 0005"), {}],
  ])("may have %s", (_name, text, headers) => {
    const found = read(text);
    expect(found).toMatchObject({ size: 5, bodyAt: text.length });
    expect(found?.head.headers).toMatchObject(headers);
  });

  it.each([
    ["is not complete", HEAD.slice(0, -2)],
    ["does not post", HEAD.replace("POST", "GET")],
    ["is of an older version", HEAD.replace("HTTP/1.1", "HTTP/1.0")],
    ["says the version in another way", HEAD.replace("HTTP/1.1", "http/1.1")],
    ["begins with an empty line", `\r\n${HEAD}`],
    ["ends its lines in another way", HEAD.replaceAll("\r\n", "\n")],
    ["ends one line in another way", HEAD.replace("\r\nAccept", "\nAccept")],
    ["has a bare carriage return", withLine("Accept: a\rb")],
    ["has spaces in the address", HEAD.replace("/v1/events", "/v1/ events")],
    ["names another machine in the address", HEAD.replace("/v1", "http://evil.example/v1")],
    ["has an address beyond ASCII", HEAD.replace("/v1", "/\u00e9")],
    ["names no host", HEAD.replace(/Host.*?\r\n/, "")],
    ["names two hosts", withLine("host: evil.example")],
    ["says no length", HEAD.replace(/Content-Length.*?\r\n/, "")],
    ["says two lengths", withLine("content-length: 5")],
    ["says a length with a sign", HEAD.replace(": 5", ": +5")],
    ["says a length in other digits", HEAD.replace(": 5", ": 0x5")],
    ["says two lengths in one line", HEAD.replace(": 5", ": 5, 5")],
    ["says a length that is not for here", HEAD.replace(": 5", ": 12345678")],
    ["folds a line", withLine("Accept: a\r\n b")],
    ["has a space before a colon", withLine("Accept : a")],
    ["has a line without a name", withLine(": a")],
    ["has a line without a colon", withLine("Accept")],
    ["has a control character", withLine("Accept: a\u0000b")],
    ["has something beyond ASCII", withLine("Accept: \u00e9")],
    ["comes from a page", withLine("Origin: http://localhost:4747")],
    ["says from which site it comes", withLine("Sec-Fetch-Site: same-origin")],
    ["is in chunks", withLine("Transfer-Encoding: chunked")],
    ["is compressed", withLine("Content-Encoding: gzip")],
    ["waits for a word before its body", withLine("Expect: 100-continue")],
    ["wants another protocol", withLine("Upgrade: h2c")],
    ["wants no further answer", withLine("Connection: close")],
    ["says more about the connection", withLine("Connection: keep-alive, upgrade")],
    ["wants the answer proven", withLine("X-Earshot-Nonce: 1")],
    ["is full of blanks that lead to nothing", withLine(`Accept:${" ".repeat(15_000)}\u0001`)],
    ["has its length far away from its name", HEAD.replace(": 5", `:${" ".repeat(9)}5`)],
    ["is too long", withLine(`Accept: ${"x".repeat(17_000)}`)],
  ])("that %s is not for here", (_name, text) => {
    expect(read(text)).toBeUndefined();
    // Not either where the one before was plain: what is compared is all of it.
    expect(read(text, HEAD)).toBeUndefined();
  });
});

describe("a head like the one before it", () => {
  it("is known again, with a length of its own", () => {
    for (const length of ["0", "7", "12", "9999999"]) {
      const text = HEAD.replace(": 5", `: ${length}`);
      const last = readPlainHead(Buffer.from(HEAD), undefined)?.head;
      const found = readPlainHead(Buffer.from(`${text}{}`), last);
      expect(found).toEqual({ head: last, size: Number(length), bodyAt: text.length });
      expect(found?.head).toBe(last);
    }
  });

  it.each([
    ["address", HEAD.replace("/v1/events", "/v2/events"), { url: "/v2/events" }],
    ["credential", withLine("Authorization: Bearer other"), { headers: { authorization: "Bearer other" } }],
    ["order", HEAD.replace("Accept: */*\r\n", "").replace("Host", "Accept: */*\r\nHost"), { url: "/v1/events" }],
  ])("is read anew where it has another %s", (_name, text, head) => {
    expect(read(text, HEAD)).toMatchObject({ size: 5, bodyAt: text.length, head });
  });

  it("is not known while a part of it is missing", () => {
    for (let end = 0; end < HEAD.length; end++) expect(read(HEAD.slice(0, end), HEAD)).toBeUndefined();
  });
});
