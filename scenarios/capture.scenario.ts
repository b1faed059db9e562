import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openLiveProducer } from "../packages/aaep/src/subscriber/testing/live-producer.ts";
import { CaptureProcess } from "./capture/capture-process.ts";
import { compare } from "./capture/compare.ts";
import { aaepSession, aopSession } from "./capture/events.ts";
import { freePort, type HubProcess, startHub } from "./hub/hub-process.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-capture-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LENGTH = 400;
let count = 0;
const recording = () => join(folder, `${++count}.jsonl`);
const soon = (ms = 5) => new Promise((later) => setTimeout(later, ms));

/** Says one text after the other until each is taken; before some of them something happens. */
async function say(texts: readonly string[], post: (text: string) => Promise<boolean>, before: (index: number) => Promise<void>) {
  for (const [index, text] of texts.entries()) {
    await before(index);
    for (let attempt = 0; !(await post(text).catch(() => false)); attempt++) {
      if (attempt > 2000) throw new Error(`Nobody takes ${text.slice(0, 100)}.`);
      await soon();
    }
    if (index % 10 === 0) await soon(10);
  }
}

/** The recording is what was said, and conforms. */
async function expectWhole(capture: CaptureProcess, said: readonly string[]): Promise<void> {
  await capture.until(() => capture.lines().length >= said.length, "every event is recorded");
  await capture.kill("SIGINT");
  expect(compare(capture.lines(), said)).toEqual([]);
  const { status, report } = capture.check();
  expect(status, report).toBe(0);
  expect(capture.side()).toMatchObject({ earshotCapture: 1, events: said.length, bytes: statSync(capture.recording).size });
}

/** A hub that is killed and started again, and a capture of it that is killed and started again, while it is spoken to. */
async function whileBothAreKilled(
  { said, path, words }: { readonly said: readonly string[]; readonly path: string; readonly words: (url: string) => readonly string[] },
  look: (capture: CaptureProcess, hub: HubProcess) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const home = mkdtempSync(join(folder, "home-"));
  let hub = await startHub({ home, port });
  try {
    await using capture = new CaptureProcess(recording(), words(hub.url), { EARSHOT_HOME: home });
    capture.start();
    await capture.until(() => capture.hasBegun, "it begins");
    await say(
      said,
      async (text) => (await hub.post(path, text)).ok,
      async (index) => {
        if (index % 150 === 75) {
          await hub.kill("SIGKILL");
          hub = await startHub({ home, port });
        }
        if (index % 150 === 120) {
          await capture.kill();
          capture.start();
        }
      },
    );
    await look(capture, hub);
  } finally {
    await hub[Symbol.asyncDispose]();
  }
}

describe("a capture of an AAEP producer", () => {
  it.each([
    ["server-sent events", (url: string) => [`${url}/aaep/v1`]],
    ["a WebSocket", (url: string) => [`${url.replace("http", "ws")}/aaep/v1/ws`]],
  ])("over %s has every event once and in order, while producer and capture are killed", async (_how, words) => {
    const said = aaepSession(LENGTH);
    await whileBothAreKilled({ said, path: "/aaep/v1/events", words }, (capture) => expectWhole(capture, said));
  });

  it.each([["url"], ["wsUrl"], ["socketUrl"]] as const)(
    "goes on when the connection is cut again and again, and when the producer begins anew: %s",
    async (kind) => {
      await using producer = await openLiveProducer();
      const said = aaepSession(LENGTH);
      await using capture = new CaptureProcess(recording(), [producer[kind]]);
      capture.start();
      await capture.until(() => producer.producer.size > 0, "it subscribes");
      for (const [index, text] of said.entries()) {
        producer.say(JSON.parse(text));
        if (index % 60 === 30) producer.cut();
        // Once it is cut off while nothing else happens; the other times it may be starting, or stopping.
        if (index === 30) await capture.until(() => capture.told.includes("connected again"), "it connects again");
        if (index === 200) await producer.restart();
        if (index % 150 === 140) {
          await capture.kill();
          capture.start();
        }
        await soon(2);
      }
      await expectWhole(capture, said);
      expect(capture.told).toContain("cut off");
      expect(capture.told).toContain("connected again");
      expect((capture.side() as { cuts: { count: number } }).cuts.count).toBeGreaterThan(0);
    },
  );
});

describe("a capture of an AOP collector", () => {
  it("without ids and without resume has every event that it took, while collector and capture are killed", async () => {
    const port = await freePort();
    const kept = join(folder, "collected.jsonl");
    const url = `http://127.0.0.1:${port}`;
    let collector = await startCollector(port, kept);
    try {
      const said = aopSession(LENGTH);
      await using capture = new CaptureProcess(recording(), [url]);
      capture.start();
      await say(
        swapped(said),
        async (text) => (await post(`${url}/events`, text)).ok,
        async (index) => {
          if (index % 150 === 75) {
            collector.kill("SIGKILL");
            await once(collector, "close");
            collector = await startCollector(port, kept);
          }
          if (index % 150 === 120) {
            await capture.kill();
            capture.start();
          }
        },
      );
      // The last post may have been taken by a collector that was killed before it could say so, and is said again.
      await expectWhole(capture, said);
      expect(capture.side()).toMatchObject({ source: { kind: "aop", name: url } });
    } finally {
      collector.kill("SIGKILL");
    }
  });

  it("that is a hub is resumed by its ids", async () => {
    const said = aopSession(LENGTH);
    await whileBothAreKilled({ said, path: "/events", words: (url) => [url, "--as", "aop"] }, async (capture) => {
      await expectWhole(capture, said);
      expect(capture.side()).toMatchObject({ source: { kind: "aop" }, resume: { lastEventId: expect.stringMatching(/^\d+$/) } });
    });
  });
});

describe("a capture of a hub", () => {
  it("goes on by position, while hub and capture are killed", async () => {
    const said = aopSession(LENGTH);
    await whileBothAreKilled({ said, path: "/events", words: (url) => [url] }, async (capture, hub) => {
      await expectWhole(capture, said);
      expect(capture.side()).toMatchObject({ source: { kind: "hub" } });

      const one = new CaptureProcess(recording(), ["--session", "run-1"], { EARSHOT_HOME: hub.home });
      one.start();
      expect(await one.ended()).toBe(0); // by itself: the session has ended
      expect(compare(one.lines(), said)).toEqual([]);
      expect(one.side()).toMatchObject({ state: "ended", source: { session: "run-1" } });
      one.start();
      expect(await one.ended()).toBe(0); // once more, with nothing to add
      expect(compare(one.lines(), said)).toEqual([]);
      if (process.platform !== "win32") expect(statSync(one.recording).mode & 0o777).toBe(0o600);

      const printed = hub.earshot("capture", "--all", "--no-follow");
      expect(printed.status).toBe(0);
      expect(compare(printed.stdout.split("\n").slice(0, -1), said)).toEqual([]);
    });
  });

  it("notices, as every test here does, when events are missing, doubled or in another order", async () => {
    const said = aopSession(60);
    await using hub = await startHub();
    for (const text of said.slice(0, 30)) await hub.post("/events", text);
    const capture = new CaptureProcess(recording(), ["--all", "--no-follow"], { EARSHOT_HOME: hub.home });
    capture.start();
    expect(await capture.ended()).toBe(0);
    expect(compare(capture.lines(), said.slice(0, 30))).toEqual([]);
    for (const text of said.slice(30)) await hub.post("/events", text);

    // A capture that claims to be further than it is.
    const side = capture.side() as { resume: { position: number } };
    const further = { ...side, resume: { position: side.resume.position + 5 } };
    writeFileSync(`${capture.recording}.capture.json`, JSON.stringify(further));
    capture.start();
    await capture.ended();
    expect(compare(capture.lines(), said)).toHaveLength(5);
    expect(compare(capture.lines(), said)[0]).toContain("missing");

    const [first = "", second = "", ...rest] = said;
    expect(compare([first, second, second, ...rest], said)[0]).toContain("2 times");
    expect(compare([second, first, ...rest], said)).toEqual(["in another order"]);
  });
});

describe("a capture of a command", () => {
  const COMMAND = ["--", process.execPath, resolve("scenarios/capture/speaking-command.ts"), String(LENGTH)];

  it("that is killed and run again has every event once", async () => {
    const said = aaepSession(LENGTH);
    await using capture = new CaptureProcess(recording(), COMMAND);
    for (const enough of [50, 150]) {
      capture.start();
      await capture.until(() => capture.lines().length >= enough, "some are recorded");
      await capture.kill();
    }
    appendFileSync(capture.recording, '{"@context":"https://aaep-prot'); // torn in the middle
    capture.start();
    expect(await capture.ended()).toBe(0);
    expect(compare(capture.lines(), said)).toEqual([]);
    expect(capture.check().status).toBe(0);
    expect(readFileSync(capture.recording, "utf8").endsWith("\n")).toBe(true);
    expect(capture.told).toContain("at work");
    expect(capture.told).toContain("the command ended with code 0");
    expect(capture.side()).toMatchObject({ state: "ended", runs: 3, events: LENGTH, exit: "the command ended with code 0" });
  });

  it("that is an AAEP producer on its standard streams asks it first", async () => {
    const agent = resolve("scenarios/capture/stdio-producer.ts");
    await using capture = new CaptureProcess(recording(), ["--speaks", "aaep", "--", process.execPath, agent, "100"]);
    capture.start();
    expect(await capture.ended(), capture.told).toBe(0);
    expect(compare(capture.lines(), aaepSession(100))).toEqual([]);
  });
});

/** Neighbours overtake each other, as posts do that nobody waits for. */
function swapped(texts: readonly string[]): readonly string[] {
  const all = [...texts];
  for (let index = 1; index + 2 < all.length; index += 3) {
    const [one, other] = [all[index], all[index + 1]];
    if (one === undefined || other === undefined) continue;
    all[index] = other;
    all[index + 1] = one;
  }
  return all;
}

async function startCollector(port: number, kept: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [resolve("scenarios/capture/small-collector.ts"), String(port), kept], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
}
