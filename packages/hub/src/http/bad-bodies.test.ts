import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRefused, expectUnharmed, openEdge, type TestEdge } from "./testing/edge.ts";
import { ALL_PROTOCOLS, validEvent, validEventText } from "./testing/valid-event.ts";

/** One long-lived hub, so that earlier requests could affect later ones. */
let edge: TestEdge;
beforeAll(async () => {
  edge = await openEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const ROUTES = ["/v1/events", "/v1/events?protocol=aop", "/aaep/v1/events", "/aep/v1/events", "/events"] as const;
const good = validEventText("aop");
const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;

const BODIES: readonly (readonly [string, string | Buffer, string])[] = [
  ["nothing", "", "NOT_JSON"],
  ["white space", " \r\n\t ", "NOT_JSON"],
  ["null", "null", "NOT_AN_OBJECT"],
  ["an empty array", "[]", "NOT_AN_OBJECT"],
  ["a string", '"x"', "NOT_AN_OBJECT"],
  ["a number", "123", "NOT_AN_OBJECT"],
  ["true", "true", "NOT_AN_OBJECT"],
  ["half an event", good.slice(0, good.length / 2), "NOT_JSON"],
  ["an event and something behind it", `${good}x`, "NOT_JSON"],
  ["an event and another one behind it", `${good}${good}`, "NOT_JSON"],
  ["a comment", good.replace("{", "{/* one */"), "NOT_JSON"],
  ["NaN", good.replace(/"sequence":\d+/, '"sequence":NaN'), "NOT_JSON"],
  ["single quotes", good.replaceAll('"', "'"), "NOT_JSON"],
  ["a trailing comma", good.replace(/}$/, ",}"), "NOT_JSON"],
  ["a bare control character in a string", good.replace("shop", "sh\u0000p"), "NOT_JSON"],
  ["100,000 levels", deep, "JSON_TOO_DEEP"],
  ["100,000 levels that never close", '{"a":['.repeat(100_000), "JSON_TOO_DEEP"],
  ["__proto__", good.replace("{", '{"__proto__":{"polluted":true},'), "JSON_FORBIDDEN_KEY"],
  ["__proto__ written with escapes", good.replace("{", '{"\\u005f_proto__":{"polluted":true},'), "JSON_FORBIDDEN_KEY"],
  ["a number that no double holds", good.replace("{", '{"a":1e999,'), "JSON_NUMBER_RANGE"],
  ["the same key twice", good.replace("{", '{"spec":"aop/1.0",'), "JSON_DUPLICATE_KEY"],
  ["Latin-1", Buffer.from(good.replace("shop", "café"), "latin1"), "NOT_UTF8"],
  ["UTF-16", Buffer.from(`\ufeff${good}`, "utf16le"), "NOT_UTF8"],
  ["half a character at the end", Buffer.concat([Buffer.from(good.slice(0, -2)), Buffer.from([0xf0, 0x9f])]), "NOT_UTF8"],
];

describe("a body that is no event", () => {
  it.each(BODIES)("%s, whole, and in chunks of unknown length", async (_name, body, code) => {
    await expectRefused(edge, body, { status: 400, code });
    await expectRefused(edge, body, { status: 400, code }, { chunked: true });
  });
  it.each(ROUTES)("is refused at %s", async (url) => {
    await expectRefused(edge, "[]", { status: 400, code: "NOT_AN_OBJECT" }, { url });
    await expectRefused(edge, deep, { status: 400, code: "JSON_TOO_DEEP" }, { url, chunked: true });
  });
});

describe("where in the event it is wrong", () => {
  for (const protocol of ALL_PROTOCOLS) {
    const event = validEvent(protocol);
    for (const [name, changed, code, pointer] of [
      ["__proto__ far inside", '{"a":[{"b":{"__proto__":1}}]}', "JSON_FORBIDDEN_KEY", "/x/a/0/b/__proto__"],
      ["constructor.prototype", '{"constructor":{"prototype":{}}}', "JSON_FORBIDDEN_KEY", "/x/constructor"],
      ["the same key twice far inside", '{"a":[0,{"k":1,"k":2}]}', "JSON_DUPLICATE_KEY", "/x/a/1/k"],
      ["minus infinity", '{"a":-1e999}', "JSON_NUMBER_RANGE", "/x/a"],
    ] as const) {
      it(`${protocol}: ${name}`, async () => {
        const body = JSON.stringify(event).replace(/}$/, `,"x":${changed}}`);
        await expectRefused(edge, body, { status: 400, code, pointer });
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      });
    }
  }
});

describe("content types", () => {
  const refused: readonly (readonly [string, Record<string, string>])[] = [
    ["none", { "content-type": "" }],
    ["text", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["several parts", { "content-type": "multipart/form-data; boundary=x" }],
    ["JSON in Latin-1", { "content-type": "application/json; charset=iso-8859-1" }],
    ["nonsense", { "content-type": "application/json/x" }],
    ["one that only begins like JSON", { "content-type": "application/jsonp" }],
    ["gzip", { "content-encoding": "gzip" }],
    ["two encodings", { "content-encoding": "gzip, identity" }],
  ];
  it.each(refused)("%s", async (_name, headers) => {
    for (const url of ROUTES) await expectRefused(edge, good, { status: 415, code: "CONTENT_TYPE" }, { url, headers });
  });
  it("a gzip bomb is not unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));
    await expectRefused(edge, bomb, { status: 415, code: "CONTENT_TYPE" }, { headers: { "content-encoding": "gzip" } });
    await expectRefused(edge, bomb, { status: 400, code: "NOT_UTF8" });
  });
  it.each(["application/json", "application/json; charset=utf-8", "APPLICATION/JSON;Charset=UTF-8", 'application/json; charset="utf-8"'])(
    "%s is read",
    async (type) => {
      expect((await edge.post(validEventText("aop"), { headers: { "content-type": type } })).status).toBe(200);
    },
  );
});

describe("size", () => {
  for (const protocol of ALL_PROTOCOLS) {
    const large = validEventText(protocol, { x: "x".repeat(1024 * 1024) });
    it(`${protocol}: an event past the limit, with and without a length`, async () => {
      await expectRefused(edge, large, { status: 413, code: "TOO_LARGE" });
      await expectRefused(edge, large, { status: 413, code: "TOO_LARGE" }, { chunked: true });
    });
    it(`${protocol}: an event with 100,000 keys is read`, async () => {
      const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [index.toString(36), 0]));
      const place = { aaep: { extra_context: keys }, aep: { extensions: { "x-keys": keys } }, aop: { payload: keys, type: "acme.keys" } };
      const { status, body } = await edge.post(validEventText(protocol, place[protocol]));
      expect({ status, body }).toMatchObject({ status: 200, body: { duplicate: false } });
      await expectUnharmed(edge);
    });
  }
});

describe("a batch with one bad line of 1,000", () => {
  const lines = () => Array.from({ length: 1000 }, (_, index) => validEventText(ALL_PROTOCOLS[index % 3] ?? "aop"));
  const chosen = ["null", "half an event", "100,000 levels", "__proto__", "the same key twice", "Latin-1"];
  const bad = BODIES.filter(([name]) => chosen.includes(name)).map(([name, body, code]) => [name, Buffer.from(body), code] as const);

  it.each(bad)("%s: 999 are stored, one is named", async (_name, line, code) => {
    const texts = lines();
    const before = await edge.ledger.head();
    const body = Buffer.concat(texts.map((text, index) => Buffer.concat([index === 499 ? line : Buffer.from(text), Buffer.from("\n")])));
    const answer = await edge.post(body, { headers: { "content-type": "application/x-ndjson" } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ events: 1000, stored: 999, refused: 1, problems: [{ line: 500, code }], problemsNotListed: 0 });
    expect(await edge.ledger.head()).toBe(before + 999);
    await expectUnharmed(edge);
  });

  it("the bad line is the last one, and has no end", async () => {
    const body = `${lines().slice(0, 999).join("\n")}\n${good.slice(0, 40)}`;
    const answer = await edge.post(body, { headers: { "content-type": "application/x-ndjson" } });
    expect(answer.body).toMatchObject({ stored: 999, refused: 1, problems: [{ line: 1000, code: "NOT_JSON" }] });
  });

  it("an array names its place, and goes on after damage", async () => {
    const texts = lines();
    texts[499] = JSON.stringify({ spec: "aop/1.0" });
    const answer = await edge.post(`[${texts.join(",")}]`);
    expect(answer.body).toMatchObject({ events: 1000, stored: 999, problems: [{ index: 499, code: "EVENT_INVALID" }] });
    const damaged = lines();
    damaged[499] = "}";
    const mended = await edge.post(`[${damaged.join(",")}]`);
    expect(mended.body).toMatchObject({ stored: 999, problems: [{ index: 499, code: "NOT_JSON" }] });
    await expectUnharmed(edge);
  });
});
