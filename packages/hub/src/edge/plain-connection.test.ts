import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { listen, portOf } from "./listen.ts";
import type { PlainPost, ShortWay } from "./plain-post.ts";
import { PlainServer } from "./plain-server.ts";
import { type Edge, openEdge } from "./testing/edge.ts";
import { saidText } from "./testing/said.ts";

/** A hub's edge on a port. */
async function openServer(shortWay?: ShortWay) {
  const edge: Edge = await openEdge({ eventBytes: 4096, idleMs: 2000 });
  let taken = 0;
  const counted: ShortWay = (post) => {
    const isTaken = (shortWay ?? edge.desk.shortWay)(post);
    if (isTaken) taken++;
    return isTaken;
  };
  const server = (await listen({ ...edge.desk, shortWay: counted }, { host: "127.0.0.1", port: 0 })) as PlainServer;
  return {
    edge,
    server,
    port: portOf(server),
    taken: () => taken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await edge[Symbol.asyncDispose]();
    },
  };
}

type Opened = Awaited<ReturnType<typeof openServer>>;

/** Sends bytes cut at some places, and gives all that is answered once there are so many answers, or the connection is closed. */
class Talk implements Disposable {
  readonly #socket: Socket;
  heard = "";
  isClosed = false;

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk) => {
      this.heard += chunk.toString("latin1");
    });
    this.#socket.on("error", () => {}); // a reset is one way of closing
    this.#socket.on("close", () => {
      this.isClosed = true;
    });
  }

  get socket(): Socket {
    return this.#socket;
  }

  async send(text: string, cuts: readonly number[] = []): Promise<void> {
    const places = [...new Set([0, ...cuts.map((cut) => cut % text.length)])].sort((one, other) => one - other);
    for (const [index, place] of places.entries()) {
      this.#socket.write(text.slice(place, places[index + 1] ?? text.length), "latin1");
      // Written in one turn it would arrive in one piece.
      if (places.length > 1) await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  answers(count: number): Promise<string> {
    return vi.waitFor(
      () => {
        const answers = this.heard.split("HTTP/1.1 ").length - 1;
        if (answers < count && !this.isClosed) throw new Error(`${answers} answers so far:\n${this.heard}`);
        return this.heard.replaceAll(/Date: .*?\r\n/g, "");
      },
      { timeout: 5000, interval: 1 },
    );
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

const head = (port: number, length: number, more = "") =>
  `POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n${more}Content-Length: ${length}\r\n\r\n`;
const postOf = (port: number, body: string, more = "") => head(port, body.length, more) + body;

/** What programs send, and what nobody should: each is made of a body. */
const REQUESTS: readonly ((port: number, body: string) => string)[] = [
  postOf,
  postOf,
  postOf,
  (port, body) => postOf(port, body, "User-Agent: a program/1.0\r\nAccept: */*\r\n"),
  (port, body) => postOf(port, body).replace("Host:", "hOST:\t"),
  (port) => postOf(port, "{"),
  (port) => postOf(port, ""),
  (port) => postOf(port, `{"x":"${"x".repeat(5000)}"}`),
  (port, body) => postOf(port, `[${body}]`),
  (port, body) => postOf(port, body, "Origin: http://evil.example\r\n"),
  (port, body) => postOf(port, body, "X-Other: one\r\nX-Other: two\r\n"),
  (port, body) => postOf(port, body, "X-Latin: \u00e9\r\n"),
  (port, body) => postOf(port, body, "X-Space : one\r\n"),
  (port, body) => postOf(port, body, "X-Folded: one\r\n two\r\n"),
  (port, body) => postOf(port, body, "Content-Length: 3\r\n"),
  (port, body) => postOf(port, body).replace(/Content-Length: /, "Content-Length: +"),
  (port, body) => postOf(port, body).replace(/Content-Length: /, "Content-Length: 00"),
  (port, body) => postOf(port, body).replace("HTTP/1.1", "HTTP/1.0"),
  (port, body) => postOf(port, body).replace("POST", "PUT"),
  (port, body) => postOf(port, body).replace("/v1/events", "/v1/events?protocol=aep"),
  (port, body) => postOf(port, body).replace("/v1/events", "/v1/nothing"),
  (port, body) => postOf(port, body).replace(`:${port}`, ":1"),
  (port, body) => postOf(port, body).replace("application/json", "text/plain"),
  (port, body) => postOf(port, body).replace("application/json", "application/x-ndjson"),
  (port, body) => `\r\n${postOf(port, body)}`,
  (port, body) =>
    head(port, 0, "Transfer-Encoding: chunked\r\n").replace(/Content-Length.*?\r\n/, "") +
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  (port) => `GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
];

describe("a connection", () => {
  let plain: Opened;
  let router: Opened;
  beforeAll(async () => {
    plain = await openServer();
    router = await openServer(() => false);
  });
  afterAll(async () => {
    await plain[Symbol.asyncDispose]();
    await router[Symbol.asyncDispose]();
  });

  it("hears the same as from node:http and the router, whatever is sent, and wherever it is cut", async () => {
    // Most of it plain, and cut in the body if at all: else the short way would see little of it.
    const kind = fc.oneof({ weight: 2, arbitrary: fc.nat({ max: 8 }) }, { weight: 1, arbitrary: fc.nat({ max: REQUESTS.length - 1 }) });
    const cuts = fc.oneof(fc.constant([]), fc.array(fc.integer({ min: 200, max: 500 }), { maxLength: 2 }), fc.array(fc.nat({ max: 2000 })));
    const request = fc.record({ kind, cuts });
    const before = plain.taken();
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), async (requests) => {
        using one = new Talk(plain.port);
        using other = new Talk(router.port);
        const bodies = requests.map(() => saidText("aop"));
        for (const [index, { kind, cuts }] of requests.entries()) {
          const make = REQUESTS[kind] ?? postOf;
          await Promise.all([
            one.send(make(plain.port, bodies[index] ?? ""), cuts),
            other.send(make(router.port, bodies[index] ?? ""), cuts),
          ]);
          const heard = await one.answers(index + 1);
          expect(heard).toBe(await other.answers(index + 1));
        }
      }),
      { numRuns: 80 },
    );
    expect(plain.taken() - before).toBeGreaterThan(60);
    expect(await stored(plain)).toEqual(await stored(router));
    expect([...plain.edge.failures, ...router.edge.failures]).toEqual([]);
  });

  it("may send the next requests before it is answered, and hears the answers in order", async () => {
    for (const cuts of [[], [100], [300, 301], [5, 900, 1500]]) {
      using talk = new Talk(plain.port);
      await talk.send(Array.from({ length: 20 }, () => postOf(plain.port, saidText("aop"))).join(""), cuts);
      const positions = [...(await talk.answers(20)).matchAll(/"position":(\d+)/g)].map(([, position]) => Number(position));
      expect(positions).toEqual(Array.from({ length: 20 }, (_, index) => (positions[0] ?? 0) + index));
    }
  });

  it("goes on with the short way after an answer, and with node:http after anything else", async () => {
    using talk = new Talk(plain.port);
    const before = plain.taken();
    for (let count = 1; count <= 3; count++) {
      await talk.send(postOf(plain.port, saidText("aep")));
      await talk.answers(count);
    }
    expect(plain.taken() - before).toBe(3);
    await talk.send(`GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:${plain.port}\r\n\r\n`);
    await talk.answers(4);
    await talk.send(postOf(plain.port, saidText("aep")));
    expect((await talk.answers(5)).match(/HTTP\/1\.1 \d+/g)).toEqual([200, 200, 200, 404, 200].map((status) => `HTTP/1.1 ${status}`));
    expect(plain.taken() - before).toBe(3);
  });
});

async function stored({ edge: { ledger } }: Opened) {
  const { entries } = await ledger.read({ after: 0, limit: 1000 });
  return entries.map(({ position, text }) => [position, text]);
}

describe("whoever", () => {
  /** Keeps what comes, for the test to answer. */
  const posts: PlainPost[] = [];
  let held: Opened;
  beforeAll(async () => {
    held = await openServer((post) => {
      posts.push(post);
      return true;
    });
  });
  afterAll(() => held[Symbol.asyncDispose]());
  const next = () => vi.waitFor(() => posts.shift() ?? expect.fail("nothing has come yet"));
  const yes = { status: 200, headers: {}, body: "{}" };

  it("leaves before the answer is missed, and one who stays is not", async () => {
    const gone = vi.fn<(isAnswered: boolean) => void>();
    const stays = new Talk(held.port);
    await stays.send(postOf(held.port, "{}"));
    const kept = await next();
    kept.once("close", () => gone(kept.isAnswered));
    const leaves = new Talk(held.port);
    await leaves.send(postOf(held.port, "{}"));
    const lost = await next();
    lost.once("close", () => gone(lost.isAnswered));
    leaves.socket.destroy();
    await vi.waitFor(() => expect(gone).toHaveBeenCalledOnce());
    expect(gone).toHaveBeenLastCalledWith(false);
    lost.answer(yes); // harms nobody
    kept.answer(yes);
    kept.answer({ ...yes, body: "twice" });
    expect(gone).toHaveBeenLastCalledWith(true);
    expect(await stays.answers(1)).toMatch(/\r\n\r\n\{\}$/);
    stays.socket.destroy();
  });

  it("says that it has nothing more to say is gone, too", async () => {
    using talk = new Talk(held.port);
    await talk.send(postOf(held.port, "{}"));
    const post = await next();
    const over = vi.fn<() => void>();
    post.once("close", over);
    talk.socket.end();
    await vi.waitFor(() => expect(over).toHaveBeenCalledOnce());
    expect(post.isAnswered).toBe(false);
  });

  it("does not read the answer is not read either", async () => {
    using talk = new Talk(held.port);
    talk.socket.pause();
    await talk.send(postOf(held.port, "{}"));
    (await next()).answer({ ...yes, body: "x".repeat(32 * 1024 * 1024) });
    await talk.send(postOf(held.port, "{}"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(posts).toEqual([]);
    held.server.closeIdleConnections(); // it is not: the answer is not out yet
    talk.socket.resume();
    (await next()).answer(yes);
    expect((await talk.answers(2)).length).toBeGreaterThan(32 * 1024 * 1024);
  });

  it("is only waiting is let go when the hub stops, and one who is being answered is not", async () => {
    using idle = new Talk(held.port);
    using busy = new Talk(held.port);
    await idle.send(postOf(held.port, "{}"));
    (await next()).answer(yes);
    await idle.answers(1);
    await busy.send(postOf(held.port, "{}"));
    const post = await next();
    held.server.closeIdleConnections();
    await vi.waitFor(() => expect(idle.isClosed).toBe(true));
    post.answer(yes);
    expect(await busy.answers(1)).toMatch(/^HTTP\/1\.1 200 /);
    expect(busy.isClosed).toBe(false);
    held.server.closeAllConnections();
    await vi.waitFor(() => expect(busy.isClosed).toBe(true));
  });

  it("says nothing for long is let go, but not while it is being answered", async () => {
    const shortWay: ShortWay = (post) => posts.push(post) > 0;
    const server = new PlainServer(
      { headersTimeout: 100, keepAliveTimeout: 100, keepAliveTimeoutBuffer: 50 },
      { handle: () => {}, shortWay },
    );
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    using silent = new Talk(portOf(server));
    using patient = new Talk(portOf(server));
    await patient.send(postOf(portOf(server), "{}"));
    const post = await next();
    await vi.waitFor(() => expect(silent.isClosed).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(patient.isClosed).toBe(false);
    post.answer(yes);
    expect(await patient.answers(1)).toMatch(/^HTTP\/1\.1 200 /);
    await vi.waitFor(() => expect(patient.isClosed).toBe(true));
    server.close();
  });

  it("meets a fault of ours loses the connection, and nobody else does", async () => {
    const failures: unknown[] = [];
    const shortWay: ShortWay = () => {
      throw new Error("This is a test.");
    };
    const desk = { ...held.edge.desk, shortWay, onFailure: (error: unknown) => failures.push(error) };
    const server = await listen(desk, { host: "127.0.0.1", port: 0 });
    using talk = new Talk(portOf(server));
    await talk.send(postOf(portOf(server), "{}"));
    await vi.waitFor(() => expect(talk.isClosed).toBe(true));
    expect(failures).toMatchObject([{ message: "This is a test." }]);
    using other = new Talk(portOf(server));
    await other.send(`GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:${portOf(server)}\r\n\r\n`);
    expect(await other.answers(1)).toMatch(/^HTTP\/1\.1 404 /);
    server.closeAllConnections();
    server.close();
  });
});
