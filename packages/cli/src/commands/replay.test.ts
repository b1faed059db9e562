import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import type { CommandIo } from "@earshot/terminal/io";
import { afterAll, describe, expect, it } from "vitest";
import { listenAt } from "../../../recordings/src/listen-at.ts";
import { replayCommand } from "./replay.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-replay-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

class Terminal implements CommandIo {
  readonly stdin: Readable;
  readonly terminal = { out: false, err: false, colour: false, width: 0 };
  written = "";
  complained = "";

  constructor(stdin = "") {
    this.stdin = Readable.from([Buffer.from(stdin)]);
  }

  out = (text: string) => {
    this.written += text;
  };
  err = (text: string) => {
    this.complained += text;
  };
}

const aop = (sequence: number, at = sequence) =>
  JSON.stringify({
    spec: "aop/1.0",
    session_id: "s",
    agent_id: "a",
    sequence,
    timestamp: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
    type: sequence === 1 ? "session.started" : "cognition.thought",
    payload: { content: "Hm." },
  });

function save(...lines: readonly string[]): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.jsonl`);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly type: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A local server; `answer` returns false to cut the connection. */
async function openServer(answer: (request: Request, response: ServerResponse) => boolean | undefined) {
  const requests: Request[] = [];
  const server = createServer((incoming: IncomingMessage, response) => {
    void readAll(incoming).then((body) => {
      const { method = "", url = "", headers } = incoming;
      const request = { method, url, type: headers["content-type"], authorization: headers.authorization, body };
      requests.push(request);
      if (answer(request, response) === false) incoming.socket.destroy();
      else if (!response.writableEnded) response.end();
    });
  });
  const url = await listenAt(server, { host: "127.0.0.1", port: 0 });
  return {
    url,
    posted: () => requests.filter(({ method }) => method === "POST"),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const json = (response: ServerResponse, body: object, status = 200, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
  return undefined;
};

async function run(argv: readonly string[], stdin?: string) {
  const io = new Terminal(stdin);
  const code = await replayCommand(argv, io, { env: {}, signal: new AbortController().signal });
  return { code, out: io.written, err: io.complained };
}

describe("earshot replay --to", () => {
  it("tells a collector by its root, and sends it AOP events alone, one by one and in order", async () => {
    using collector = await openServer(({ method, url, body }, response) => {
      if (method === "GET") return json(response, url === "/" ? { name: "AOP", version: "0.1.0", spec: "aop/1.0", endpoints: {} } : {});
      return body.includes('"sequence":2,') ? json(response, { error: "No." }, 400) : json(response, { ok: true });
    });
    const reply = '{"type":"confirmation.reply","reply_token":"rpl_1","decision":"accept","subscription_id":"sub_1"}';
    const file = save(aop(1), reply, "nonsense", aop(2), aop(3));
    const { code, err } = await run([file, "--to", collector.url, "--speed", "max"]);
    expect(collector.posted().map(({ url, type, body }) => [url, type, body])).toEqual(
      [aop(1), aop(2), aop(3)].map((body) => ["/events", "application/json", body]),
    );
    expect(code).toBe(1);
    expect(err).toMatch(/to the AOP collector at http:\S+: 4 events in .*; 2 taken, 1 refused, 1 damaged\.\n/);
    expect(err).toContain("line 3: it is no JSON\n");
    expect(err).toContain('line 4: status 400: {"error":"No."}\n');
    expect(err).toContain("1 left out: beside the events");
  });

  it("sends JSON lines to anybody else, without a credential, and waits as long as it is asked to", async () => {
    let busy = 1;
    using receiver = await openServer(({ method }, response) => {
      if (method === "GET") return json(response, {}, 404);
      return busy-- > 0 ? json(response, { message: "Not now." }, 503, { "retry-after": "1" }) : json(response, {});
    });
    const file = save(aop(1), aop(2));
    const began = performance.now();
    const { code, out, err } = await run([file, "--to", `${receiver.url}/take?x=1`, "--speed", "max", "--json"]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    expect(code).toBe(0);
    expect(err).toBe("earshot: waiting, Not now.\n");
    expect(JSON.parse(out)).toMatchObject({ events: 2, stored: 2, known: 0, refused: 0, damaged: 0 });
    const body = `${aop(1)}\n${aop(2)}\n`;
    expect(receiver.posted()).toEqual(
      [1, 2].map(() => ({ method: "POST", url: "/take?x=1", type: "application/x-ndjson", authorization: undefined, body })),
    );
  });

  it("does not send again what somebody who is no hub may have", async () => {
    using receiver = await openServer(({ method }, response) => (method === "GET" ? json(response, {}) : false));
    await expect(run([save(aop(1)), "--to", receiver.url, "--speed", "max"])).rejects.toMatchObject({
      problem: { message: expect.stringContaining("is not known") },
    });
    expect(receiver.posted()).toHaveLength(1);
  });

  it.each(["/aaep/v1/replies", "/aaep/v1/messages", "/x/subscriptions"])("never posts to where answers are taken: %s", async (path) => {
    using receiver = await openServer((_request, response) => json(response, {}));
    await expect(run([save(aop(1)), "--to", receiver.url + path])).rejects.toMatchObject({ problem: { code: "WRONG_USAGE" } });
    expect(receiver.posted()).toEqual([]);
  });

  it("posts to a hub where events are taken, and nowhere else", async () => {
    using hub = await openServer(({ method }, response) =>
      json(response, method === "GET" ? { name: "Earshot" } : { events: 1, stored: 1, duplicates: 0, refused: 0 }),
    );
    for (const path of ["", "/", "/events", "/v1/events"]) expect((await run([save(aop(1)), "--to", hub.url + path])).code).toBe(0);
    expect(hub.posted().map(({ url }) => url)).toEqual(Array.from({ length: 4 }, () => "/v1/events?recognise=messages"));
    await expect(run([save(aop(1)), "--to", `${hub.url}/api/requests`])).rejects.toMatchObject({ problem: { code: "WRONG_USAGE" } });
    expect(hub.posted()).toHaveLength(4);
  });

  it("says that nothing answers", async () => {
    const gone = await openServer(() => undefined);
    gone[Symbol.dispose]();
    await expect(run([save(aop(1)), "--to", gone.url])).rejects.toMatchObject({ problem: { code: "HUB_NOT_FOUND" } });
  });

  it("sends nothing before it is due, and together what is", async () => {
    const at: number[] = [];
    using receiver = await openServer(({ method }, response) => {
      if (method === "POST") at.push(performance.now());
      return json(response, {});
    });
    const file = save(aop(1, 0), aop(2, 0), aop(3, 30), aop(4, 7200));
    const { err } = await run([file, "--to", receiver.url, "--speed", "100", "--max-gap", "40s"]);
    expect(receiver.posted().map(({ body }) => body.trimEnd().split("\n").length)).toEqual([2, 1, 1]);
    const [first = 0, second = 0, third = 0] = at;
    expect(second - first).toBeGreaterThan(200);
    expect(third - second).toBeGreaterThan(300);
    expect(err).toContain("1 silence made shorter.");
  });

  it("reads standard input, and stops when it is told to", async () => {
    using receiver = await openServer((_request, response) => json(response, {}));
    const stop = new AbortController();
    const io = new Terminal(`${aop(1, 0)}\n${aop(2, 3000)}\n`);
    const running = replayCommand(["-", "--to", receiver.url], io, { env: {}, signal: stop.signal });
    while (receiver.posted().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect(await running).toBe(0);
    expect(receiver.posted()).toHaveLength(1);
    expect(io.complained).toContain("the next event is due in 50 minutes. --max-gap 5s makes silences shorter\n");
    expect(io.complained).toContain("Stopped at line 2.");
  });
});

describe("the options of earshot replay", () => {
  it.each([
    [[], "FILE is missing."],
    [["a", "b"], "Unexpected argument"],
    [["a", "--speed", "fast"], '--speed cannot be "fast".'],
    [["a", "--speed", "0"], '--speed cannot be "0".'],
    [["a", "--max-gap", "5"], "is not a duration"],
    [["a", "--to", "x", "--serve", "aaep"], "contradict"],
    [["-", "--to", "ftp://x"], "--to cannot be"],
    [["a", "--serve", "aep"], '--serve cannot be "aep".'],
    [["a", "--serve", "aop", "--port", "99999"], '--port cannot be "99999".'],
    [["a", "--serve", "aop", "--wait", "some"], '--wait cannot be "some".'],
    [["a", "--keep"], "--keep is for --serve."],
    [["a", "--seed", "x"], "--seed makes fresh ids"],
  ])("are refused where they make no sense: %j", async (argv, message) => {
    await expect(run(argv)).rejects.toMatchObject({ problem: { code: "WRONG_USAGE", message: expect.stringContaining(message) } });
  });

  it("name the file that is not there", async () => {
    using receiver = await openServer((_request, response) => json(response, {}));
    for (const [file, message] of [
      ["nowhere.jsonl", "nowhere.jsonl: There is no such file."],
      [folder, `${folder}: It is a folder.`],
    ] as const) {
      await expect(run([file, "--to", receiver.url])).rejects.toMatchObject({ problem: { code: "FILE_UNREADABLE", message } });
      await expect(run([file, "--serve", "aaep"])).rejects.toMatchObject({ problem: { code: "FILE_UNREADABLE", message } });
    }
  });

  it("say how to start a hub where there is none", async () => {
    const io = new Terminal();
    const env = { EARSHOT_HOME: join(folder, "none") };
    await expect(replayCommand([save(aop(1))], io, { env, signal: new AbortController().signal })).rejects.toMatchObject({
      problem: { code: "HUB_NOT_FOUND", hint: expect.stringContaining("earshot start") },
    });
  });
});
