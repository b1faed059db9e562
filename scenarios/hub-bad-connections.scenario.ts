import { request, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { attachAaepWebSocket } from "../packages/hub/src/http/aaep.ts";
import { listenHttp, portOfServer } from "../packages/hub/src/http/listen.ts";
import { expectUnharmed, openEdge, type TestEdge } from "../packages/hub/src/http/testing/edge.ts";
import { validEventText } from "../packages/hub/src/http/testing/valid-event.ts";
import { openRaw, postHead } from "./durability/raw-connection.ts";

/** The hub's HTTP server on a real port, for faults that only a connection can have. */
let edge: TestEdge;
let server: Server;
let port = 0;
let before = 0;

async function expectNothingStored(): Promise<void> {
  expect(await edge.ledger.head()).toBe(before);
  await expectUnharmed(edge);
}

/** Waits for the ledger's head to reach a position. */
async function headAt(wanted: number): Promise<number> {
  for (;;) {
    const head = await edge.ledger.head();
    if (head >= wanted) return head;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("a bad connection", () => {
  beforeAll(async () => {
    edge = await openEdge({ eventBytes: 100_000, idleMs: 1000 });
    server = await listenHttp(edge.app.routing, { host: "127.0.0.1", port: 0 });
    attachAaepWebSocket(server, { open: () => Promise.reject(new Error("not used here")) }, () => {});
    port = portOfServer(server);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await edge[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    before = await edge.ledger.head();
  });

  describe("a body that does not arrive", () => {
    const event = validEventText("aop");

    it("is given up when the sender falls silent, and the connection with it", async () => {
      using raw = await openRaw(port);
      raw.write(postHead(port, [`Content-Length: ${event.length}`]) + event.slice(0, 20));
      const answer = await raw.closed();
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"code":"BODY_TIMEOUT"');
      await expectNothingStored();
    });

    it("the same for a body without a length", async () => {
      using raw = await openRaw(port);
      raw.write(`${postHead(port, ["Transfer-Encoding: chunked"])}14\r\n${event.slice(0, 20)}\r\n`);
      const answer = await raw.closed();
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      await expectNothingStored();
    });

    it("is forgotten when the connection is closed half-way, with and without a length", async () => {
      for (const head of [`Content-Length: ${event.length}`, "Transfer-Encoding: chunked"]) {
        using raw = await openRaw(port);
        raw.write(postHead(port, [head]) + (head.startsWith("T") ? `14\r\n${event.slice(0, 20)}\r\n` : event.slice(0, 20)));
        raw.socket.destroySoon();
        await raw.closed();
      }
      await expectNothingStored();
    });

    it("of a batch, what had arrived completely is stored, once", async () => {
      const lines = Array.from({ length: 10 }, () => validEventText("aop"));
      using raw = await openRaw(port);
      const body = `${lines.join("\n")}\n${event.slice(0, 20)}`;
      raw.write(postHead(port, ["Content-Type: application/x-ndjson", "Content-Length: 100000"]) + body);
      const answer = await raw.closed();
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"stored":10');
      expect(await edge.ledger.head()).toBe(before + 10);
      const again = await edge.post(lines.join("\n"), { headers: { "content-type": "application/x-ndjson" } });
      expect(again.body).toMatchObject({ stored: 0, duplicates: 10 });
    });

    it("one byte at a time is slow, not wrong", async () => {
      using raw = await openRaw(port);
      const whole = postHead(port, [`Content-Length: ${event.length}`]) + event;
      for (const byte of Buffer.from(whole)) {
        raw.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await raw.until("}")).toMatch(/^HTTP\/1\.1 200 /);
      expect(await edge.ledger.head()).toBe(before + 1);
    });

    it("a body that comes slowly, but does not stop, is waited for", async () => {
      using raw = await openRaw(port);
      const slow = validEventText("aop");
      raw.write(postHead(port, [`Content-Length: ${slow.length}`]));
      const piece = Math.ceil(slow.length / 12);
      for (let from = 0; from < slow.length; from += piece) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        raw.write(slow.slice(from, from + piece));
      }
      expect(await raw.until("}")).toMatch(/^HTTP\/1\.1 200 /);
      expect(await edge.ledger.head()).toBe(before + 1);
    });

    it("a stream that pauses is heard at once", async () => {
      const outgoing = request({
        port,
        host: "127.0.0.1",
        method: "POST",
        path: "/v1/events",
        headers: { "content-type": "application/x-ndjson" },
      });
      outgoing.on("error", () => {}); // it is cut off below
      outgoing.write(`${validEventText("aop")}\n`);
      expect(await headAt(before + 1)).toBe(before + 1);
      outgoing.destroy();
      await expectUnharmed(edge);
    });

    it("headers have to arrive too", () => {
      // Without its own value this timeout derives from the request timeout, which event streams cannot have.
      expect(server.headersTimeout).toBeGreaterThan(0);
    });
  });

  describe("a body that is too large", () => {
    const large = validEventText("aop", { payload: { content: "x".repeat(200_000) } });
    it.each([
      ["with a length", [`Content-Length: ${large.length}`], large],
      ["without one", ["Transfer-Encoding: chunked"], `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`],
    ])("%s: refused, and the connection goes on", async (_name, head, body) => {
      using raw = await openRaw(port);
      raw.write(postHead(port, head) + body);
      const answer = await raw.until('"hint"');
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain('"code":"TOO_LARGE"');
      const next = validEventText("aop");
      raw.write(postHead(port, [`Content-Length: ${next.length}`]) + next);
      expect(await raw.until('"position"')).toContain(`"position":${before + 1}`);
      await expectUnharmed(edge);
    });
  });

  describe("what is hardly HTTP", () => {
    const event = validEventText("aop");
    it.each([
      ["a greeting", "hello\r\n\r\n", 400],
      ["a beginning of TLS", Buffer.from("1603010200010001fc0303", "hex"), 400],
      ["two ways to say how long it is", postHead(0, ["Content-Length: 4", "Transfer-Encoding: chunked"]), 400],
      ["two lengths", postHead(0, ["Content-Length: 4", "content-length: 5"]), 400],
      ["a negative length", postHead(0, ["Content-Length: -1"]), 400],
      ["100 KB of headers", postHead(0, [`X: ${"x".repeat(100_000)}`]), 400],
      ["a broken chunk", `${postHead(0, ["Transfer-Encoding: chunked"]).replace(":0\r\n", ":PORT\r\n")}zz\r\n`, 400],
      ["no host", `POST /v1/events HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${event.length}\r\n\r\n${event}`, 403],
      ["the port of another program", postHead(1, ["Connection: close", `Content-Length: ${event.length}`]) + event, 403],
      [
        "an unfinished escape in the address",
        postHead(0, ["Connection: close", "Content-Length: 0"], "/v1/%").replace(":0\r\n", ":PORT\r\n"),
        400,
      ],
    ])("%s", async (_name, bytes, status) => {
      using raw = await openRaw(port);
      raw.write(typeof bytes === "string" ? bytes.replace(":PORT\r\n", `:${port}\r\n`) : bytes);
      const answer = await raw.closed();
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain('"code":"');
      await expectNothingStored();
    });
  });

  describe("an offer to change the protocol", () => {
    it("to HTTP/2, as Java's client makes it with every request, is passed over: the event is stored", async () => {
      using raw = await openRaw(port);
      const event = validEventText("aop");
      const offer = [
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAEAAEAAAAIAAAAA",
        `Content-Length: ${event.length}`,
      ];
      raw.write(postHead(port, offer) + event);
      expect(await raw.until('"position"')).toMatch(/^HTTP\/1\.1 200 /);
      expect(await edge.ledger.head()).toBe(before + 1);
    });

    it("to WebSocket where there is none, or by somebody who is gone before the answer, harms nobody", async () => {
      for (let attempt = 0; attempt < 20; attempt++) {
        for (const url of ["/nowhere", "/aaep/v1/ws"]) {
          using raw = await openRaw(port);
          const head = postHead(port, ["Connection: Upgrade", "Upgrade: websocket"], url).replace("POST", "GET");
          raw.write(head);
          raw.socket.resetAndDestroy();
        }
      }
      using raw = await openRaw(port);
      raw.write(postHead(port, ["Connection: Upgrade", "Upgrade: websocket"], "/nowhere").replace("POST", "GET"));
      expect(await raw.closed()).toMatch(/^HTTP\/1\.1 404 /);
      await expectNothingStored();
    });
  });
});
