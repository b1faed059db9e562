import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import type { CaptureLevel } from "../../intake/capture.ts";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { Verdict } from "../../verdict.ts";
import { describeLedger, type LedgerStore } from "../ledger.contract.ts";
import type { SessionInfo, Submission } from "../ledger.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openDesk } from "./open-desk.ts";
import { openLedgerFile } from "./open-file.ts";
import { openSqliteLedger } from "./open-ledger.ts";
import type { ScribePort } from "./scribe-port.ts";
import { SqliteLedger, type SqliteLedgerOptions } from "./sqlite-ledger.ts";
import { StoredHistory } from "./stored-history.ts";

const WAYS = {
  "the same thread": {},
  "a thread": { thread: true },
  "a thread, filed at once": { thread: true, filedTogether: 1 },
  "the same thread, filed now and then": { filedTogether: 3 },
} as const;

for (const [name, way] of Object.entries(WAYS)) {
  describeLedger(`the ledger on SQLite, written in ${name}`, async (): Promise<LedgerStore> => {
    const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
    return {
      open: async (lifecycle) => openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: () => Date.UTC(2026, 0, 2), ...way }),
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
    };
  });
}

type LedgerSizes = Pick<SqliteLedgerOptions, "liveSessions" | "filedTogether">;

/** Plays recordings of all protocols, interleaved, and gives what was told of each event. */
async function play(options: { readonly restart: boolean; readonly capture?: CaptureLevel } & LedgerSizes) {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const { restart, capture = "full", ...sizes } = options;
  const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => capture });
  const open = () => openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now, ...sizes });
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
  const files = ["aaep", "aep", "aop"].flatMap((protocol) =>
    [1, 7].map((number) => `conformance/${protocol}/valid/generated-${number}.jsonl`),
  );
  const broken = ["aaep/invalid/appendix-a8-5", "aep/invalid/one-outcome", "aop/invalid/nothing-after-ended"].map(
    (name) => `conformance/${name}.jsonl`,
  );
  const queues = [...files, ...broken].map((source) => ({ source, lines: readFileSync(source, "utf8").trim().split("\n") }));
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

  it("is judged the same however many entries are filed together", async () => {
    const otherwise = await play({ restart: false });
    expect(await play({ restart: false, liveSessions: 1, filedTogether: 1 })).toEqual(otherwise);
    expect(await play({ restart: false, liveSessions: 2, filedTogether: 7 })).toEqual(otherwise);
  });
});

it("recognises what comes again among a thousand others: what was said before a restart, since, and at its beginning", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
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

it.each(["DELETE FROM filed", "UPDATE filed SET up_to = 3", "UPDATE filed SET up_to = 1000"])(
  "finds everything whatever is said of what is filed: %s",
  async (damage) => {
    const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
    const path = join(folder, "ledger.db");
    const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
    const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
    try {
      {
        await using ledger = openSqliteLedger(path, { lifecycle, now: Date.now });
        for (const number of numbers) await ledger.append([heartbeat("s", number)]);
      }
      {
        using file = new DatabaseSync(path);
        expect(file.prepare("SELECT up_to FROM filed").get()?.["up_to"]).toBe(12);
        file.exec(damage);
      }
      for (let turn = 0; turn < 2; turn++) {
        await using ledger = openSqliteLedger(path, { lifecycle, now: Date.now, filedTogether: 4 });
        const again = await ledger.append(numbers.map((number) => heartbeat("s", number)));
        expect(again.map((verdict) => verdict.ok && verdict.duplicate)).toEqual(numbers.map(() => true));
        for (let number = 0; number < 6; number++) await ledger.append([heartbeat("s", 100 + turn * 6 + number)]);
        const [session] = await ledger.findSessions("s");
        if (session === undefined) throw new Error("There is no session.");
        const { entries } = await ledger.readSession({ session, limit: 100 });
        expect(entries.map(({ sequence }) => sequence)).toEqual([
          ...numbers,
          ...Array.from({ length: 6 * (turn + 1) }, (_, index) => 100 + index),
        ]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

it("files decisions, too, and lets nothing gather", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
  try {
    await using ledger = openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now, filedTogether: 5 });
    const request = { id: "r", kind: "confirmation", deadlineAt: null, card: "{}", digest: "d" } as const;
    const asked = { ...heartbeat("s", 1), source: { protocol: "aop", name: "local", verified: true } as const, request };
    await ledger.append([asked]);
    const decision = { requestId: "r", digest: "another", state: "answered-by-person", by: "ana", answer: "{}" } as const;
    for (let count = 0; count < 40; count++) expect(await ledger.settle(decision)).toMatchObject({ ok: false });
    using file = new DatabaseSync(join(folder, "ledger.db"), { readOnly: true });
    const { entries, unfiled } = file.prepare("SELECT count(*) AS entries, sum(position > up_to) AS unfiled FROM entry, filed").get() ?? {};
    expect(entries).toBeGreaterThan(30);
    expect(unfiled).toBeLessThan(11); // five, and as many that are being filed
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("reads the sessions that share an id together, in order, from page to page", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
  try {
    await using ledger = openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now, filedTogether: 7 });
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
    using history = new StoredHistory(join(folder, "ledger.db"));
    expect(history.read({ after: 0, limit: 1000, filter: { session: "s" } }).entries.map(({ position }) => position)).toEqual(expected);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("finds what a process that died had not filed: when it comes again, by number and by session", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
  const both = (number: number) => [heartbeat("s1", number), started("s2", number)];
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  try {
    await using dying = openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: Date.now, filedTogether: 30, sealEveryMs: 1e6 });
    for (const number of numbers) await dying.append(both(number));
    const copy = join(folder, "copy");
    mkdirSync(copy);
    for (const name of ["ledger.db", "ledger.db-wal"]) copyFileSync(join(folder, name), join(copy, name));
    {
      using file = new DatabaseSync(join(copy, "ledger.db"));
      expect(file.prepare("SELECT up_to FROM filed").get()?.["up_to"]).toBe(60);
    }
    await using ledger = openSqliteLedger(join(copy, "ledger.db"), { lifecycle, now: Date.now });
    await ledger.read({ after: 0, limit: 1 }); // when it has finished what was left undone
    {
      using file = new DatabaseSync(join(copy, "ledger.db"));
      expect(file.prepare("SELECT up_to FROM filed").get()?.["up_to"]).toBe(80);
    }
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
  const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
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
  const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
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

it("knows no names of what was cut, also where nobody heard that it has begun", async () => {
  using folder = temporaryFolder();
  const path = folder.file("ledger.db");
  const { db } = openLedgerFile(path);
  const desk = openDesk(path, { now: Date.now, sealEveryMs: 60_000, onFailure: () => {} });
  const cutOff: ScribePort = {
    resumed: desk.resumed,
    write: (draft) => desk.write(draft),
    close: () => desk.close(),
    // As from a thread that ends when it has carried it out.
    async remove(task) {
      await desk.remove(task, () => {});
      throw new Error("The writing thread ended.");
    },
  };
  const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
  await using ledger = new SqliteLedger(db, () => cutOff, { lifecycle, now: Date.now });
  await ledger.append([asked(1)]);
  const [session] = await ledger.findSessions("s1");
  await expect(ledger.cut(session as SessionInfo, "deleted")).rejects.toThrow();
  await ledger.append([answered(1)]);
  const { entries } = await ledger.read({ after: 1, limit: 5 });
  expect(entries.map(({ kind, session }) => [kind, session])).toEqual([["message", ""]]);
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
