import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { conformanceRecording } from "../../../../protocol/testing/conformance.ts";
import type { CaptureLevel } from "../../intake/capture.ts";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { createReducer } from "../../intake/source-settings.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { Verdict } from "../../verdict.ts";
import { EngineLedger, type LedgerOptions } from "../engine-ledger.ts";
import { describeLedger, type LedgerStore } from "../ledger.contract.ts";
import type { SessionInfo, Submission } from "../ledger.ts";
import { openSealKey } from "../seal-key.ts";
import { toAepText, toAopText, toSubmission } from "../testing/submissions.ts";
import { temporaryTestFolder } from "../testing/temporary-folder.ts";
import { openLedgerFile } from "./open-file.ts";
import { openSqliteLedger } from "./open-ledger.ts";
import { SqliteEngine } from "./sqlite-engine.ts";
import { StoredHistory } from "./stored-history.ts";

describeLedger("the ledger on SQLite", async (): Promise<LedgerStore> => {
  const folder = temporaryTestFolder();
  return {
    open: async (lifecycle) => openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: () => Date.UTC(2026, 0, 2) }),
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
});

type LedgerSizes = Pick<LedgerOptions, "liveSessions">;

/** Plays interleaved recordings of all protocols and returns the verdicts. */
async function play(options: { readonly restart: boolean; readonly capture?: CaptureLevel } & LedgerSizes) {
  using folder = temporaryTestFolder();
  const { restart, capture = "full", ...sizes } = options;
  const lifecycle = createLifecycle({ strict: false });
  const reduce = createReducer(() => ({ redact: true, capture }));
  const open = () => openSqliteLedger(folder.file("ledger.db"), { lifecycle, reduce, now: Date.now, ...sizes });
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

it("reads the sessions that share an id together, in order, from page to page", async () => {
  using folder = temporaryTestFolder();
  await using ledger = openSqliteLedger(folder.file("ledger.db"), { lifecycle: createLifecycle({ strict: false }), now: Date.now });
  const expected: number[] = [];
  for (let number = 1; number <= 30; number++) {
    for (const name of ["one", "other", "third"]) {
      const [verdict] = await ledger.append([toSubmission(heartbeat(number % 4 === 0 ? "else" : "s", number), name)]);
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
  await using history = new StoredHistory(folder.file("ledger.db"));
  const { entries } = await history.read({ after: 0, limit: 1000, filter: { session: "s" } });
  expect(entries.map(({ position }) => position)).toEqual(expected);
});

it("knows nothing of what was cut, also where its rows could not be removed yet", async () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  const engine = new SqliteEngine(openLedgerFile(path).db);
  engine.deleteCut = () => Promise.reject(new Error("The disk is gone."));
  const lifecycle = createLifecycle({ strict: false });
  const checkpoints = { key: openSealKey(folder.path), file: folder.file("seals.jsonl") };
  await using ledger = new EngineLedger(engine, checkpoints, { lifecycle, now: Date.now });
  const said = [asked(1), toSubmission(heartbeat("s", 1)), toSubmission(heartbeat("s", 1))];
  await ledger.append(said);
  const [session] = await ledger.findSessions("s1");
  const [numbered] = await ledger.findSessions("s");
  await expect(ledger.cut(session as SessionInfo, "deleted")).rejects.toThrow();
  await expect(ledger.cut(numbered as SessionInfo, "deleted")).rejects.toThrow();
  expect((await ledger.read({ after: 0, limit: 5 })).entries).toEqual([]);
  expect(await ledger.findSessions("s1")).toEqual([]);
  await ledger.append([answered(1)]);
  expect(await ledger.append(said.slice(0, 2))).toMatchObject([{ duplicate: false }, { duplicate: false }]);
  await ledger.append([answered(1, "again")]);
  const { entries } = await ledger.read({ after: 0, limit: 5 });
  expect(entries.map(({ kind, session }) => [kind, session])).toEqual([
    ["message", ""],
    ["event", "s1"],
    ["event", "s"],
    ["message", "s1"],
  ]);
});

function heartbeat(session: string, sequence: number): string {
  return toAopText({ session, sequence, type: "session.heartbeat", payload: { status: "running", note: sequence } });
}

function asked(number: number): Submission {
  const event = JSON.parse(toAepText({ id: `evt_${number}`, session: `s${number}`, type: "action.requested" })) as object;
  const action = { type: "tool_call", id: `call_${number}` };
  return toSubmission(JSON.stringify({ ...event, action, tool: { name: "Bash", type: "native" } }), "local", "aep");
}

function answered(number: number, id = "first"): Submission {
  const answer = {
    aep_version: "0.1",
    id: `rsp_${number}_${id}`,
    request_event_id: `evt_${number}`,
    time: "2026-05-09T12:00:01.000Z",
    control: { behavior: "deny" },
    decision: { outcome: "denied", by: "user" },
  };
  return toSubmission(JSON.stringify(answer), "local", "aep");
}

it("signs at its start what a killed process has left unsigned", async () => {
  using folder = temporaryTestFolder();
  const lifecycle = createLifecycle({ strict: false });
  const open = () => openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: () => 1, checkpointMs: 1e6 });
  await using killed = open();
  await killed.append([toSubmission(heartbeat("s", 1))]);
  const copy = folder.file("copy.db");
  for (const name of ["", "-wal"]) copyFileSync(`${folder.file("ledger.db")}${name}`, `${copy}${name}`);
  await using ledger = openSqliteLedger(copy, { lifecycle, now: () => 1, checkpointMs: 1e6 });
  await ledger.head();
  using file = new DatabaseSync(copy, { readOnly: true });
  expect(file.prepare("SELECT up_to FROM seal").all()).toEqual([{ up_to: 1 }]);
});
