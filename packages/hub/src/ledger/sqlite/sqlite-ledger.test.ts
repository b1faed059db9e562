import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { conformanceRecording } from "../../../../protocol/testing/conformance.ts";
import type { CaptureLevel } from "../../intake/capture.ts";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { createReducer } from "../../intake/reduce-submission.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { Verdict } from "../../verdict.ts";
import { EngineLedger, type LedgerOptions } from "../engine-ledger.ts";
import { describeLedger, type LedgerStore } from "../ledger.contract.ts";
import type { SessionInfo, Submission } from "../ledger.ts";
import { openSealKey } from "../seal-key.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openLedgerFile } from "./open-file.ts";
import { openSqliteLedger } from "./open-ledger.ts";
import { SqliteEngine } from "./sqlite-engine.ts";
import { StoredHistory } from "./stored-history.ts";

describeLedger("the ledger on SQLite", async (): Promise<LedgerStore> => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  return {
    open: async (lifecycle) => openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: () => Date.UTC(2026, 0, 2) }),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

type LedgerSizes = Pick<LedgerOptions, "liveSessions">;

/** Plays interleaved recordings of all protocols and returns the verdicts. */
async function play(options: { readonly restart: boolean; readonly capture?: CaptureLevel } & LedgerSizes) {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const { restart, capture = "full", ...sizes } = options;
  const lifecycle = createLifecycle({ strict: false });
  const reduce = createReducer(() => ({ redact: true, capture }));
  const open = () => openSqliteLedger(join(folder, "ledger.db"), { lifecycle, reduce, now: Date.now, ...sizes });
  try {
    let ledger = open();
    const told: unknown[] = [];
    for (const [index, { text, source }] of interleaved().entries()) {
      const read = readSubmission(text, text.length, { name: source, verified: false }, { receivedAt: index, redacts: () => true });
      const verdict: Verdict | undefined = read.ok ? (await ledger.append([read.submission]))[0] : read;
      told.push(verdict?.ok === true ? verdict.flags : verdict?.problem);
      if (!restart || index % 2 !== 0) continue;
      await ledger.close();
      ledger = open();
    }
    await ledger.close();
    return told;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function submit(value: object, protocol?: ProtocolName): Submission {
  const text = JSON.stringify(value);
  const origin = { name: "local", verified: false, ...(protocol === undefined ? {} : { protocol }) };
  const read = readSubmission(text, text.length, origin, { receivedAt: 1, redacts: () => true });
  if (!read.ok) throw new Error(read.problem.message);
  return read.submission;
}

function started(session: string, number: number): Submission {
  const time = "2026-05-09T12:00:01.000Z";
  return submit({
    aep_version: "0.1",
    id: `evt_${number}`,
    type: "session.start",
    time,
    agent: { slug: "claude" },
    session: { id: session },
  });
}

function interleaved(): readonly { readonly text: string; readonly source: string }[] {
  const valid = ["aaep", "aep", "aop"].flatMap((protocol) => [1, 7].map((number) => `${protocol}/valid/generated-${number}`));
  const broken = ["aaep/invalid/appendix-a8-5", "aep/invalid/one-outcome", "aop/invalid/nothing-after-ended"];
  const queues = [...valid, ...broken].map((source) => ({ source, lines: conformanceRecording(source).trim().split("\n") }));
  const all: { text: string; source: string }[] = [];
  for (let index = 0; queues.some(({ lines }) => index < lines.length); index++) {
    for (const { source, lines } of queues) if (index < lines.length) all.push({ source, text: lines[index] ?? "" });
  }
  return all;
}

describe("a session on SQLite", () => {
  it.each(["full", "summary", "minimal"] as const)("is judged the same after any restart, with capture %s", async (capture) => {
    const without = await play({ restart: false });
    expect(without.flat()).not.toEqual([]);
    expect(await play({ restart: true, capture })).toEqual(without);
  });

  it("is judged the same when it has to make room for others all the time", async () => {
    expect(await play({ restart: false, liveSessions: 1 })).toEqual(await play({ restart: false }));
  });
});

it("recognises what comes again among a thousand others: what was said before a restart, since, and at its beginning", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const lifecycle = createLifecycle({ strict: false });
  const open = () => openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now });
  const event = (number: number) => started(`s${number % 3}`, number);
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  try {
    await using before = open();
    for (const number of numbers(0, 500)) await before.append([event(number)]);
    await before.close();
    await using ledger = open();
    for (const number of numbers(500, 1000)) await ledger.append([event(number)]);
    const again = await ledger.append(numbers(0, 1000).map(event));
    expect(again).toMatchObject(numbers(0, 1000).map((number) => ({ ok: true, duplicate: true, position: number + 1 })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function heartbeat(session: string, sequence: number): Submission {
  return submit({
    spec: "aop/1.0",
    session_id: session,
    agent_id: "a",
    sequence,
    timestamp: "2026-05-09T12:00:01.000Z",
    type: "session.heartbeat",
    payload: { status: "running", note: sequence },
  });
}

it("reads the sessions that share an id together, in order, from page to page", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const lifecycle = createLifecycle({ strict: false });
  try {
    await using ledger = openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now });
    const expected: number[] = [];
    for (let number = 1; number <= 30; number++) {
      for (const name of ["one", "other", "third"]) {
        const submission = {
          ...heartbeat(number % 4 === 0 ? "else" : "s", number),
          source: { protocol: "aop", name, verified: false } as const,
        };
        const [verdict] = await ledger.append([submission]);
        if (number % 4 !== 0 && verdict?.ok === true) expected.push(verdict.position);
      }
    }
    const found: number[] = [];
    for (let after = 0; ; ) {
      const page = await ledger.read({ after, limit: 7, filter: { session: "s" } });
      found.push(...page.entries.map(({ position }) => position));
      if (page.entries.length === 0) break;
      after = page.upTo;
    }
    expect(found).toEqual(expected);
    await using history = new StoredHistory(join(folder, "ledger.db"));
    const { entries } = await history.read({ after: 0, limit: 1000, filter: { session: "s" } });
    expect(entries.map(({ position }) => position)).toEqual(expected);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("finds what a process that died had stored: when it comes again, by number and by session", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const lifecycle = createLifecycle({ strict: false });
  const both = (number: number) => [heartbeat("s1", number), started("s2", number)];
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  try {
    await using dying = openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now, checkpointMs: 1e6 });
    for (const number of numbers) await dying.append(both(number));
    const copy = join(folder, "copy");
    mkdirSync(copy);
    for (const name of ["ledger.db", "ledger.db-wal"]) copyFileSync(join(folder, name), join(copy, name));
    await using ledger = openSqliteLedger(join(copy, "ledger.db"), { lifecycle, now: Date.now });
    const again = await ledger.append(numbers.flatMap(both));
    expect(again).toMatchObject(numbers.flatMap((n) => [1, 0].map((back) => ({ ok: true, duplicate: true, position: n * 2 - back }))));
    for (const id of ["s1", "s2"]) {
      const [session] = await ledger.findSessions(id);
      if (session === undefined) throw new Error(`There is no session ${id}.`);
      const { entries } = await ledger.readSession({ session, limit: 100 });
      expect(entries.map(({ position }) => position)).toEqual(numbers.map((n) => n * 2 - (id === "s1" ? 1 : 0)));
      expect((await ledger.read({ after: 0, limit: 100, filter: { session: id } })).entries).toHaveLength(40);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("puts an answer into the session of what it answers, also when many were asked since", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const lifecycle = createLifecycle({ strict: false });
  const count = 600;
  try {
    await using ledger = openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now });
    for (let number = 0; number < count; number++) {
      await ledger.append([asked(number)]);
      if (number % 2 === 0) await ledger.append([answered(number)]);
    }
    for (let number = 1; number < count; number += 2) await ledger.append([answered(number)]);
    const entries = [];
    for (let after = 0; after < 2 * count; after = entries.at(-1)?.position ?? after) {
      entries.push(...(await ledger.read({ after, limit: 500 })).entries);
    }
    const messages = entries.filter(({ kind }) => kind === "message");
    expect(messages.map(({ session }) => session).sort()).toEqual(Array.from({ length: count }, (_, number) => `s${number}`).sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("puts an answer into no session where what it answers was cut a moment ago", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const lifecycle = createLifecycle({ strict: false });
  try {
    await using ledger = openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now });
    await ledger.append([asked(1), asked(2)]);
    const [session] = await ledger.findSessions("s1");
    await ledger.cut(session as SessionInfo, "deleted");
    await ledger.append([answered(1), answered(2)]);
    const { entries } = await ledger.read({ after: 2, limit: 10 });
    expect(entries.map(({ kind, session }) => [kind, session])).toEqual([
      ["message", ""],
      ["message", "s2"],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("knows nothing of what was cut, also where its rows could not be removed yet", async () => {
  using folder = temporaryFolder();
  const path = folder.file("ledger.db");
  const engine = new SqliteEngine(openLedgerFile(path).db);
  engine.deleteCut = () => Promise.reject(new Error("The disk is gone."));
  const lifecycle = createLifecycle({ strict: false });
  const checkpoints = { key: openSealKey(folder.path), file: folder.file("seals.jsonl") };
  await using ledger = new EngineLedger(engine, checkpoints, { lifecycle, now: Date.now });
  await ledger.append([asked(1), heartbeat("s", 1), heartbeat("s", 1)]);
  const [session] = await ledger.findSessions("s1");
  const [numbered] = await ledger.findSessions("s");
  await expect(ledger.cut(session as SessionInfo, "deleted")).rejects.toThrow();
  await expect(ledger.cut(numbered as SessionInfo, "deleted")).rejects.toThrow();
  expect((await ledger.read({ after: 0, limit: 5 })).entries).toEqual([]);
  expect(await ledger.findSessions("s1")).toEqual([]);
  expect(await ledger.append([heartbeat("s", 1), asked(1)])).toMatchObject([{ duplicate: false }, { duplicate: false }]);
  await ledger.append([answered(2)]);
  const { entries } = await ledger.read({ after: 0, limit: 5 });
  expect(entries.map(({ kind, session }) => [kind, session])).toEqual([
    ["event", "s"],
    ["event", "s1"],
    ["message", ""],
  ]);
});

function asked(number: number): Submission {
  return submit(
    {
      aep_version: "0.1",
      id: `evt_${number}`,
      type: "action.requested",
      time: "2026-05-09T12:00:01.000Z",
      agent: { slug: "claude" },
      session: { id: `s${number}` },
      action: { type: "tool_call", id: `call_${number}` },
      tool: { name: "Bash", type: "native" },
    },
    "aep",
  );
}

function answered(number: number): Submission {
  return submit(
    {
      aep_version: "0.1",
      id: `rsp_${number}`,
      request_event_id: `evt_${number}`,
      time: "2026-05-09T12:00:01.000Z",
      control: { behavior: "deny" },
      decision: { outcome: "denied", by: "user" },
    },
    "aep",
  );
}

it("signs at its start what a killed process has left unsigned", async () => {
  using folder = temporaryFolder();
  const lifecycle = createLifecycle({ strict: false });
  const open = () => openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: () => 1, checkpointMs: 1e6 });
  await using killed = open();
  await killed.append([heartbeat("s", 1)]);
  const copy = folder.file("copy.db");
  for (const name of ["", "-wal"]) copyFileSync(`${folder.file("ledger.db")}${name}`, `${copy}${name}`);
  await using ledger = openSqliteLedger(copy, { lifecycle, now: () => 1, checkpointMs: 1e6 });
  await ledger.head();
  using file = new DatabaseSync(copy, { readOnly: true });
  expect(file.prepare("SELECT up_to FROM seal").all()).toEqual([{ up_to: 1 }]);
});
