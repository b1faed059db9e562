import type { JsonObject } from "@earshot/protocol";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { orderedAopRecordings, respell } from "../../../protocol/testing/aop.ts";
import { createPick, type Recording } from "../../../protocol/testing/defect.ts";
import type { LedgerEntry } from "../ledger/ledger.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { ALERT_THRESHOLDS } from "./alerts/detector.ts";
import { openWatch } from "./alerts/watch.ts";
import { foldCollectorEvent, openCollectorFacts } from "./collector-facts.ts";
import { type CollectorSessionRow, STALLED_AFTER_MS, toCollectorRow } from "./collector-rows.ts";
import { ViewDraft } from "./draft.ts";
import { openJoinState } from "./joining.ts";
import { activitiesOf, toViewEntry } from "./ledger-reading.ts";
import { foldEntry, openSessionFold } from "./session-fold.ts";
import type { SessionState } from "./session-table.ts";
import { openViewFile } from "./view-file.ts";
import { ViewTables } from "./view-tables.ts";

const AT = Date.UTC(2026, 2, 1, 10);

function said(sequence: number, type: string, payload: object = {}, envelope: object = {}): JsonObject {
  const timestamp = new Date(AT + sequence * 1000).toISOString();
  return { spec: "aop/1.0", session_id: "s", agent_id: "a", sequence, timestamp, type, payload, ...envelope } as JsonObject;
}

/** Never written: the joined calls stay in the draft. */
const folder = temporaryTestFolder();
const tables = new ViewTables(
  openViewFile(folder.file("views.db"), () => {}),
  ALERT_THRESHOLDS,
);
afterAll(() => {
  tables.close();
  folder[Symbol.dispose]();
});

function openState(): SessionState {
  return { fold: openSessionFold(), joining: openJoinState(), watch: openWatch(), collector: openCollectorFacts() };
}

function hear(state: SessionState, draft: ViewDraft, value: JsonObject, position: number): void {
  const [session, agent, type] = [String(value["session_id"]), String(value["agent_id"]), String(value["type"])];
  const sequence = typeof value["sequence"] === "number" ? value["sequence"] : null;
  const receivedAt = AT + position;
  const entry: LedgerEntry = {
    ...{ position, receivedAt, session, agent, type, sequence, protocol: "aop", source: "local", verified: true, sessionKey: 1 },
    ...{ kind: "event", text: "", flags: [], redactions: [] },
  };
  const heard = toViewEntry(entry, activitiesOf(entry, value));
  foldEntry(state.fold, heard, session);
  draft.fold({ name: { key: 1, protocol: "aop", source: "local", id: session }, state }, heard);
  if (state.collector !== undefined) foldCollectorEvent(state.collector, { receivedAt, session, agent, type, sequence, value });
}

const NOW = { now: AT, sleptUntil: undefined, spawnedBy: null };

/** The states after the ledger's deduplication. Every state is serialized and parsed between two events. */
function statesOf(recording: Recording): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  const drafts = new Map<string, ViewDraft>();
  const seen = new Set<string>();
  let position = 0;
  for (const value of recording) {
    const text = JSON.stringify(value);
    if (seen.has(text)) continue;
    seen.add(text);
    const id = String(value["session_id"]);
    const known = states.get(id);
    const draft = drafts.get(id) ?? new ViewDraft(tables);
    const state = known === undefined ? openState() : (JSON.parse(known) as SessionState);
    hear(state, draft, value, ++position);
    drafts.set(id, draft);
    states.set(id, JSON.stringify(state));
  }
  return states;
}

function rowsOf(recording: Recording): Readonly<Record<string, CollectorSessionRow>> {
  const rows = [...statesOf(recording)].map(([id, text]) => [
    id,
    toCollectorRow({ source: "local", id }, JSON.parse(text) as SessionState, NOW),
  ]);
  return Object.fromEntries(rows) as Readonly<Record<string, CollectorSessionRow>>;
}

/** Removes members that depend on arrival time. */
function lasting(rows: Readonly<Record<string, CollectorSessionRow>>): unknown {
  return Object.values(rows)
    .map(({ last_received_at: _at, first_position: _first, last_position: _last, ...row }) => row)
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

const row = (...events: readonly JsonObject[]) => rowsOf(events)["s"];

function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const pick = createPick(seed);
  const left = [...items];
  return items.map(() => left.splice(pick(left.length), 1)[0] as Item);
}

describe("the row of a session", () => {
  test("is the same for the documented names, the other names and both", () => {
    fc.assert(
      fc.property(orderedAopRecordings, (recording) => {
        // Some recordings use other names already; converting those in both versions changes nothing.
        const expected = lasting(rowsOf(recording));
        expect(lasting(rowsOf(respell(recording, "wild")))).toEqual(expected);
        expect(lasting(rowsOf(respell(recording, "both")))).toEqual(expected);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test("is the same for any order of arrival, with some events twice", () => {
    fc.assert(
      fc.property(orderedAopRecordings, fc.integer(), (recording, seed) => {
        const pick = createPick(seed);
        const twice = recording.filter(() => pick(3) === 0);
        expect(lasting(rowsOf(shuffle([...recording, ...twice], seed)))).toEqual(lasting(rowsOf(recording)));
      }),
      { numRuns: propertyRuns() },
    );
  });

  test("is the same for any order when agents share it, use numbers twice, or disagree", () => {
    const event = fc
      .record({
        sequence: fc.nat(4),
        agent: fc.constantFrom("a", "b"),
        second: fc.nat(3),
        parent: fc.constantFrom(undefined, null, "p", "q", "s"),
        what: fc.constantFrom("session.started", "session.ended", "session.heartbeat", "operation.tool_end", "operation.tool_start"),
        number: fc.constantFrom(0, 1, 2, -1, "3", 1e308, 0.5),
        text: fc.constantFrom("x", "y", 7),
      })
      .map(({ sequence, agent, second, parent, what, number, text }) =>
        said(
          sequence,
          what,
          {
            goal: text,
            outcome: text,
            tool_call_id: text,
            total_cost_usd: number,
            total_tokens: number,
            metadata: { token_spend_delta: number },
          },
          { agent_id: agent, timestamp: `2026-03-01T10:00:0${second}Z`, ...(parent === undefined ? {} : { parent_session_id: parent }) },
        ),
      );
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 12 }), fc.integer(), (events, seed) => {
        expect(lasting(rowsOf(shuffle(events, seed)))).toEqual(lasting(rowsOf(events)));
      }),
      { numRuns: propertyRuns() },
    );
  });

  test("has its end when the end is heard first, and its goal when the start is heard last", () => {
    const ended = said(3, "session.ended", { outcome: "failed", metadata: { total_cost_usd: 0.25 } });
    const started = said(1, "session.started", { goal: "Compare", agent_version: "1.2.0" }, { agent_version: "9" });
    const result = row(ended, said(2, "cognition.thought", { content: "Hm." }, { parent_session_id: "p" }), started);
    expect(result).toMatchObject({
      status: "failed",
      goal: "Compare",
      agent_version: "1.2.0",
      parent_session_id: "p",
      started_at: "2026-03-01T10:00:01.000Z",
      ended_at: "2026-03-01T10:00:03.000Z",
      last_seen_at: "2026-03-01T10:00:03.000Z",
      total_cost_usd: 0.25,
      events: 3,
    });
  });

  test("keeps the members and the order of the official row", () => {
    expect(Object.keys(row(said(1, "session.started")) ?? {}).slice(0, 11)).toEqual([
      "id",
      "agent_id",
      "parent_session_id",
      "goal",
      "status",
      "started_at",
      "ended_at",
      "total_steps",
      "total_tokens",
      "total_cost_usd",
      "last_seen_at",
    ]);
  });

  test("is running, with zeros and nulls, when little is known", () => {
    expect(row(said(5, "billing.checked"))).toMatchObject({
      status: "running",
      goal: null,
      ended_at: null,
      total_steps: 0,
      total_tokens: 0,
      total_cost_usd: null,
      tokens_from: null,
      parent_session_id: null,
    });
  });

  test("prefers reported totals to heartbeats, and heartbeats to what was counted", () => {
    const call = [
      said(1, "operation.tool_start"),
      said(2, "operation.tool_end", { tool_call_id: "c", metadata: { token_spend_delta: 7 } }),
    ];
    expect(row(...call)).toMatchObject({ total_steps: 1, steps_from: "counted", total_tokens: 7, tokens_from: "summed" });
    const beat = said(3, "session.heartbeat", { status: "running", step: 4, token_spend: 90 });
    expect(row(...call, beat)).toMatchObject({ total_steps: 4, steps_from: "reported", total_tokens: 90, tokens_from: "reported" });
    const end = said(4, "session.ended", { status: "completed", total_steps: 5, total_tokens: 80 });
    expect(row(...call, beat, end)).toMatchObject({ total_steps: 5, total_tokens: 80 });
  });

  test("ends as completed when the end says nothing, and as it says when it says something unknown", () => {
    expect(row(said(1, "session.ended"))).toMatchObject({ status: "completed" });
    expect(row(said(1, "session.ended", { status: "running" }))).toMatchObject({ status: "completed" });
    expect(row(said(1, "session.ended", { outcome: "exploded" }))).toMatchObject({ status: "exploded" });
  });

  test("cuts a goal that is too long for a list", () => {
    expect(row(said(1, "session.started", { goal: "x".repeat(100_000) }))?.goal).toHaveLength(4000);
  });

  test("tells that parents disagree and shows the first by number; a session is not its own parent", () => {
    const first = said(1, "session.started", {}, { parent_session_id: "p" });
    const second = said(2, "cognition.thought", {}, { parent_session_id: "q" });
    expect(row(second, first)).toMatchObject({ parent_session_id: "p", parents_disagree: true });
    expect(row(said(1, "session.started", {}, { parent_session_id: "s" }))).toMatchObject({ parent_session_id: null });
  });
});

function stateOf(...events: readonly JsonObject[]): SessionState {
  return JSON.parse(statesOf(events).get("s") ?? "") as SessionState;
}

test("a session is stalled when it runs and nothing was received for 90 seconds by our clock", () => {
  const stalled = (state: SessionState, now: number) => toCollectorRow({ source: "local", id: "s" }, state, { ...NOW, now }).stalled;
  const running = stateOf(said(1, "session.started"));
  const heardAt = running.fold.lastHeardAt;
  expect([heardAt + STALLED_AFTER_MS - 1, heardAt + STALLED_AFTER_MS].map((now) => stalled(running, now))).toEqual([false, true]);
  expect(stalled(stateOf(said(1, "session.ended")), AT * 2)).toBe(false);
});

test("what a session says of its parent counts more than what another says of having spawned it", () => {
  const context = { ...NOW, spawnedBy: "q" };
  const row = (state: SessionState) => toCollectorRow({ source: "local", id: "s" }, state, context);
  expect(row(stateOf(said(1, "session.started", {}, { parent_session_id: "p" })))).toMatchObject({
    parent_session_id: "p",
    parent_from: "own",
  });
  expect(row(stateOf(said(1, "session.started")))).toMatchObject({ parent_session_id: "q", parent_from: "spawn" });
});

test("a call that was reported twice is counted a single time, with the higher amount, however many calls there are", () => {
  const end = (sequence: number, call: number, tokens: number) =>
    said(sequence, "operation.tool_end", { tool_name: "t", tool_call_id: `c${call}`, metadata: { token_spend_delta: tokens } });
  const once = Array.from({ length: 1000 }, (_, index) => end(index, index, 2));
  const twice = Array.from({ length: 1000 }, (_, index) => end(1000 + index, index, 5));
  expect(rowsOf([...once, ...twice])["s"]).toMatchObject({ total_tokens: 5000, tokens_from: "summed", tokens_exact: true });
});
