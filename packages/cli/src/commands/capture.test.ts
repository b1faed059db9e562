import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { afterAll, describe, expect, it, vi } from "vitest";
import { answerJson, openHttpPeer } from "../../../recordings/src/capture/testing/http-peer.ts";
import { captureCommand } from "./capture.ts";

const POLL_OPTIONS = { timeout: 20_000, interval: 5 };
const folder = mkdtempSync(join(tmpdir(), "earshot-capture-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const fresh = () => join(folder, `${++count}.jsonl`);

class Terminal implements CommandIo {
  readonly stdin = Readable.from([]);
  readonly terminal = { out: false, err: false, colour: false, width: 0 };
  written = "";
  told = "";
  out = (text: string) => {
    this.written += text;
  };
  err = (text: string) => {
    this.told += text;
  };

  get lines(): readonly string[] {
    return this.written.split("\n").slice(0, -1);
  }
}

function ports(signal = new AbortController().signal) {
  return { signal, drained: async () => {}, now: Date.now, monotonic: () => performance.now(), env: { EARSHOT_HOME: folder } };
}

const aop = (sequence: number, more: object = {}) =>
  JSON.stringify({
    spec: "aop/1.0",
    session_id: "s",
    agent_id: "a",
    sequence,
    timestamp: "2026-01-01T00:00:00.000Z",
    type: "cognition.thought",
    payload: { content: `Thought ${sequence}` },
    ...more,
  });

/** A command that prints these lines, then runs `then`. */
function printing(lines: readonly string[], then = ""): readonly string[] {
  return ["--", process.execPath, "-e", `process.stdout.write(${JSON.stringify(`${lines.join("\n")}\n`)});${then}`];
}

describe("earshot capture", () => {
  it("explains itself, and refuses what makes no sense", async () => {
    const io = new Terminal();
    expect(await captureCommand(["--help"], io, ports())).toBe(0);
    for (const [words, says] of [
      [[], "Say what to capture"],
      [["http://x", "http://y"], "Unexpected argument"],
      [["http://x", "--", "y"], "one source"],
      [["--"], "no command"],
      [["http://x", "--session", ""], "empty"],
      [["http://x", "--as", "otlp"], "--as cannot be"],
      [["--as", "aop", "--", "x"], "--as says"],
      [["--speaks", "french", "--", "x"], "--speaks cannot be"],
      [["http://x", "--follow", "--no-follow"], "contradict"],
      [["http://x", "--follow", "--until-ended"], "contradict"],
      [["http://x", "--no-follow", "--from-now"], "contradict"],
      [["--no-follow", "--", "x"], "no history"],
      [["ws://127.0.0.1:1", "--no-follow"], "no history"],
      [["http://x", "--for", "soon"], "duration"],
      [["http://x", "--header", "nothing"], "A header looks like this"],
    ] as const) {
      await expect(captureCommand(words, new Terminal(), ports()), words.join(" ")).rejects.toThrow(says);
    }
  });

  it("prints the events of a command in their order, and nothing else", async () => {
    const io = new Terminal();
    const message = '{"type":"subscription.close","subscription_id":"sub_1","reason_code":"x"}';
    const odd = 'hello \u001b[2J{"kind":';
    const words = printing([aop(1), odd, aop(3), message, aop(2), aop(2), "", aop(4)], "process.stderr.write('to people')");
    expect(await captureCommand(words, io, ports())).toBe(0);
    expect(io.lines).toEqual([aop(1), aop(3), aop(2), aop(4)]);
    expect(io.told).toContain("to people");
    expect(io.told).toContain("left out, because it is no event: hello \\u{1b}[2J");
    expect(io.told).toContain("the command ended with code 0");
    expect(io.told).toMatch(
      /captured 4 events from .* in .*; 1 left out that are no events, 1 messages left out, 1 said again and left out\n$/,
    );
  });

  it("ends with 1 when the command fails, and with a word when it cannot be started", async () => {
    const io = new Terminal();
    expect(await captureCommand(printing([aop(1)], "process.exitCode = 3"), io, ports())).toBe(1);
    expect(io.told).toContain("the command ended with code 3");
    const into = fresh();
    await expect(captureCommand(["-o", into, "--", "/nowhere/at/all"], new Terminal(), ports())).rejects.toThrow("does not start");
    expect(existsSync(into)).toBe(false);
  });

  it("keeps one session, masks secrets, and says what it left out", async () => {
    const io = new Terminal();
    const into = fresh();
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const lines = [aop(1, { payload: { content: `It is ${secret}.` } }), aop(1, { session_id: "t" })];
    expect(await captureCommand(["-o", into, "--session", "s", "--redact", ...printing(lines)], io, ports())).toBe(0);
    const text = readFileSync(into, "utf8");
    expect(text).not.toContain(secret);
    expect(text.split("\n")).toHaveLength(2);
    expect(io.told).toContain("captured 1 event");
    expect(io.told).toContain("1 of other sessions left out");
    expect(io.told).toContain("1 secret masked");
    await expect(captureCommand(["-o", into, ...printing(lines)], io, ports())).rejects.toThrow("exists already");
    expect(readFileSync(into, "utf8")).toBe(text);
  });

  it("stops when the sessions have ended, when the time is over, and when it is told to", async () => {
    const stays = "setInterval(() => {}, 1000)";
    const ended = aop(2, { type: "session.ended", payload: { outcome: "completed" } });
    const io = new Terminal();
    expect(await captureCommand(["--until-ended", "--speaks", "lines", ...printing([aop(1), ended], stays)], io, ports())).toBe(0);
    expect(io.lines).toEqual([aop(1), ended]);
    expect(await captureCommand(["--for", "1s", ...printing([aop(1)], stays)], new Terminal(), ports())).toBe(0);
    const stop = new AbortController();
    const stopped = new Terminal();
    const running = captureCommand(printing([aop(1)], stays), stopped, ports(stop.signal));
    await vi.waitFor(() => expect(stopped.lines).toEqual([aop(1)]), POLL_OPTIONS);
    stop.abort();
    expect(await running).toBe(0);
    expect(stopped.told).toContain("captured 1 event");
  }, 60_000);
});

describe("earshot capture of a collector", () => {
  /** As documented: bare events, no greeting; and ids that cannot be exported. */
  async function openBareCollector() {
    const listeners = new Set<ServerResponse>();
    const kept: string[] = [];
    const peer = await openHttpPeer({
      "/health": answerJson({ ok: true }),
      "/stream": (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(": ping\n\n");
        listeners.add(response);
      },
      "/sessions": answerJson({ sessions: [{ id: "s/1" }, { id: "s2" }, {}] }),
      "/sessions/s%2F1": (response) => response.end(JSON.stringify({ events: kept.map((text) => JSON.parse(text) as object) })),
      "/sessions/s2/export": (response) => response.end(""),
    });
    const say = (text: string, isLive = true) => {
      kept.push(text);
      if (isLive) for (const one of listeners) one.write(`data: ${text}\n\n`);
    };
    return { peer, listeners, say };
  }
  const said = (sequence: number, more: object = {}) => aop(sequence, { session_id: "s/1", ...more });

  it("reads bare events, fetches what was said before and during a cut", async () => {
    const { peer, listeners, say } = await openBareCollector();
    await using _peer = peer;
    say(said(1), false);
    const io = new Terminal();
    const stop = new AbortController();
    const running = captureCommand([peer.url], io, ports(stop.signal));
    await vi.waitFor(() => expect(io.lines).toEqual([said(1)]), POLL_OPTIONS);
    await vi.waitFor(() => expect(listeners.size).toBe(1), POLL_OPTIONS);
    say(said(2));
    await vi.waitFor(() => expect(io.lines).toHaveLength(2), POLL_OPTIONS);
    listeners.clear();
    peer.cut();
    say(said(4), false);
    await vi.waitFor(() => expect(io.told).toContain("connected again"), POLL_OPTIONS);
    await vi.waitFor(() => expect(io.lines).toEqual([said(1), said(2), said(4)]), POLL_OPTIONS);
    await vi.waitFor(() => expect(listeners.size).toBe(1), POLL_OPTIONS);
    say(said(3));
    await vi.waitFor(() => expect(io.lines).toHaveLength(4), POLL_OPTIONS);
    stop.abort();
    expect(await running).toBe(0);
    expect(io.told).toMatch(/; 1 cut(, .*)?\n$/);
  }, 60_000);

  it("leaves out what was said before with --from-now, and stops at once with --no-follow", async () => {
    const { peer, listeners, say } = await openBareCollector();
    await using _peer = peer;
    say(said(1), false);
    const all = new Terminal();
    expect(await captureCommand([peer.url, "--no-follow"], all, ports())).toBe(0);
    expect(all.lines).toEqual([said(1)]);
    const io = new Terminal();
    const stop = new AbortController();
    listeners.clear();
    const running = captureCommand([peer.url, "--from-now"], io, ports(stop.signal));
    await vi.waitFor(() => expect(listeners.size).toBe(1), POLL_OPTIONS);
    listeners.clear();
    peer.cut();
    const now = { timestamp: new Date(Date.now() + 60_000).toISOString() };
    say(said(2, now), false);
    await vi.waitFor(() => expect(io.lines).toEqual([said(2, now)]), POLL_OPTIONS);
    stop.abort();
    await running;
  }, 60_000);

  it("says why where it may not read, or where there is none", async () => {
    await using peer = await openHttpPeer({ "/stream": (response) => response.writeHead(401).end("{}") });
    await expect(captureCommand([peer.url, "--as", "aop"], new Terminal(), ports())).rejects.toThrow("answered with status 401");
    await using other = await openHttpPeer({ "/stream": answerJson({}) });
    await expect(captureCommand([`${other.url}/stream`], new Terminal(), ports())).rejects.toThrow("no stream of events");
    await using none = await openHttpPeer({});
    await expect(captureCommand([none.url], new Terminal(), ports())).rejects.toThrow("no AAEP producer");
  });
});
