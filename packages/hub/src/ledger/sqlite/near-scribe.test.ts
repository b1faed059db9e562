import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, it, vi } from "vitest";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { Submission } from "../ledger.ts";
import { openSealKey } from "../seal-key.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { verifyLedger } from "../verify.ts";
import { type Draft, openDraft } from "./draft.ts";
import { NearScribe } from "./near-scribe.ts";
import { SEAL_FILE } from "./open-desk.ts";
import { openLedgerFile } from "./open-file.ts";
import { openSqliteLedger } from "./open-ledger.ts";
import type { SqliteLedger } from "./sqlite-ledger.ts";
import { ThreadedScribe } from "./threaded-scribe.ts";

/** More than a lone one. */
const CROWD = 20;
/** By then a crowd is forgotten. */
const LATER_MS = 80;

const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });

function thought(session: number, sequence: number): Submission {
  const text = JSON.stringify({
    spec: "aop/1.0",
    session_id: `s${session}`,
    agent_id: "agent",
    sequence,
    timestamp: new Date(Date.UTC(2026, 0, 1) + sequence).toISOString(),
    type: sequence === 1 ? "session.started" : "cognition.thought",
    payload: sequence === 1 ? { goal: "To test." } : { content: `Thought ${sequence}.` },
  });
  const read = readSubmission(text, text.length, { name: "local", verified: false }, { receivedAt: 1, redacts: () => true });
  if (!read.ok) throw new Error(read.problem.message);
  return read.submission;
}

describe("a ledger that is written here and in the thread, in turns", () => {
  it("has one chain for each session, sealed as a whole, also when some of it was cut out", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "ledger.db");
    const sequences = new Map<number, number>();
    const next = (session: number) => {
      const sequence = (sequences.get(session) ?? 0) + 1;
      sequences.set(session, sequence);
      return thought(session, sequence);
    };
    const many = (howMany: number) => Array.from({ length: howMany }, (_, index) => next(index % 5));
    const sealEveryMs = 60; // while all of this goes on
    {
      await using ledger = openSqliteLedger(path, { lifecycle, now: Date.now, thread: true, sealEveryMs });
      await ledger.read({ after: 0, limit: 1 });
      for (let turn = 0; turn < 6; turn++) {
        for (let lone = 0; lone < 5; lone++) await ledger.append([next(lone % 3)]);
        await setTimeout(turn % 2 === 0 ? LATER_MS : 0);
        await ledger.append(many(CROWD));
        await ledger.append([next(1)]); // still a crowd
        await setTimeout(LATER_MS);
        await ledger.append([next(2)]);
        if (turn === 3) await cut(ledger, "s1");
        expect(await verify(folder.path)).toMatchObject({ ok: true });
      }
      await ledger.append([next(0)]);
    }
    expect(await verify(folder.path)).toMatchObject({ ok: true, unsealed: 0, tombstones: 1, sealFileBehind: 0 });
    await using again = openSqliteLedger(path, { lifecycle, now: Date.now, thread: true, sealEveryMs });
    const page = await again.read({ after: 0, limit: 1000 });
    const [first] = page.entries;
    const count = page.entries.length;
    const cutOut = 6 * (5 + CROWD + 2) + 1 - count;
    expect(page.entries.map(({ position }) => position).at(-1)).toBe(count + cutOut);
    expect([first?.position, page.entries.filter(({ flags }) => flags.length > 0)]).toEqual([1, []]);
    expect(cutOut).toBeGreaterThan(0);
  });

  it("does not let the log grow while only one speaks", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "ledger.db");
    await using ledger = openSqliteLedger(path, { lifecycle, now: Date.now, thread: true, sealEveryMs: 60_000 });
    await ledger.read({ after: 0, limit: 1 });
    for (let sequence = 1; sequence <= 1200; sequence++) await ledger.append([thought(0, sequence)]);
    expect(statSync(`${path}-wal`).size).toBeLessThan(6 * 1024 * 1024);
  });

  it("serves everybody else while the file is locked by somebody", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "ledger.db");
    await using ledger = openSqliteLedger(path, { lifecycle, now: Date.now, thread: true });
    await ledger.read({ after: 0, limit: 1 });
    await ledger.append([thought(0, 1)]);
    await setTimeout(2 * LATER_MS);
    const { db: other } = openLedgerFile(path);
    other.exec("BEGIN IMMEDIATE");
    let served = 0;
    const others = setInterval(() => served++, 5);
    const appending = ledger.append([thought(0, 2)]);
    await setTimeout(200);
    clearInterval(others);
    other.exec("COMMIT");
    other.close();
    expect(served).toBeGreaterThan(5);
    expect(await appending).toMatchObject([{ ok: true, position: 2 }]);
  });

  async function cut(ledger: SqliteLedger, id: string): Promise<void> {
    const [session] = await ledger.findSessions(id);
    if (session === undefined) throw new Error(`There is no session ${id}.`);
    expect(await ledger.cut(session, "deleted")).toBeGreaterThan(0);
  }

  function verify(folder: string) {
    return verifyLedger(join(folder, "ledger.db"), { publicKey: openSealKey(folder).publicKey, sealFile: join(folder, SEAL_FILE) });
  }
});

describe("a scribe nearby", () => {
  /** Whatever else the machine does. */
  const NEVER_SLOW = Number.POSITIVE_INFINITY;
  let position = 0;
  const draftOf = (howMany: number): Draft => {
    const draft = openDraft(position + 1, 0);
    if (position === 0) {
      draft.sources.push([1, "aop", "local"]);
      draft.sessions.push([1, 1, "s"]);
    }
    for (let count = 0; count < howMany; count++)
      draft.entries.push(++position, 1, 0, 0, 0, "cognition.thought", "agent", position, null, null, null, "{}");
    return draft;
  };

  async function open(folder: string, slowCommitMs: number) {
    position = 0;
    const path = join(folder, "ledger.db");
    const { db } = openLedgerFile(path);
    db.exec("PRAGMA busy_timeout = 0");
    const onFailure = (error: unknown) => {
      throw error;
    };
    const thread = new ThreadedScribe(path, { now: Date.now, sealEveryMs: 60_000, onFailure });
    const scribe = new NearScribe(db, thread, { slowCommitMs });
    await scribe.resumed;
    return {
      path,
      scribe,
      thread,
      count: () => Number(db.prepare("SELECT count(*) AS count FROM entry").get()?.["count"]),
      /** Pages that are not written back yet. */
      leftInLog: () => {
        const { log, checkpointed } = db.prepare("PRAGMA wal_checkpoint(NOOP)").get() ?? {};
        return Number(log) - Number(checkpointed);
      },
      /** Nobody has spoken for a while. */
      quiet: () => vi.waitFor(() => expect(scribe.isQuiet).toBe(true), 5000),
      [Symbol.asyncDispose]: () => scribe.close(),
    };
  }

  it("writes what comes alone at once, and leaves a crowd, and what comes soon after one, to the thread", async () => {
    using folder = temporaryFolder();
    await using desk = await open(folder.path, NEVER_SLOW);
    /** Whether it was in the file before anybody else could do anything. */
    const writesAtOnce = async (howMany: number) => {
      const before = desk.count();
      const writing = desk.scribe.write(draftOf(howMany));
      const isThere = desk.count() === before + howMany;
      expect(await writing).toMatchObject({ ok: true });
      expect(desk.count()).toBe(before + howMany);
      return isThere;
    };
    await desk.quiet();
    expect([await writesAtOnce(1), await writesAtOnce(4)]).toEqual([true, true]);
    expect([await writesAtOnce(CROWD), await writesAtOnce(1)]).toEqual([false, false]);
    await desk.quiet();
    expect(await writesAtOnce(1)).toBe(true);
    const filing = desk.scribe.write({ ...draftOf(1), files: true });
    const unfiled = desk.count();
    expect(await filing).toMatchObject({ ok: true });
    expect(desk.count()).toBe(unfiled + 1);
    expect(await writesAtOnce(1)).toBe(true); // it was no crowd
    const long = draftOf(1);
    long.states.push([1, position, "x".repeat(100_000)]);
    const before = desk.count();
    const writing = desk.scribe.write(long);
    expect(desk.count()).toBe(before);
    expect(await writing).toMatchObject({ ok: true });
  });

  it("does not write between two drafts that the thread has not written yet", async () => {
    using folder = temporaryFolder();
    await using desk = await open(folder.path, NEVER_SLOW);
    await desk.quiet();
    const crowd = desk.scribe.write(draftOf(CROWD));
    const lone = desk.scribe.write(draftOf(1));
    expect(desk.count()).toBe(0);
    expect([await crowd, await lone]).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it("leaves everything to the thread while the disk is slow, and comes back to it", async () => {
    using folder = temporaryFolder();
    await using desk = await open(folder.path, 8);
    await desk.quiet();
    await desk.scribe.write(draftOf(1));
    const program = `
      const { DatabaseSync } = require("node:sqlite");
      const { parentPort } = require("node:worker_threads");
      const db = new DatabaseSync(${JSON.stringify(desk.path)}, { timeout: 5000 });
      const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      parentPort.postMessage("busy");
      for (let round = 0; round < 8; round++) {
        db.exec("BEGIN IMMEDIATE");
        wait(100);
        db.exec("COMMIT");
        wait(2);
      }
      db.close();
    `;
    // Whoever else writes makes the commits slow.
    const other = new Worker(program, { eval: true });
    let isGone = false;
    const gone = once(other, "exit").then(() => {
      isGone = true;
    });
    await once(other, "message");
    while (desk.scribe.isQuiet && !isGone) {
      await desk.scribe.write(draftOf(1));
      await setTimeout(5); // the other one has its turn
    }
    expect(desk.scribe.isQuiet).toBe(false);
    await gone;
    for (let count = 0; count < 200 && !desk.scribe.isQuiet; count++) await desk.scribe.write(draftOf(1));
    await desk.quiet();
  });

  it("writes nothing before the thread has written back what a crowd left in the log", async () => {
    using folder = temporaryFolder();
    await using desk = await open(folder.path, NEVER_SLOW);
    const crowd = draftOf(CROWD);
    crowd.entries.splice(-1, 1, "x".repeat(6 * 1024 * 1024));
    expect(await desk.scribe.write(crowd)).toMatchObject({ ok: true });
    expect(desk.leftInLog()).toBeGreaterThan(1000);
    await desk.quiet();
    expect(desk.leftInLog()).toBe(0);
  });

  it("does not wait for somebody else who is writing: the thread does", async () => {
    using folder = temporaryFolder();
    await using desk = await open(folder.path, NEVER_SLOW);
    await desk.quiet();
    const { db: other } = openLedgerFile(desk.path);
    other.exec("BEGIN IMMEDIATE");
    const writing = desk.scribe.write(draftOf(1));
    // Whoever waited here would wait for ever: the other one ends below.
    await setTimeout(20);
    other.exec("COMMIT");
    other.close();
    expect(await writing).toMatchObject({ ok: true });
    expect(desk.count()).toBe(1);
  });

  it("lets the thread write nothing that stands on what could not be written here, and goes on with the next epoch", async () => {
    using folder = temporaryFolder();
    await using desk = await open(folder.path, NEVER_SLOW);
    await desk.quiet();
    expect(await desk.scribe.write(draftOf(1))).toMatchObject({ ok: true });
    position--; // the same position again
    const failing = desk.scribe.write(draftOf(1));
    const after = desk.scribe.write(draftOf(CROWD));
    expect([await failing, await after]).toMatchObject([{ ok: false }, { ok: false }]);
    expect(desk.count()).toBe(1);
    expect(await desk.scribe.write({ ...draftOf(1), epoch: 1 })).toMatchObject({ ok: true });
  });

  it("leaves the next draft to the thread when that has ended, so that somebody seals", async () => {
    using folder = temporaryFolder();
    await using desk = await open(folder.path, NEVER_SLOW);
    await desk.quiet();
    await desk.thread.close();
    expect(desk.scribe.isQuiet).toBe(false);
    expect(await desk.scribe.write(draftOf(1))).toMatchObject({ ok: true });
    await desk.quiet();
  });
});
