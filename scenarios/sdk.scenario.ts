import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freePort, type HubProcess, startHub } from "./hub/hub-process.ts";
import { startAgent } from "./sdk/agent-process.ts";
import { startCollector } from "./sdk/collector.ts";

/** Agents as processes, real hubs, real files. */
interface Said {
  readonly type: string;
  readonly sequence: number;
  readonly payload: { readonly content?: string; readonly outcome?: string; readonly [key: string]: unknown };
}

function temporary(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "earshot-home-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

async function exported(hub: HubProcess, session: string): Promise<Said[]> {
  const text = await (await hub.get(`/api/export?session=${session}`)).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Said);
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("an agent with the SDK", () => {
  it("is heard by the user's hub, and says nothing that the checker minds", async () => {
    await using hub = await startHub();
    const agent = startAgent(hub.home, ["flushes", 20]);
    const { code, stderr } = await agent.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const session = await agent.sessionId;
    const recording = hub.earshot("export", session).stdout;
    expect((await exported(hub, session)).map(({ sequence }) => sequence)).toEqual(upTo(22));
    const path = join(hub.home, "run.jsonl");
    writeFileSync(path, recording);
    // Strict: warnings count as failures.
    expect(hub.earshot("check", path, "--strict")).toMatchObject({ status: 0, stderr: "" });
  });

  it("loses nothing and says nothing twice when the hub is killed while it speaks", async () => {
    using home = temporary();
    const port = await freePort();
    await using hubs = new AsyncDisposableStack();
    const start = async () => hubs.use(await startHub({ home: home.path, port }));
    let last = await start();
    const agent = startAgent(home.path, ["flushes", 2500, 2]);
    const session = await agent.sessionId;
    for (let kill = 0; kill < 2; kill++) {
      for (const before = await heard(last); (await heard(last)) < before + 20; ) await new Promise((resolve) => setTimeout(resolve, 5));
      await last.kill("SIGKILL");
      last = await start();
    }
    const { code, stdout } = await agent.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout.split("\n")[1] ?? "")).toMatchObject({ emitted: 2502, dropped: 0, refused: 0, waiting: 0 });
    const said = await exported(last, session);
    expect(said.map(({ sequence }) => sequence)).toEqual(upTo(2502));
    expect(said.slice(1, -1).map(({ payload }) => payload.content)).toEqual(upTo(2500).map((number) => `Thought ${number}.`));
    expect(await heard(last)).toBe(2502);
    expect(await arrivals(last, 2502)).toEqual(upTo(2502));
    expect(readdirSync(join(home.path, "spool", "local"))).toEqual([]);
  });

  it("never gives one receiver what was meant for another", async () => {
    using home = temporary();
    const agent = startAgent(home.path, ["returns", 10], "http://127.0.0.1:9");
    expect((await agent.ended).code).toBe(0);
    await using hub = await startHub({ home: home.path });
    await startAgent(home.path, ["delivers"]).ended;
    expect(await heard(hub)).toBe(0);
  });

  it("delivers what several dead agents left, also when several living ones want to", async () => {
    using home = temporary();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const agents = [1, 2, 3].map(() => startAgent(home.path, ["returns", 400], url));
    for (const agent of agents) expect((await agent.ended).code).toBe(0);
    await using hub = await startHub({ home: home.path, port });
    await Promise.all([1, 2, 3].map(() => startAgent(home.path, ["delivers"], url).ended));
    for (const agent of agents) {
      expect((await exported(hub, await agent.sessionId)).map(({ sequence }) => sequence)).toEqual(upTo(402));
    }
    expect(await heard(hub)).toBe(3 * 402);
  });

  it("says how it ended, however it ended, and ends as it would have without us", async () => {
    await using hub = await startHub();
    const endings = [
      { how: "throws", code: 1, signal: null, stderr: "The disk is on fire.", outcome: "failed", error: "The disk is on fire." },
      { how: "rejects", code: 1, signal: null, stderr: "Nobody caught this.", outcome: "failed", error: "Nobody caught this." },
      { how: "exits", code: 3, signal: null, stderr: "", outcome: "failed", error: "The process ended with exit code 3." },
      { how: "forgets", code: 0, signal: null, stderr: "", outcome: "completed", error: undefined },
      { how: "waits", code: null, signal: "SIGTERM", stderr: "", outcome: "cancelled", error: undefined },
      { how: "waits", code: null, signal: "SIGINT", stderr: "", outcome: "cancelled", error: undefined },
      { how: "handles", code: 0, signal: null, stderr: "", outcome: "completed", error: undefined },
    ] as const;
    const agents = endings.map(({ how, signal }) => {
      const agent = startAgent(hub.home, [how, 5]);
      void agent.ready.then(() => agent.child.kill(signal ?? "SIGTERM"));
      return agent;
    });
    for (const [index, agent] of agents.entries()) {
      const { code, signal, stderr } = await agent.ended;
      const expected = endings[index];
      expect({ code, signal }).toEqual({ code: expected?.code, signal: expected?.signal });
      expect(stderr).toContain(expected?.stderr);
    }
    await startAgent(hub.home, ["delivers"]).ended;
    for (const [index, agent] of agents.entries()) {
      const said = await exported(hub, await agent.sessionId);
      const { how, outcome, error } = endings[index] ?? {};
      expect(
        said.map(({ sequence }) => sequence),
        how,
      ).toEqual(upTo(7));
      const { payload } = said.at(-1) ?? {};
      expect(payload, how).toMatchObject({ outcome, metadata: { total_cost_usd: 0.125 } });
      expect(payload?.["error_message"], how).toBe(error);
    }
  });

  it("does not stand in the way of a library that raises the signal again", async () => {
    using home = temporary();
    const agent = startAgent(home.path, ["raises-again", 5], "http://127.0.0.1:9");
    await agent.ready;
    agent.child.kill("SIGTERM");
    expect(await agent.ended).toMatchObject({ code: null, signal: "SIGTERM" });
  });

  it("speaks to any other collector one event at a time, in order", async () => {
    using home = temporary();
    await using collector = await startCollector();
    const agent = startAgent(home.path, ["flushes", 50], collector.url);
    const { code, stdout } = await agent.ended;
    expect(code).toBe(0);
    const { delivered, lost, waiting } = JSON.parse(stdout.split("\n")[1] ?? "") as Record<string, number>;
    // On a busy machine an answer may take more than 500 ms; no event may arrive twice.
    expect({ waiting, heard: (delivered ?? 0) + (lost ?? 0) }).toEqual({ waiting: 0, heard: 52 });
    const sequences = collector.events.map(({ sequence }) => sequence);
    expect(sequences).toEqual(upTo(52).filter((sequence) => sequences.includes(sequence)));
    expect(sequences.length).toBeGreaterThanOrEqual(delivered ?? 0);
    const posts = collector.requests.filter(({ method }) => method === "POST");
    expect(posts).toEqual(posts.map(() => ({ method: "POST", url: "/events", contentType: "application/json" })));
  });

  it("is shown by the example, which checks its own outcome", () => {
    const words = ["examples/aop-agent/main.ts"];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("The hub heard 20 events");
  });

  it("ends although a listener accepts connections and never answers", async () => {
    using home = temporary();
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const agent = startAgent(home.path, ["returns", 100], `http://127.0.0.1:${port}`);
    expect((await agent.ended).code).toBe(0);
    server.close();
    await using hub = await startHub({ home: home.path, port });
    await startAgent(home.path, ["delivers"], hub.url).ended;
    expect((await exported(hub, await agent.sessionId)).map(({ sequence }) => sequence)).toEqual(upTo(102));
  });
});

/** Number of the hub's entries. */
async function heard(hub: HubProcess): Promise<number> {
  const { head } = (await (await hub.get("/api/status")).json()) as { readonly head: number };
  return head;
}

/** The sequence numbers of all events in stored order. */
async function arrivals(hub: HubProcess, count: number): Promise<number[]> {
  const response = await hub.get("/api/live?after=0");
  const found: number[] = [];
  let rest = "";
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    const lines = (rest + Buffer.from(chunk).toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith('data: {"position"')) continue;
      const { sequence } = JSON.parse(line.slice(6)) as { readonly sequence: number };
      found.push(sequence);
    }
    if (found.length >= count) break;
  }
  return found;
}
