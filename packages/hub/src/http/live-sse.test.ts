import { IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import type { FastifyReply } from "fastify";
import { describe, expect, it, vi } from "vitest";
import { SSE_ENCODING, streamEvents } from "./live-sse.ts";
import { AUTHORISED, type LiveTestHub, openLiveTestHub } from "./testing/live-hub.ts";
import { SseClient } from "./testing/sse-client.ts";

const POLL_OPTIONS = { timeout: 20_000, interval: 5 };
const FILLER = JSON.stringify({ filler: "x".repeat(4000) });

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

async function sayMuch(hub: LiveTestHub, batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch++) await hub.say(...Array.from({ length: 100 }, () => ({ text: FILLER })));
}

/** A client that sends a request and then reads nothing. */
function connectDeaf(hub: LiveTestHub, path: string): Promise<Socket> {
  const socket = connect(hub.port, "127.0.0.1");
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${hub.port}\r\nauthorization: ${AUTHORISED.authorization}\r\n\r\n`);
  return new Promise((resolve) => socket.on("connect", () => resolve(socket)));
}

describe("GET /api/live", () => {
  it("streams what is recorded, each with its position, as it was said", async () => {
    await using hub = await openLiveTestHub();
    await hub.say({});
    const response = await fetch(`${hub.url}/api/live`, { headers: AUTHORISED });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toContain("no-store");
    await response.body?.cancel();
    using client = await SseClient.connect(`${hub.url}/api/live`);
    await hub.say({ session: "a\n\nid: 9", text: '{"said":\r\n"so"}' });
    await vi.waitFor(() => expect(client.messages).toHaveLength(2), POLL_OPTIONS);
    expect(client.lastId).toBe("2");
    expect(client.messages[0]).toEqual({ event: "position", id: "1", data: '{"kind":"position","position":1,"head":1}' });
    expect(JSON.parse(client.messages[1]?.data ?? "")).toMatchObject({ position: 2, session: "a\n\nid: 9", event: { said: "so" } });
  });

  it("is refused, not left waiting for ever, while the answer to an earlier request has the connection", async () => {
    await using hub = await openLiveTestHub();
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const reply = { raw: response, hijack: () => {} } as unknown as FastifyReply;
    const stream = await streamEvents(hub.live, { after: "now", filter: {}, encoding: SSE_ENCODING }, reply);
    expect({ status: response.statusCode, isOver: response.writableEnded, left: stream.hasLeft }).toEqual({
      status: 503,
      isOver: true,
      left: true,
    });
    expect(hub.live.listeners).toBe(0);
  });

  it("gives history, then goes on live, and resumes after the last id as a browser does", async () => {
    await using hub = await openLiveTestHub();
    await hub.say({}, {}, {});
    {
      using client = await SseClient.connect(`${hub.url}/api/live?after=0`);
      await hub.say({});
      await vi.waitFor(() => expect(client.positions).toEqual([1, 2, 3, 4]), POLL_OPTIONS);
    }
    await hub.say({}, {});
    using again = await SseClient.connect(`${hub.url}/api/live?after=0`, { "last-event-id": "4" });
    await vi.waitFor(() => expect(again.positions).toEqual([5, 6]), POLL_OPTIONS);
  });

  it("says when history has been told, also when the filter hid all of it", async () => {
    await using hub = await openLiveTestHub();
    await hub.say({}, {}, {});
    using client = await SseClient.connect(`${hub.url}/api/live?after=1&session=other`);
    await vi.waitFor(() => expect(client.messages).toHaveLength(2), POLL_OPTIONS);
    expect(client.messages.map(({ data }) => JSON.parse(data) as unknown)).toEqual([
      { kind: "position", position: 1, head: 3 },
      { kind: "position", position: 3 },
    ]);
  });

  it("resumes exactly after the hub has started anew", async () => {
    await using hub = await openLiveTestHub();
    using client = await SseClient.connect(`${hub.url}/api/live?after=0`);
    await hub.say({}, {});
    await vi.waitFor(() => expect(client.positions).toEqual([1, 2]), POLL_OPTIONS);
    await hub.restart();
    await vi.waitFor(() => expect(client.ended).toBe(true), POLL_OPTIONS);
    expect(client.messages.at(-1)).toEqual({ event: "closed", id: "2", data: '{"kind":"closed","resumeAfter":2,"why":"stopping"}' });
    await hub.say({});
    using again = await SseClient.connect(`${hub.url}/api/live`, { "last-event-id": client.lastId });
    await vi.waitFor(() => expect(again.positions).toEqual([3]), POLL_OPTIONS);
  });

  it("shows what the filter lets through", async () => {
    await using hub = await openLiveTestHub();
    using client = await SseClient.connect(`${hub.url}/api/live?session=s1&type=tool.*,state&protocol=aaep,aop&agent=a1`);
    const said = { session: "s1", type: "state", protocol: "aop", agent: "a1" } as const;
    await hub.say({ ...said, session: "s2" }, said, { ...said, type: "tool.end" }, { ...said, type: "tool" }, { ...said, agent: "a2" });
    await hub.say({ ...said, protocol: "aep" }, { ...said, protocol: "aaep" });
    await vi.waitFor(() => expect(client.positions).toEqual([2, 3, 7]), POLL_OPTIONS);
  });

  it.each([
    ["after=3", 400, "WRONG_QUERY", "newest position is 2"],
    ["after=x", 400, "WRONG_QUERY", "`after`"],
    ["after=-1", 400, "WRONG_QUERY", "`after`"],
    ["after=1.5", 400, "WRONG_QUERY", "`after`"],
    ["after=1e3", 400, "WRONG_QUERY", "`after`"],
    ["after=99999999999999999999", 400, "WRONG_QUERY", "`after`"],
    ["after=9007199254740993", 400, "WRONG_QUERY", "`after`"],
    ["after=", 400, "WRONG_QUERY", "`after`"],
    ["after=1&after=2", 400, "WRONG_QUERY", "`after`"],
    ["session=", 400, "WRONG_QUERY", "`session`"],
    ["protocol=aop,otlp", 400, "WRONG_QUERY", "`protocol`"],
    ["protocol=constructor", 400, "WRONG_QUERY", "`protocol`"],
    ["type=a,,b", 400, "WRONG_QUERY", "`type`"],
    ["type=a*b", 400, "WRONG_QUERY", "`type`"],
    ["alerts=yes", 400, "WRONG_QUERY", "`alerts`"],
    ["sesion=1", 400, "WRONG_QUERY", "`sesion` is not known here"],
    ["constructor=1", 400, "WRONG_QUERY", "`constructor` is not known here"],
    [`${"x".repeat(5000)}=1`, 400, "WRONG_QUERY", "` is not known here"],
  ])("refuses %s", async (query, status, code, message) => {
    await using hub = await openLiveTestHub();
    await hub.say({}, {});
    const response = await fetch(`${hub.url}/api/live?${query}`, { headers: AUTHORISED });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(hub.live.listeners).toBe(0);
  });

  it("names the header when that is what is wrong", async () => {
    await using hub = await openLiveTestHub();
    const response = await fetch(`${hub.url}/api/live`, { headers: { ...AUTHORISED, "last-event-id": "abc" } });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining("`Last-Event-ID`") }),
    ]);
  });

  it("takes names that hold commas and spaces, and lists that are given in parts", async () => {
    await using hub = await openLiveTestHub();
    using client = await SseClient.connect(`${hub.url}/api/live?session=a%2Cb&agent=x+y&type=a.b,c.*&type=d`);
    const said = { session: "a,b", agent: "x y", protocol: "aop" } as const;
    await hub.say({ ...said, type: "a.b" }, { ...said, type: "c.d" }, { ...said, type: "d" }, { ...said, type: "e" });
    await vi.waitFor(() => expect(client.positions).toEqual([1, 2, 3]), POLL_OPTIONS);
  });

  it("needs a credential, takes so many listeners and no more, and has no HEAD that would never end", async () => {
    await using hub = await openLiveTestHub({ maxListeners: 1 });
    expect((await fetch(`${hub.url}/api/live`)).status).toBe(401);
    using _client = await SseClient.connect(`${hub.url}/api/live`);
    const response = await fetch(`${hub.url}/api/live`, { headers: AUTHORISED });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "TOO_MANY_LISTENERS" });
    expect((await fetch(`${hub.url}/api/live`, { method: "HEAD", headers: AUTHORISED })).status).toBe(404);
  });

  it("forgets a listener that hangs up", async () => {
    await using hub = await openLiveTestHub();
    const client = await SseClient.connect(`${hub.url}/api/live`);
    expect(hub.live.listeners).toBe(1);
    client.close();
    await vi.waitFor(() => expect(hub.live.listeners).toBe(0), POLL_OPTIONS);
  });

  it("holds a bounded amount for clients that never read, tells the others everything, and goes on when they read", async () => {
    await using hub = await openLiveTestHub();
    const deaf = await Promise.all(Array.from({ length: 5 }, () => connectDeaf(hub, "/api/live?after=0")));
    await vi.waitFor(() => expect(hub.live.listeners).toBe(5), POLL_OPTIONS);
    using healthy = await SseClient.connect(`${hub.url}/api/live`);
    await sayMuch(hub, 60); // 24 MB, more than the kernel takes
    await vi.waitFor(() => expect(healthy.messages.length).toBeGreaterThan(6000), POLL_OPTIONS); // one says where it starts
    expect(healthy.positions).toEqual(numbers(1, 6000));
    for (const socket of hub.sockets.slice(0, 5)) expect(socket.writableLength).toBeLessThan(256 * 1024);
    expect(hub.sockets.slice(0, 5).every(({ writableLength }) => writableLength > 0)).toBe(true);
    const [first] = deaf;
    let text = "";
    first?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    first?.resume();
    await vi.waitFor(() => expect(text.slice(-10_000).includes("\nid: 6000\n")).toBe(true), POLL_OPTIONS);
    expect([...text.matchAll(/^id: (\d+)\ndata: \{"position"/gm)].map(([, id]) => Number(id))).toEqual(numbers(1, 6000));
    for (const socket of deaf) socket.destroy();
  });

  it("closes a client that never reads, which then resumes without a gap", async () => {
    let now = 0;
    await using hub = await openLiveTestHub({ now: () => now, heartbeatMs: Number.POSITIVE_INFINITY });
    const deaf = await connectDeaf(hub, "/api/live?after=0");
    await sayMuch(hub, 60);
    await vi.waitFor(() => expect(hub.sockets[0]?.writableLength).toBeGreaterThan(0), POLL_OPTIONS);
    for (let second = 0; second < 31; second++) {
      now += 1000;
      hub.live.tick();
    }
    expect(hub.live.listeners).toBe(0);
    await vi.waitFor(() => expect(hub.sockets[0]?.destroyed).toBe(true), POLL_OPTIONS);
    const chunks: Buffer[] = [];
    deaf.on("data", (chunk) => chunks.push(chunk)).on("error", () => {});
    deaf.resume();
    await new Promise((resolve) => deaf.on("close", resolve));
    const ids = [
      ...Buffer.concat(chunks)
        .toString()
        .matchAll(/^id: (\d+)\ndata: \{"position".*\n\n/gm),
    ].map(([, id]) => Number(id));
    using again = await SseClient.connect(`${hub.url}/api/live?after=${ids.at(-1) ?? 0}`);
    await vi.waitFor(() => expect(again.lastId).toBe("6000"), POLL_OPTIONS);
    expect([...ids, ...again.positions]).toEqual(numbers(1, 6000));
  });

  it("serves hundreds", async () => {
    await using hub = await openLiveTestHub();
    const clients = await Promise.all(
      Array.from({ length: 300 }, (_, index) => SseClient.connect(`${hub.url}/api/live?session=s${index % 3}`)),
    );
    for (let batch = 0; batch < 10; batch++) await hub.say(...Array.from({ length: 30 }, (_, index) => ({ session: `s${index % 3}` })));
    await vi.waitFor(() => expect(clients.every(({ positions }) => positions.length === 100)).toBe(true), POLL_OPTIONS);
    clients.forEach((client, index) => {
      expect(client.positions).toEqual(Array.from({ length: 100 }, (_, number) => number * 3 + (index % 3) + 1));
      client.close();
    });
  });
});
