import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createPinVerifier } from "../packages/hub/src/access/pin-key.ts";
import { createCollectorDatabase } from "../packages/recordings/src/import/testing/collector.ts";
import { EARSHOT } from "../tools/built-command.ts";
import { aopEvent, type HubProcess, startHub } from "./hub/hub-process.ts";

/** Retention as users meet it: commands, processes, files. */
const PIN = "a pin of tests";

function temporary(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "earshot-keeping-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function earshotIn(home: string, args: readonly string[], input = "") {
  const env = { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "" };
  return spawnSync(process.execPath, [EARSHOT, ...args], { env, input, encoding: "utf8", timeout: 60_000 });
}

async function setPin(hub: HubProcess): Promise<void> {
  const headers = { ...hub.viewer(), "content-type": "application/json" };
  const response = await fetch(`${hub.url}/api/first-pin`, {
    method: "POST",
    headers,
    body: JSON.stringify({ pin: await createPinVerifier(PIN) }),
  });
  expect(response.status).toBe(200);
}

/** Sends events until told to stop; returns the number acknowledged and the longest wait. */
function speakOn(hub: HubProcess, session: string) {
  let stopped = false;
  let acknowledged = 0;
  const waits: number[] = [];
  const speaking = (async () => {
    while (!stopped) {
      const began = performance.now();
      const response = await hub.post("/v1/events", aopEvent({ session, sequence: acknowledged + 1 }));
      expect(response.status).toBe(200);
      waits.push(performance.now() - began);
      acknowledged++;
    }
  })();
  return async () => {
    stopped = true;
    await speaking;
    return { acknowledged, longestMs: Math.max(...waits) };
  };
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Asynchronous, so that the events of this process continue. */
async function run(home: string, args: readonly string[], input = ""): Promise<Ran> {
  const child = spawn(process.execPath, [EARSHOT, ...args], { env: { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "" } });
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, stdout, stderr };
}

async function lines(hub: HubProcess, session: string): Promise<readonly string[]> {
  const exported = await (await hub.get(`/api/export?session=${session}`)).text();
  return exported.trim().split("\n");
}

async function say(hub: HubProcess, session: string, events: number, content = "So it is."): Promise<void> {
  const said = Array.from({ length: events }, (_, index) => aopEvent({ session, sequence: index + 1, payload: { content } }));
  const response = await hub.post("/v1/events", `${said.join("\n")}\n`, "application/x-ndjson");
  expect(await response.json()).toMatchObject({ stored: events });
}

describe("what is kept", () => {
  it("comes in from a collector's database of 5,000 rows, once, however often it is imported", async () => {
    using folder = temporary();
    const path = join(folder.path, "events.db");
    const rows = Array.from({ length: 5000 }, (_, index) => ({ session: `s${index % 20}`, sequence: Math.floor(index / 20) + 1 }));
    createCollectorDatabase(path, rows).close();
    expect(earshotIn(folder.path, ["import", path]).stderr).toContain("earshot start");
    await using hub = await startHub();
    const first = hub.earshot("import", path, "--json");
    expect(JSON.parse(first.stdout)).toMatchObject({ files: [{ events: 5000, stored: 5000, known: 0, refused: 0, damaged: 0 }] });
    const second = hub.earshot("import", path);
    expect(second.stdout).toContain("0 stored, 5,000 there already");
    expect(second.status).toBe(0);
    expect(await lines(hub, "s7")).toHaveLength(250);
    expect(hub.earshot("hub", "verify").stdout).toContain("5,000 entries");
  }, 120_000);

  it("is said to go after 30 days or 2 GB when a ledger is made, and only then", async () => {
    using home = temporary();
    for (const isNew of [true, false]) {
      await using hub = await startHub({ home: home.path });
      await expect.poll(() => hub.log()).toContain("Data is stored in");
      expect(hub.log().includes("30 days or 2 GB")).toBe(isNew);
      await hub.kill();
    }
  }, 120_000);

  it("is pruned while others speak: nothing that should stay is lost, and only an admin may", async () => {
    await using hub = await startHub();
    await setPin(hub);
    for (let session = 0; session < 5; session++) await say(hub, `old-${session}`, 1500, "x".repeat(1000));
    const before = statSync(join(hub.home, "ledger.db")).size;
    const headers = { ...hub.viewer(), "content-type": "application/json" };
    expect((await fetch(`${hub.url}/api/prune`, { method: "POST", headers, body: '{"session":"old-0"}' })).status).toBe(403);
    const stop = speakOn(hub, "busy");
    const plan = await run(hub.home, ["hub", "prune", "--session", "old-1", "--dry-run"]);
    expect(plan.stdout).toContain("1,500 entries of 1 session");
    for (let session = 0; session < 4; session++) {
      const pruned = await run(hub.home, ["hub", "prune", "--session", `old-${session}`, "--yes", "--pin-stdin", "--json"], `${PIN}\n`);
      expect([pruned.stderr, pruned.status]).toEqual(["", 0]);
      expect(JSON.parse(pruned.stdout)).toMatchObject({ entries: 1500, sessions: 1 });
    }
    const { acknowledged } = await stop();
    expect(await lines(hub, "busy")).toHaveLength(acknowledged);
    expect(await lines(hub, "old-4")).toHaveLength(1500);
    expect((await hub.get("/api/export?session=old-0")).status).toBe(404);
    expect(hub.earshot("hub", "verify").stdout).toMatch(/verifies.*4 tombstones/);
    await hub.kill();
    expect(statSync(join(hub.home, "ledger.db")).size).toBeLessThan(Math.max(before, 8_000_000));
    const alone = earshotIn(hub.home, ["hub", "prune", "--session", "old-4", "--yes"]);
    expect([alone.status, alone.stdout]).toEqual([0, expect.stringContaining("1,500 entries of 1 session")]);
    expect(earshotIn(hub.home, ["hub", "verify"]).status).toBe(0);
  }, 180_000);

  it("is pruned to the end after kill -9 in the middle, and verifies all the time", async () => {
    using home = temporary();
    for (let round = 0; round < 3; round++) {
      await using hub = await startHub({ home: home.path });
      if (round === 0) await setPin(hub);
      await say(hub, `old-${round}`, 4000, "x".repeat(500));
      await say(hub, `kept-${round}`, 100);
      const pruning = run(hub.home, ["hub", "prune", "--session", `old-${round}`, "--yes", "--pin-stdin"], `${PIN}\n`);
      // As soon as part of it is removed.
      await expect.poll(async () => (await lines(hub, `old-${round}`)).length, { interval: 1 }).toBeLessThan(4000);
      await hub.kill("SIGKILL");
      await pruning;
      expect(earshotIn(home.path, ["hub", "verify"]).status).toBe(0);
    }
    await using hub = await startHub({ home: home.path });
    for (let round = 0; round < 3; round++) {
      expect((await hub.get(`/api/export?session=old-${round}`)).status).toBe(404);
      expect(await lines(hub, `kept-${round}`)).toHaveLength(100);
    }
    expect(hub.earshot("hub", "verify").stdout).toMatch(/verifies: 301 entries.*3 tombstones/);
  }, 180_000);

  it("is copied while others speak, verifies, and can be put back", async () => {
    using folder = temporary();
    const copy = join(folder.path, "copy");
    await using hub = await startHub();
    await say(hub, "first", 3000, "x".repeat(1000));
    const stop = speakOn(hub, "busy");
    const made = await run(hub.home, ["hub", "backup", copy]);
    const { acknowledged } = await stop();
    expect([made.stderr, made.status]).toEqual(["", 0]);
    expect(made.stdout).toContain("verifies");
    expect(acknowledged).toBeGreaterThan(5);
    expect((await run(hub.home, ["hub", "backup", copy])).status).toBe(2);
    expect((await run(hub.home, ["hub", "backup", "--verify", copy])).status).toBe(0);
    await say(hub, "later", 10);
    await hub.kill();
    for (const rest of ["ledger.db-wal", "ledger.db-shm"]) rmSync(join(hub.home, rest), { force: true });
    for (const name of ["ledger.db", "seals.jsonl"]) copyFileSync(join(copy, name), join(hub.home, name));
    await using restored = await startHub({ home: hub.home });
    expect(await lines(restored, "first")).toHaveLength(3000);
    expect((await restored.get("/api/export?session=later")).status).toBe(404);
    expect(restored.earshot("hub", "verify").status).toBe(0);
    expect((await restored.post("/v1/events", aopEvent({ session: "after", sequence: 1 }))).status).toBe(200);
    expect(await (await restored.get("/sessions/later")).json()).toMatchObject({ code: "NOT_FOUND" });
  }, 120_000);

  it("is erased beyond recovery, and the ledger still verifies", async () => {
    const canary = "the yellow canary sings at 4711";
    await using hub = await startHub();
    await setPin(hub);
    const first = await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1, payload: { goal: canary } }));
    const { position } = (await first.json()) as { readonly position: number };
    await say(hub, "other", 50);
    const next = await hub.post("/v1/events", aopEvent({ session: "s", sequence: 2 }));
    expect(next.status).toBe(200);
    await hub.post("/v1/events", `{"cut off": "${canary}`);
    const told = async () => JSON.stringify(await (await hub.get("/sessions/s")).json());
    await expect.poll(told).toContain(canary);
    const places = () =>
      readdirSync(hub.home, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(canary))
        .map(({ name }) => name);
    expect(places()).not.toEqual([]);
    expect((await run(hub.home, ["hub", "erase", String(position)])).status).toBe(2); // there is nobody to ask
    const erased = await run(hub.home, ["hub", "erase", String(position), "--yes", "--pin-stdin"], `${PIN}\n`);
    expect(erased.stdout).toContain(`position ${position} is erased`);
    expect(places()).toEqual([]);
    expect(await told()).not.toContain(canary);
    expect(await lines(hub, "s")).toHaveLength(1);
    expect(hub.earshot("hub", "verify").status).toBe(0);
    await hub.kill();
    expect(places()).toEqual([]);
    expect(earshotIn(hub.home, ["hub", "verify"]).status).toBe(0);
  }, 120_000);
});
