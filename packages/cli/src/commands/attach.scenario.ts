import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveProducer, openLiveProducer } from "../../../aaep/src/subscriber/testing/live-producer.ts";
import { attachmentLines, toAttachBody } from "../attach/attachments.ts";
import { type OwnHub, ownHub, PIN } from "../inbox/testing/own-hub.ts";
import { HAS_PTY } from "../inbox/testing/pty.ts";

let own: OwnHub;
let live: LiveProducer;
beforeAll(async () => {
  [own, live] = await Promise.all([ownHub(), openLiveProducer()]);
});
afterAll(async () => {
  await own[Symbol.asyncDispose]();
  await live[Symbol.asyncDispose]();
});

describe("earshot source add", () => {
  it.skipIf(!HAS_PTY)("attaches, lists and detaches, at a terminal", async () => {
    const { shown, code } = await own.run(["source", "add", live.url], PIN);
    expect([code, shown]).toEqual([0, expect.stringMatching(/Attached\.\nhttp:\/\/127.*: attached, Deploy bot\n {2}0 events/)]);
    expect((await own.plain(["source", "list"])).stdout).toContain(`${live.url} (`);
    const again = await own.run(["source", "add", live.url], PIN);
    expect([again.code, again.shown]).toEqual([2, expect.stringContaining("already")]);
    expect((await own.run(["source", "remove", "127.0.0.1"], PIN)).shown).toContain(`Detached from ${live.url}.`);
    expect((await own.plain(["source", "list"])).stdout).toContain("follows no producer");
  });

  it("takes the PIN from a script of one's own, and prints JSON", async () => {
    const attached = await own.plain(["source", "add", live.wsUrl, "--pin-stdin", "--json"], `${PIN}\n`);
    expect(JSON.parse(attached.stdout)).toMatchObject({ source: live.wsUrl, transport: "websocket", state: "open" });
    const { attachments } = JSON.parse((await own.plain(["source", "list", "--json"])).stdout) as {
      attachments: readonly { id: string }[];
    };
    expect(attachments).toHaveLength(1);
    const detached = await own.plain(["source", "remove", attachments[0]?.id ?? "", "--pin-stdin"], `${PIN}\n`);
    expect(detached.stdout).toContain("Detached from");
  });

  it.each([
    [["source", "add", "http://127.0.0.1:1"], "needs a person at a terminal"],
    [["source", "add", "--", "true"], "needs a person at a terminal"],
    [["source", "add", "a", "b"], "Unexpected argument"],
    [["source", "add", "a", "--", "b"], "Name one producer"],
    [["source", "add", "--"], "no command after --"],
    [["source", "add", "--header", "nonsense", "http://127.0.0.1:1"], "A header looks like this"],
    [["source", "add", "--header", "a: b", "--", "true"], "go with an address"],
    [["source", "add", "--signed-by", "/no/such/file", "http://127.0.0.1:1"], "cannot be read"],
    [["source", "remove"], "URL-or-ID is missing"],
    [["source", "remove", "nothing"], "follows nothing called"],
  ])("%j is refused", async (words, message) => {
    const { status, stderr } = await own.plain(words);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("what the hub is told", () => {
  const words = { command: [], headers: [], keyFiles: [], cwd: "/work" };

  it("reads headers from words and files", () => {
    const path = join(own.home, "headers");
    writeFileSync(path, "Authorization: Bearer secret\n\nX-Team: ops \n");
    expect(toAttachBody({ ...words, url: "http://x", headers: ["X-One: 1", `@${path}`] })).toMatchObject({
      headers: { "X-One": "1", Authorization: "Bearer secret", "X-Team": "ops" },
    });
  });

  it("takes public keys in any of their forms, and never sends a private half", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y, d } = privateKey.export({ format: "jwk" });
    const write = (name: string, text: string | Buffer) => {
      const path = join(own.home, name);
      writeFileSync(path, text);
      return path;
    };
    const keyFiles = [
      write("pem", publicKey.export({ type: "spki", format: "pem" })),
      write("jwk", JSON.stringify(privateKey.export({ format: "jwk" }))),
      write("set", JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one" }] })),
    ];
    const body = toAttachBody({ ...words, url: "http://x", keyFiles });
    expect(body).toMatchObject({ keys: [{ kty: "EC", x, y }, { kty: "EC", x, y }, { kid: "one" }] });
    expect(JSON.stringify(body)).not.toContain(String(d));
    expect(() => toAttachBody({ ...words, url: "http://x", keyFiles: [write("none", "nonsense")] })).toThrow("no public key");
  });

  it("runs a command where it was said", () => {
    expect(toAttachBody({ ...words, command: ["node", "agent.js"] })).toEqual({ command: ["node", "agent.js"], cwd: "/work" });
  });
});

it("what a producer calls itself moves no cursor", () => {
  const lines = attachmentLines(
    {
      id: "1",
      source: "http://x",
      transport: "sse",
      state: "cut",
      trouble: "\u001b[2J gone",
      agent: "bot\u001b[31m\nforged line",
      by: "Ana",
      at: "2026-07-01T09:00:00.000Z",
      events: 2,
      lastEventAt: "2026-07-01T09:05:00.000Z",
      notes: null,
    },
    Date.parse("2026-07-01T10:00:00.000Z"),
    "UTC",
  );
  expect(lines).toEqual([
    "http://x (1): cut off; the hub tries again by itself, bot\\u{1b}[31m\\nforged line",
    "  2 events since the hub was started, the last at 09:05; attached by Ana at 09:00",
    "  \\u{1b}[2J gone",
  ]);
});
