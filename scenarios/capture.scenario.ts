import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
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
}

interface Spoken {
  readonly said: readonly string[];
  readonly path: string;
  readonly words: (url: string) => readonly string[];
  readonly command?: "export";
}

/** A hub that is killed and started again while it receives events and is recorded. */
async function whileHubIsKilled({ said, path, words, command }: Spoken, look: (capture: CaptureProcess, hub: HubProcess) => Promise<void>) {
  const port = await freePort();
  const home = mkdtempSync(join(folder, "home-"));
  let hub = await startHub({ home, port });
  try {
    await using capture = new CaptureProcess(recording(), words(hub.url), { EARSHOT_HOME: home }, command);
    capture.start();
    await capture.until(() => capture.hasBegun, "it begins");
    await say(
      said,
      async (text) => (await hub.post(path, text)).ok,
      async (index) => {
        if (index % 150 !== 75) return;
        await hub.kill("SIGKILL");
        hub = await startHub({ home, port });
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
  ])("over %s has every event once and in order, while the producer is killed", async (_how, words) => {
    const said = aaepSession(LENGTH);
    await whileHubIsKilled({ said, path: "/aaep/v1/events", words }, (capture) => expectWhole(capture, said));
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
        await soon(2);
      }
      await expectWhole(capture, said);
      expect(capture.told).toContain("cut off");
      expect(capture.told).toContain("connected again");
    },
  );
});

describe("a capture of an AOP collector", () => {
  it("without ids and without resume has every event that it took, while the collector is killed", async () => {
    const port = await freePort();
    const kept = join(folder, "collected.jsonl");
    const url = `http://127.0.0.1:${port}`;
    let collector = await startCollector(port, kept);
    try {
      const said = aopSession(LENGTH);
      await using capture = new CaptureProcess(recording(), [url]);
      capture.start();
      await capture.until(() => capture.hasBegun, "it begins");
      await say(
        said,
        async (text) => (await post(`${url}/events`, text)).ok,
        async (index) => {
          if (index % 150 === 75) {
            collector.kill("SIGKILL");
            await once(collector, "close");
            collector = await startCollector(port, kept);
          }
        },
      );
      // The last post may have been taken by a collector that was killed before it could say so, and is said again.
      await expectWhole(capture, said);
    } finally {
      collector.kill("SIGKILL");
    }
  });

  it("that is a hub is resumed by its ids", async () => {
    const said = aopSession(LENGTH);
    await whileHubIsKilled({ said, path: "/events", words: (url) => [url, "--as", "aop"] }, async (capture) => {
      await expectWhole(capture, said);
    });
  });
});

describe("an export of a hub", () => {
  it("that follows has every event once and in order, while the hub is killed", async () => {
    const said = aopSession(LENGTH);
    await whileHubIsKilled(
      { said, path: "/events", words: () => ["--all", "--follow"], command: "export" as const },
      async (capture, hub) => {
        await expectWhole(capture, said);
        const one = new CaptureProcess(recording(), ["run-1", "--follow"], { EARSHOT_HOME: hub.home }, "export");
        one.start();
        expect(await one.ended()).toBe(0); // by itself: the session has ended
        expect(compare(one.lines(), said)).toEqual([]);
        const printed = hub.earshot("export", "--all");
        expect(printed.status).toBe(0);
        expect(compare(printed.stdout.split("\n").slice(0, -1), said)).toEqual([]);
      },
    );
  });
});

it("notices, as every test here does, when events are missing, doubled or in another order", () => {
  const said = aopSession(60);
  const [first = "", second = "", ...rest] = said;
  expect(compare([first, ...rest], said)[0]).toContain("missing");
  expect(compare([first, second, second, ...rest], said)[0]).toContain("2 times");
  expect(compare([second, first, ...rest], said)).toEqual(["in another order"]);
});

describe("a capture of a command", () => {
  const COMMAND = ["--", process.execPath, resolve("scenarios/capture/speaking-command.ts"), String(LENGTH)];

  it("has every event that it printed, and its exit code", async () => {
    await using capture = new CaptureProcess(recording(), COMMAND);
    capture.start();
    expect(await capture.ended()).toBe(0);
    expect(compare(capture.lines(), aaepSession(LENGTH))).toEqual([]);
    expect(capture.check().status).toBe(0);
    expect(capture.told).toContain("at work");
    expect(capture.told).toContain("the command ended with code 0");
  });

  it("that is an AAEP producer on its standard streams asks it first", async () => {
    const agent = resolve("scenarios/capture/stdio-producer.ts");
    await using capture = new CaptureProcess(recording(), ["--speaks", "aaep", "--", process.execPath, agent, "100"]);
    capture.start();
    expect(await capture.ended(), capture.told).toBe(0);
    expect(compare(capture.lines(), aaepSession(100))).toEqual([]);
  });
});

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
