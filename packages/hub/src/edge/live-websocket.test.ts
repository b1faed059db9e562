import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { AUTHORISED, type LiveHub, openLiveHub } from "./testing/live-hub.ts";

const SOON = { timeout: 20_000, interval: 5 };

class Client implements Disposable {
  readonly socket: WebSocket;
  readonly messages: Record<string, unknown>[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data, isBinary) => {
      if (isBinary) throw new Error("A message is text.");
      this.messages.push(JSON.parse(String(data)) as Record<string, unknown>);
    });
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  static async connect(hub: LiveHub, query = "", options: ClientOptions = {}): Promise<Client> {
    const client = new Client(new WebSocket(`${hub.url.replace("http", "ws")}/api/live${query}`, { headers: AUTHORISED, ...options }));
    await once(client.socket, "open");
    return client;
  }

  get positions(): readonly unknown[] {
    return this.messages.filter(({ kind }) => kind === "event").map(({ position }) => position);
  }

  [Symbol.dispose](): void {
    this.socket.terminate();
  }
}

/** The answer to an upgrade that is refused, as a plain HTTP client sees it. */
async function refusal(hub: LiveHub, path: string, headers: Readonly<Record<string, string>> = AUTHORISED): Promise<string> {
  const socket = connect(hub.port, "127.0.0.1").setEncoding("utf8");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${hub.port}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n${lines.join("")}\r\n`,
  );
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe("WebSocket at /api/live", () => {
  it("says where it starts, then sends each entry as a message, whatever its length", async () => {
    await using hub = await openLiveHub();
    await hub.say({});
    using client = await Client.connect(hub);
    const texts = [0, 100, 125, 126, 1000, 65_000, 65_535, 65_536, 300_000].map((length) => JSON.stringify({ ü: "é".repeat(length / 2) }));
    await hub.say(...texts.map((text) => ({ text })));
    await vi.waitFor(() => expect(client.positions).toHaveLength(texts.length), SOON);
    expect(client.messages[0]).toEqual({ kind: "position", position: 1, head: 1 });
    expect(client.messages.slice(1).map(({ event }) => JSON.stringify(event))).toEqual(texts);
  });

  it("gives history, then goes on live; resumes; and filters", async () => {
    await using hub = await openLiveHub();
    await hub.say(...Array.from({ length: 1000 }, (_, index) => ({ session: `s${index % 2}` })));
    using everything = await Client.connect(hub, "?after=0");
    using odd = await Client.connect(hub, "?after=500&session=s1");
    await hub.say({ session: "s0" }, { session: "s1" });
    await vi.waitFor(() => expect([everything.positions.at(-1), odd.positions.at(-1)]).toEqual([1002, 1002]), SOON);
    expect(everything.positions).toEqual(Array.from({ length: 1002 }, (_, index) => index + 1));
    expect(odd.positions).toEqual(Array.from({ length: 251 }, (_, index) => 502 + 2 * index));
  });

  it("tells with each heartbeat how far it is", async () => {
    let now = 0;
    await using hub = await openLiveHub({ now: () => now });
    using client = await Client.connect(hub);
    await vi.waitFor(() => expect(client.messages).toHaveLength(1), SOON);
    now += 15_000;
    hub.fanout.tick();
    await vi.waitFor(() => expect(client.messages).toHaveLength(2), SOON);
    expect(client.messages[1]).toEqual({ kind: "position", position: 0 });
  });

  it("says where to resume when the hub stops", async () => {
    await using hub = await openLiveHub();
    await hub.say({});
    using client = await Client.connect(hub);
    await hub.stop();
    await vi.waitFor(() => expect(client.closed).toEqual({ code: 1001, reason: "stopping, resume after 1" }), SOON);
    expect(client.messages.at(-1)).toEqual({ kind: "closed", resumeAfter: 1, why: "stopping" });
  });

  it("answers pings, overlooks what a listener says, and closes on one that says too much", async () => {
    await using hub = await openLiveHub();
    using client = await Client.connect(hub);
    client.socket.send("hello?");
    client.socket.ping("are you there?");
    const [pong] = await once(client.socket, "pong");
    expect(String(pong)).toBe("are you there?");
    client.socket.send("x".repeat(2000));
    await vi.waitFor(() => expect(client.closed?.code).toBe(1009), SOON);
    await vi.waitFor(() => expect(hub.fanout.listeners).toBe(0), SOON);
  });

  it("holds a bounded amount for a client that never reads, however much it pings, and closes it", async () => {
    let now = 0;
    await using hub = await openLiveHub({ now: () => now, heartbeatMs: Number.POSITIVE_INFINITY });
    using client = await Client.connect(hub);
    client.socket.pause();
    const text = JSON.stringify({ filler: "x".repeat(4000) });
    for (let batch = 0; batch < 60; batch++) await hub.say(...Array.from({ length: 100 }, () => ({ text })));
    for (let ping = 0; ping < 10_000; ping++) client.socket.ping("x".repeat(125));
    await vi.waitFor(() => expect(hub.sockets[0]?.writableLength).toBeGreaterThan(0), SOON);
    expect(hub.sockets[0]?.writableLength).toBeLessThan(300_000);
    for (let second = 0; second < 31; second++) {
      now += 1000;
      hub.fanout.tick();
    }
    expect(hub.fanout.listeners).toBe(0);
    await vi.waitFor(() => expect(hub.sockets[0]?.destroyed).toBe(true), SOON);
  });

  it.each<[string, string, Record<string, string>, string, string]>([
    ["without a credential", "/api/live", {}, "401 Unauthorized", "NOT_AUTHORISED"],
    ["from a page of another origin", "/api/live", { ...AUTHORISED, origin: "http://evil.example" }, "403 Forbidden", "HOST_REFUSED"],
    ["with a query that makes no sense", "/api/live?after=-1", AUTHORISED, "400 Bad Request", "WRONG_QUERY"],
    ["after a position that is not there", "/api/live?after=7", AUTHORISED, "400 Bad Request", "newest position is 0"],
    ["at another address", "/api/other", AUTHORISED, "404 Not Found", "NOT_FOUND"],
  ])("is refused with a problem %s", async (_when, path, headers, status, problem) => {
    await using hub = await openLiveHub();
    const answer = await refusal(hub, path, headers);
    expect(answer).toContain(`HTTP/1.1 ${status}\r\n`);
    expect(answer).toContain(problem);
    expect(hub.fanout.listeners).toBe(0);
  });
});
