import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { subscribe } from "@earshot/sdk";
import { afterAll, describe, expect, it } from "vitest";
import { becomeAdmin, callJson } from "../packages/hub/src/access/testing/test-device.ts";
import { SseParser } from "../packages/protocol/src/sse.ts";
import { createFreshen } from "../packages/recordings/src/replay/freshen.ts";
import { readRecorded } from "../packages/recordings/src/replay/recorded.ts";
import { EARSHOT } from "../tools/built-command.ts";
import { aopEvent, startHub } from "./hub/hub-process.ts";
import { type Body, eventually, linesOf, parsed, ROLLBACK, saveLines } from "./replay/recordings.ts";
import { serveReplay } from "./replay/serve-replay.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-replay-served-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const save = (name: string, lines: readonly string[]) => saveLines(join(folder, name), lines);

describe("a recording that is served as an AAEP producer", () => {
  // Served replays omit numbers, because a partial reader would miss some.
  const unnumbered = ({ sequence_number: _number, ...event }: Body): Body => event;
  const events = parsed(linesOf(ROLLBACK))
    .filter(({ event_id }) => event_id !== undefined)
    .map(unnumbered);

  it.each(["http", "ws"] as const)(
    "is heard by a subscriber of the SDK over %s, whole and in order, and takes no answer",
    async (transport) => {
      await using served = await serveReplay(ROLLBACK, "--serve", "aaep", "--speed", "50");
      const url = transport === "http" ? served.url : `${served.url.replace("http", "ws")}/ws`;
      const heard: Body[] = [];
      await using listener = subscribe(url, {
        supports_confirmation_reply: true,
        supported_conformance_levels: [1, 2, 3],
        coalesce_boundaries: ["none", "word", "sentence", "paragraph", "completion"],
        preferred_verbosity: "detailed",
        cognitive_load: "high",
      });
      const accepted = await listener.opened;
      expect(accepted?.honored_capabilities.supports_confirmation_reply).toBe(false);
      expect(accepted?.negotiation_notes).toContain("not taken");
      for await (const event of listener) {
        heard.push(event as unknown as Body);
        if (heard.length === events.length) break;
      }
      expect(heard).toEqual(events);
      if (transport === "http") {
        const reply = {
          type: "confirmation.reply",
          aaep_version: "1.0.0",
          reply_token: "rpl_1",
          decision: "accept",
          timestamp: "2026-01-01T00:00:00.000Z",
        };
        const refused = await fetch(`${served.url}/replies`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ ...reply, subscription_id: accepted?.subscription_id }),
        }).catch(() => undefined);
        // A reader's reply is acknowledged and has no effect. The replay may have just ended.
        if (refused !== undefined) expect(refused.status).toBe(202);
      }
      await listener.close();
      expect(await served.ended).toMatchObject({ code: 0 });
    },
    120_000,
  );

  it("is recorded by a hub that is attached to it, which asks nobody", async () => {
    await using hub = await startHub();
    const admin = await becomeAdmin(hub.url, hub.viewer());
    const { token } = await callJson(hub.url, "/api/tokens", { name: "Ana's phone", role: "approver", owner: "tests" }, admin);
    const approver = { authorization: `Bearer ${String(token)}` };
    await using served = await serveReplay(ROLLBACK, "--serve", "aaep", "--speed", "max", "--fresh", "--seed", "x", "--keep");
    await callJson(hub.url, "/api/attachments", { url: served.url }, approver);
    const freshen = createFreshen({ seed: "x" });
    const fresh = linesOf(ROLLBACK).flatMap((line, index) => {
      const read = readRecorded(line, index, undefined);
      return read === undefined || "damaged" in read || read.kind === "message" ? [] : [unnumbered(freshen(read).value as Body)];
    });
    const query = new URLSearchParams({ session: String(fresh[0]?.["session_id"]), source: served.url });
    const exported = await eventually(
      async () => parsed((await (await hub.get(`/api/export?${query}`)).text()).split("\n").filter((line) => line.startsWith("{"))),
      (all) => all.length >= fresh.length,
    );
    const timeless = (all: readonly Body[]) => all.map(({ timestamp: _time, ...rest }) => rest);
    expect(timeless(exported)).toEqual(timeless(fresh));
    const [first, last] = [exported[0]?.["timestamp"], exported.at(-1)?.["timestamp"]].map((text) => Date.parse(String(text)));
    expect(Math.abs((first ?? 0) - Date.now())).toBeLessThan(300_000);
    expect((last ?? 0) - (first ?? 0)).toBe(Date.parse(String(fresh.at(-1)?.["timestamp"])) - Date.parse(String(fresh[0]?.["timestamp"])));
    expect(await (await hub.get("/api/requests?state=open")).json()).toMatchObject({ open: 0 });
    expect(served.said()).toContain("that was all");
  }, 120_000);
});

describe("a recording that is served as an AOP collector", () => {
  const event = (sequence: number, type: string, payload: object) =>
    JSON.stringify({
      spec: "aop/1.0",
      session_id: "s 1",
      agent_id: "agent",
      sequence,
      timestamp: `2026-01-01T00:00:${String(sequence).padStart(2, "0")}.000Z`,
      type,
      payload,
    });
  const lines = [
    event(1, "session.started", { goal: "Find it." }),
    ...Array.from({ length: 40 }, (_, index) => event(index + 2, "cognition.thought", { content: "x".repeat(30_000) })),
    event(42, "session.ended", { outcome: "failed" }),
  ];

  it("is heard by a client of the stream, which resumes where it was cut off, and shown as sessions", async () => {
    const file = save("aop.jsonl", [lines[0] ?? "", "nonsense", ...linesOf(ROLLBACK).slice(0, 2), ...lines.slice(1)]);
    await using served = await serveReplay(file, "--serve", "aop", "--speed", "max", "--keep");
    const heard: Body[] = [];
    let lastId = "";
    for (let cuts = 0; heard.length < lines.length; cuts++) {
      const stop = new AbortController();
      const headers = { ...(lastId === "" ? {} : { "last-event-id": lastId }) };
      const response = await fetch(`${served.url}/stream`, { headers, signal: stop.signal });
      const parser = new SseParser();
      const decoder = new TextDecoder();
      reading: for await (const chunk of response.body ?? []) {
        for (const { data, id } of parser.feed(decoder.decode(chunk, { stream: true }))) {
          const frame = JSON.parse(data || "{}") as Body; // a heartbeat has an id alone
          if (frame["kind"] !== "event") continue;
          heard.push(frame["data"] as Body);
          lastId = id === "" ? lastId : id;
          if (heard.length === lines.length || (cuts < 3 && heard.length % 10 === 9)) break reading;
        }
      }
      stop.abort();
    }
    expect(heard).toEqual(parsed(lines));
    const { sessions } = (await (await fetch(`${served.url}/sessions`)).json()) as { sessions: readonly Body[] };
    expect(sessions).toMatchObject([{ id: "s 1", goal: "Find it.", status: "failed", ended_at: "2026-01-01T00:00:42.000Z" }]);
    const one = (await (await fetch(`${served.url}/sessions/s%201`)).json()) as { events: readonly Body[] };
    expect(one.events).toMatchObject(parsed(lines));
    const exported = await (await fetch(`${served.url}/sessions/s%201/export`)).text();
    expect(parsed(exported.trimEnd().split("\n"))).toMatchObject(parsed(lines));
    const decided = await fetch(`${served.url}/api/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(decided.status).toBe(401);
    expect((await fetch(`${served.url}/sessions/nobody`)).status).toBe(404);
  }, 120_000);
});

describe("what is captured from a replay is what was replayed", () => {
  const captured = (...words: readonly string[]) => {
    const out = join(folder, `captured-${words.join("-").replaceAll(/[^a-z0-9]+/gi, "-")}.jsonl`);
    const child = spawn(process.execPath, [EARSHOT, "capture", ...words, "-o", out], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
    }
    return once(child, "close").then(([code]) => ({ code, said, lines: linesOf(out) }));
  };

  it("from a producer: ids and times apart, which are the same fresh ones for the same seed", async () => {
    const freshen = createFreshen({ seed: "again" });
    const expected = linesOf(ROLLBACK).flatMap((line, index) => {
      const read = readRecorded(line, index, undefined);
      return read === undefined || "damaged" in read || read.kind === "message" ? [] : [freshen(read).value as Body];
    });
    await using served = await serveReplay(ROLLBACK, "--serve", "aaep", "--speed", "20", "--fresh", "--seed", "again");
    const { code, said, lines } = await captured(served.url, "--until-ended");
    expect([code, said]).toEqual([0, expect.anything()]);
    const plain = (all: readonly Body[]) => all.map(({ timestamp: _time, sequence_number: _number, ...event }) => event);
    expect(plain(parsed(lines))).toEqual(plain(expected));
  }, 120_000);

  it("from the served hub, and from another: every byte", async () => {
    const lines = Array.from({ length: 500 }, (_, index) => aopEvent({ session: `s${index % 3}`, sequence: Math.floor(index / 3) + 1 }));
    const ends = [0, 1, 2].map((one) =>
      aopEvent({ session: `s${one}`, sequence: 400 })
        .replace("cognition.thought", "session.ended")
        .replace('{"content":"So it is."}', '{"outcome":"completed"}'),
    );
    const file = save("three.jsonl", [...lines, ...ends]);
    await using served = await serveReplay(file, "--serve", "aop", "--speed", "max", "--wait", "0", "--keep");
    await eventually(async () => served.said().includes("that was all"), Boolean);
    const fromServed = join(folder, "from-served.jsonl");
    const env = { ...process.env, EARSHOT_HOME: join(folder, "nobody"), EARSHOT_URL: served.url };
    execFileSync(process.execPath, [EARSHOT, "export", "--all", "-o", fromServed], { env });
    expect(linesOf(fromServed)).toEqual([...lines, ...ends]);
    await using hub = await startHub();
    expect(hub.earshot("replay", file, "--speed", "max").status).toBe(0);
    const out = join(folder, "from-hub.jsonl");
    expect(hub.earshot("export", "--all", "-o", out)).toMatchObject({ status: 0 });
    expect(linesOf(out)).toEqual([...lines, ...ends]);
  }, 120_000);
});
