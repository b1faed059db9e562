import { describe, expect, it } from "vitest";
import { findLookups } from "./find-lookups.ts";
import { JudgingFailure, planBatch, StaleCacheError } from "./judge.ts";
import { sessionLabel } from "./labels.ts";
import type { JudgeSnapshot, Operation, RequestRow, SessionSnapshot } from "./plan.ts";
import { SessionCache } from "./session-cache.ts";
import type { EventLifecycle, Submission } from "./submission.ts";

const sha256 = (text: string) =>
  Array.from(text, (one) => one.charCodeAt(0).toString(16).padStart(2, "0"))
    .join("")
    .padEnd(64, "0");
const OWN = { protocol: "aop", source: "local", id: "s" } as const;
const LABEL = sessionLabel(OWN);

/** Counts the events of the session, enough to see which of them a state includes. */
const counting: EventLifecycle = {
  open: () => ({ texts: [] }),
  read: (protocol, text) => ({ protocol, value: { text } }) as never,
  handle: (state, { text }, { repeated }) => {
    if (text.includes("poison")) throw new Error("a fault");
    (state as { texts: string[] }).texts.push(text);
    const message = `${(state as { texts: string[] }).texts.length}${repeated ? " repeated" : ""}`;
    return { flags: [{ severity: "info", code: "INTERNAL", message } as never] };
  },
};

function event(text: string, members: Partial<Submission> = {}): Submission {
  return {
    source: { protocol: "aop", name: "local", verified: true },
    kind: "event",
    session: "s",
    agent: "a",
    type: "t",
    sequence: null,
    identity: null,
    text,
    receivedAt: 1,
    reading: { protocol: "aop", value: { text } } as never,
    redactions: [],
    ...members,
  };
}

function snapshotOf(members: Partial<JudgeSnapshot> = {}): JudgeSnapshot {
  const none = new Map<string, never>();
  const nothing = { sources: none, sessions: none, answered: none, identities: none, numbers: none, names: none, requests: none };
  return { head: 0, nextSource: 1, nextSession: 1, removals: 0, ...nothing, ...members };
}

function sessionWith(last: number, stored: SessionSnapshot["stored"]): ReadonlyMap<string, SessionSnapshot> {
  return new Map([[LABEL, { ...OWN, key: 1, sourceKey: 1, last, chainHead: "", stored }]]);
}

function plan(batch: readonly Operation[], snapshot = snapshotOf(), cache = new SessionCache(), unjudgeable?: ReadonlySet<Submission>) {
  const context = { lifecycle: counting, cache, sha256, ...(unjudgeable === undefined ? {} : { unjudgeable }) };
  return planBatch(batch, snapshot, context);
}

const appends = (...submissions: readonly Submission[]): readonly Operation[] => submissions.map((append) => ({ append }));

describe("a plan", () => {
  it("is the same for the same batch and snapshot, and has one row per new thing", () => {
    const batch = appends(event("1", { identity: "one" }), event("2", { identity: "two", answerable: "name" }));
    expect(plan(batch)).toEqual(plan(batch));
    const { plan: rows, results } = plan(batch);
    expect(results).toMatchObject([
      { ok: true, position: 1 },
      { ok: true, position: 2 },
    ]);
    expect(rows.head).toBe(2);
    expect(rows.sources).toEqual([{ key: 1, protocol: "aop", source: "local" }]);
    expect(rows.sessions).toMatchObject([{ key: 1, isNew: true, last: 2 }]);
    expect(rows.entries.map(({ position, identity, text }) => [position, identity, text])).toEqual([
      [1, "1 one", "1"],
      [2, "1 two", "2"],
    ]);
    expect(rows.names).toEqual([{ sourceKey: 1, name: "name", agent: "a", session: 1, position: 2 }]);
  });

  it("stores a redelivery once and refuses another body under a known id, whether it is stored or in the same batch", () => {
    const first = event('{"a":1,"b":2}', { identity: "x" });
    const batch = appends(first, event('{"b":2,"a":1}', { identity: "x" }), event("{}", { identity: "x" }));
    expect(plan(batch).results).toMatchObject([
      { ok: true, duplicate: false, position: 1 },
      { ok: true, duplicate: true, position: 1 },
      { ok: false, problem: { code: "EVENT_ID_CONFLICT" } },
    ]);
    const lookups = findLookups(batch, new SessionCache(), sha256);
    const known = new Map([...lookups.identities.keys()].map((label) => [label, { position: 7, said: null, text: first.text }]));
    expect(plan(batch, snapshotOf({ head: 7, identities: known })).results).toMatchObject([
      { duplicate: true, position: 7 },
      { duplicate: true, position: 7 },
      { ok: false },
    ]);
  });

  it("flags another body under one number, and recognizes both", () => {
    const [one, other] = [event('{"n":1}', { sequence: 1 }), event('{"n":2}', { sequence: 1 })];
    const { results } = plan(appends(one, other, one, other));
    expect(results).toMatchObject([
      { position: 1, flags: [{ message: "1" }] },
      { position: 2, flags: [{ message: "2 repeated" }] },
      { position: 1, duplicate: true },
      { position: 2, duplicate: true },
    ]);
  });

  it("leaves no trace of a session of which nothing is stored", () => {
    const refusing: EventLifecycle = {
      ...counting,
      handle: () => ({ flags: [], refuse: { code: "RULE_BROKEN", message: "" } as never }),
    };
    const cache = new SessionCache();
    const { plan: rows } = planBatch(appends(event("1")), snapshotOf(), { lifecycle: refusing, cache, sha256 });
    expect(rows).toMatchObject({ head: 0, sessions: [], entries: [] });
    expect(cache.get(LABEL)).toBeUndefined();
  });

  it("opens a request for a verified source alone, and never one whose id is taken", () => {
    const request = { id: "r", kind: "permission", deadlineAt: null, card: "{}", digest: "d" } as const;
    const unverified = { protocol: "aop", name: "local", verified: false } as const;
    const { plan: rows } = plan(appends(event("0", { request, source: unverified }), event("1", { request }), event("2", { request })));
    expect(rows.requests).toMatchObject([{ id: "r", position: 2, state: "open" }]);
    const taken: RequestRow = { ...request, position: 1, session: LABEL, sessionKey: 1, openedAt: 0, state: "withdrawn", settledBy: 2 };
    expect(plan(appends(event("1", { request })), snapshotOf({ requests: new Map([["r", taken]]) })).plan.requests).toEqual([]);
  });
});

describe("a session's state", () => {
  const tail = (texts: readonly string[]) =>
    texts.map((text, index) => ({ position: index + 1, kind: 0, verified: 1, text, repeated: 0, nameUsedAt: null }));

  it("is loaded by replaying the entries after it, without those that cannot be judged", () => {
    const stored = { state: null, at: 0, highest: -1, tail: tail(["a", "poison", "b"]) };
    const { results } = plan(appends(event("c")), snapshotOf({ head: 3, sessions: sessionWith(3, stored) }));
    expect(results).toMatchObject([{ position: 4, flags: [{ message: "3" }] }]);
  });

  it("is taken from memory as long as no other process has added to the session", () => {
    const cache = new SessionCache();
    plan(appends(event("a")), snapshotOf(), cache);
    const lookups = findLookups(appends(event("b")), cache, sha256);
    expect(lookups.sessions.get(LABEL)?.stateAt).toBe(1);
    const { results } = plan(appends(event("b")), snapshotOf({ head: 1, sessions: sessionWith(1, null) }), cache);
    expect(results).toMatchObject([{ flags: [{ message: "2" }] }]);
    expect(() => plan(appends(event("c")), snapshotOf({ head: 9, sessions: sessionWith(9, null) }), cache)).toThrow(StaleCacheError);
  });

  it("is stored when the entries after it outweigh it, and when it is asked for", () => {
    const states = (batch: readonly Operation[]) => plan(batch).plan.sessions.map(({ state }) => state?.at);
    expect(states(appends(event("a")))).toEqual([undefined]);
    expect(states(appends(event("a".repeat(20_000))))).toEqual([1]);
    expect(states([...appends(event("a")), { saveState: OWN }])).toEqual([1]);
  });

  it("is spoilt by an event that cannot be judged: the batch is planned again, and that event is stored with a flag", () => {
    const poison = event("poison");
    expect(() => plan(appends(event("a"), poison))).toThrow(JudgingFailure);
    const { results } = plan(appends(event("a"), poison, event("b")), snapshotOf(), new SessionCache(), new Set([poison]));
    expect(results).toMatchObject([{ flags: [{ message: "1" }] }, { flags: [{ code: "INTERNAL" }] }, { flags: [{ message: "2" }] }]);
  });
});

describe("a number", () => {
  it("is looked up unless it is above the highest that the session has used", () => {
    const cache = new SessionCache();
    const asks = (sequence: number) => findLookups(appends(event("x", { sequence })), cache, sha256).numbers.size;
    expect(asks(5)).toBe(1);
    plan(appends(event("a", { sequence: 5 })), snapshotOf(), cache);
    expect([asks(4), asks(5), asks(6)]).toEqual([1, 1, 0]);
  });
});
