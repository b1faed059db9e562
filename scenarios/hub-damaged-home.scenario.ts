import { cpSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom, pause } from "./durability/kills.ts";
import { aopEvent, startHub } from "./hub/hub-process.ts";

/** The home of a killed hub with one damaged file. */
const base = mkdtempSync(join(tmpdir(), "earshot-base-"));
const EVENTS = 30;

beforeAll(async () => {
  await using hub = await startHub({ home: base });
  for (let sequence = 1; sequence <= EVENTS; sequence++) await hub.post("/v1/events", aopEvent({ session: "s", sequence }));
  await hub.kill("SIGKILL");
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const spoilt = (path: string) => writeFileSync(path, "garbage ".repeat(600));
const gone = (path: string) => rmSync(path);
const halved = (path: string) => truncateSync(path, statSync(path).size >> 1);

async function withHome<Result>(file: string, spoil: (path: string) => void, work: (home: string) => Promise<Result>): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), "earshot-damaged-"));
  try {
    cpSync(base, home, { recursive: true });
    spoil(join(home, file));
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

describe("a hub starts, and has everything, although", () => {
  it.each([
    ["its address file is nonsense", "address.json", spoilt],
    ["its viewer's credential is nonsense", "viewer.token", spoilt],
    ["the index of its log is nonsense", "ledger.db-shm", spoilt],
    ["its views are nonsense", "views.db", spoilt],
    ["its views are gone, but not their log", "views.db", gone],
    ["the file of seals is nonsense", "seals.jsonl", spoilt],
  ])("%s", async (_name, file, spoil) => {
    await withHome(file, spoil, async (home) => {
      await using hub = await startHub({ home });
      expect((await (await hub.get("/api/export?session=s")).text()).trim().split("\n")).toHaveLength(EVENTS);
      expect(await (await hub.get("/sessions/s")).json()).toMatchObject({ session: { id: "s" } });
      expect((await hub.post("/v1/events", aopEvent({ session: "s", sequence: EVENTS + 1 }))).status).toBe(200);
    });
  });
});

describe("a hub says in plain words that it cannot start when", () => {
  it.each([
    ["half of the ledger is gone", "ledger.db", halved, /is damaged/],
    ["the ledger is gone, but not its log", "ledger.db", gone, /-wal/],
    ["the ledger is another file", "ledger.db", spoilt, /no SQLite database/],
    ["the key of the seals is nonsense", "seal-key.pem", spoilt, /seal-key\.pem cannot be read/],
  ])("%s", async (_name, file, spoil, words) => {
    await withHome(file, spoil, async (home) => {
      const message = await startHub({ home }).then(
        (hub) => hub.kill().then(() => "It started."),
        (error: Error) => error.message,
      );
      expect(message).toMatch(words);
      expect(message).toContain("The hub ended with 2");
      expect(message).not.toMatch(/defect of Earshot|\bat .*\.[jt]s:\d+/);
    });
  });
});

describe("a hub that is killed while it starts for the first time", () => {
  it("leaves nothing that keeps the next one from starting", async () => {
    const random = createRandom(7);
    for (let round = 0; round < 3; round++) {
      const home = mkdtempSync(join(tmpdir(), "earshot-first-"));
      try {
        const starting = await startHub({ home, awaitsReady: false });
        await pause(150 + random() * 600);
        await starting.kill("SIGKILL");
        await using hub = await startHub({ home });
        expect(await (await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }))).json()).toMatchObject({ position: 1 });
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }
  });
});
