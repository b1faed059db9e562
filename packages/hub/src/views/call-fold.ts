import type { JsonValue } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";
import type { CallView, LaneSpan } from "./api.ts";
import { beginningOf, shorten } from "./bounded.ts";
import type { ViewEntry } from "./ledger-reading.ts";
import { type Amounts, amountsOf, SPEND_MEASURES, toDollars, toTokenCount } from "./spend.ts";

/**
 * One tool call, assembled from all its entries: a plain JSON value of bounded size. The state is derived from collected facts, so their
 * order does not matter: an outcome outranks a request, and a completed call is completed even if it had been denied.
 */
export interface CallFold {
  readonly callId: string | null;
  tool: string;
  subject: string | null;
  requested: Part | null;
  started: Part | null;
  /** The latest of several ends, by the agent's clock. */
  ended: (Part & { readonly outcome: Ended }) | null;
  ends: number;
  denied: Part | null;
  decided: (Part & { readonly verdict: Verdict; readonly by: string | null; readonly reason: string | null }) | null;
  durationMs: number | null;
  input: string | null;
  /** Rank of the entries that provided tool, subject and input: a request outranks an end that repeats them. */
  readonly ranks: [tool: number, subject: number, input: number];
  result: string | null;
  error: string | null;
  /** Metadata added by the end. */
  metadata: string | null;
  spent: Amounts | null;
  /** The highest token count reported by an end. */
  endTokens: number | null;
}

interface Part {
  readonly position: number;
  readonly receivedAt: number;
  readonly ms: number | null;
}

type Ended = "succeeded" | "failed" | "timeout" | "cancelled" | "unknown";
type Verdict = "approved" | "denied" | "asked" | "deferred" | "abstained" | "unknown";

export type ToolActivityOfCall = Extract<Activity, { kind: "tool.requested" | "tool.started" | "tool.ended" | "tool.decided" }>;

const MAX_NAME = 256;
const MAX_SUBJECT = 500;
const MAX_TEXT = 2000;

export function openCallFold(callId: string | null): CallFold {
  return {
    callId: callId === null ? null : shorten(callId, MAX_NAME),
    tool: "",
    subject: null,
    requested: null,
    started: null,
    ended: null,
    ends: 0,
    denied: null,
    decided: null,
    durationMs: null,
    input: null,
    ranks: [0, 0, 0],
    result: null,
    error: null,
    metadata: null,
    spent: null,
    endTokens: null,
  };
}

/** Applies an activity of the call. Returns the amounts it adds; repeated reports add nothing. */
export function foldCall(call: CallFold, activity: ToolActivityOfCall, entry: ViewEntry): Amounts | undefined {
  const part: Part = { position: entry.position, receivedAt: entry.receivedAt, ms: entry.ms };
  describe(call, activity);
  switch (activity.kind) {
    case "tool.requested":
      call.requested = earlier(call.requested, part);
      break;
    case "tool.started":
      call.started = earlier(call.started, part);
      break;
    case "tool.decided":
      if (call.decided === null || comesAfter(part, call.decided, rankOf(activity.verdict), rankOf(call.decided.verdict))) {
        const by = activity.by === undefined ? null : shorten(activity.by, MAX_NAME);
        call.decided = { ...part, verdict: activity.verdict, by, reason: textOf(activity.why ?? activity.message) };
      }
      break;
    case "tool.ended":
      foldEnd(call, activity, part);
      break;
  }
  return countSpent(call, activity);
}

/** How much an end raises the call's reported tokens; undefined when it reports none. */
export function raiseEndTokens(call: CallFold, activity: ToolActivityOfCall): number | undefined {
  const said = activity.kind === "tool.ended" ? amountsOf(activity)?.delta.total : undefined;
  if (said === undefined || said === null) return undefined;
  const before = call.endTokens ?? 0;
  call.endTokens = Math.max(before, said);
  return call.endTokens - before;
}

export function stateOf({ ended, denied, decided, started }: CallFold, sessionEnded: boolean): CallView["state"] {
  const isDenied = denied !== null || decided?.verdict === "denied";
  if (ended !== null && (ended.outcome === "succeeded" || !isDenied)) return ended.outcome;
  if (isDenied) return "denied";
  if (sessionEnded) return "unknown"; // never taken for a success
  if (started !== null) return "running";
  return decided === null ? "requested" : DECIDED[decided.verdict];
}

/** The story position of a call: its request, else its start, else its end. */
export function positionOf({ requested, started, ended, denied, decided }: CallFold): number {
  return (requested ?? started ?? ended ?? denied ?? decided)?.position ?? 0;
}

export function isFailure(call: CallFold): boolean {
  const state = stateOf(call, false);
  return state === "failed" || state === "timeout";
}

export function toCallView(call: CallFold, session: number, sessionEnded: boolean): CallView {
  const { requested, started, ended, denied, decided } = call;
  const first = requested ?? started ?? ended ?? denied ?? decided;
  const last = ended ?? denied;
  const begun = started ?? requested;
  const measured = begun !== null && ended !== null ? spanOf(begun, ended) : undefined;
  const durationMs = call.durationMs ?? measured;
  const marks = [
    ...(ended?.outcome === "succeeded" && (denied !== null || decided?.verdict === "denied") ? ["ran-despite-denial"] : []),
    ...(last !== null && begun === null ? ["ended-without-start"] : []),
    ...(call.ends > 1 ? ["ended-twice"] : []),
  ];
  const tokens = call.spent === null ? undefined : toTokenCount(call.spent);
  const costUsd = call.spent === null ? undefined : toDollars(call.spent.cost);
  return {
    session,
    position: positionOf(call),
    ...given("callId", call.callId),
    tool: call.tool,
    ...given("subject", call.subject),
    state: stateOf(call, sessionEnded),
    startedAt: (begun ?? first)?.receivedAt ?? 0,
    ...(last === null ? {} : { endedAt: last.receivedAt }),
    ...(durationMs === undefined ? {} : { durationMs }),
    measured: call.durationMs === null,
    ...given("input", call.input),
    ...given("result", call.result),
    ...given("error", call.error),
    ...given("metadata", call.metadata),
    ...(decided?.verdict === "approved" || decided?.verdict === "denied" ? { decidedAt: timeOf(decided) } : {}),
    ...given("decidedBy", decided?.by ?? null),
    ...given("reason", decided?.reason ?? null),
    marks,
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

/** A call shorter than this did not wait for a person. */
const MIN_WAIT_MS = 1000;

/** A call over time: what it waited for a person, and what it ran. */
export function toLaneSpans(call: CallFold): readonly LaneSpan[] {
  const { tool, requested, started, ended, denied, decided } = call;
  const first = requested ?? started ?? ended;
  if (first === null) return [];
  const span = { position: positionOf(call), tool };
  const [from, last] = [timeOf(first), ended ?? denied];
  const answeredAt = decided !== null && decided.verdict !== "asked" ? timeOf(decided) : undefined;
  const isAsking = decided?.verdict === "asked" && started === null && last === null;
  const waitedUntil = answeredAt !== undefined && answeredAt - from >= MIN_WAIT_MS ? answeredAt : from;
  const waits: readonly LaneSpan[] = isAsking
    ? [{ ...span, state: "waiting", from }]
    : waitedUntil > from
      ? [{ ...span, state: "waiting", from, to: waitedUntil }]
      : [];
  if (isAsking || (last !== null && last === denied)) return waits;
  const to = last === null ? {} : { to: Math.max(waitedUntil, timeOf(last)) };
  return [...waits, { ...span, state: isFailure(call) ? "failed" : "tool", from: waitedUntil, ...to }];
}

function timeOf({ ms, receivedAt }: Part): number {
  return ms ?? receivedAt;
}

function foldEnd(call: CallFold, activity: Extract<Activity, { kind: "tool.ended" }>, part: Part): void {
  const { outcome } = activity;
  if (outcome === "denied") call.denied = earlier(call.denied, part);
  else {
    call.ends++;
    if (call.ended === null || comesAfter(part, call.ended, OUTCOMES.indexOf(outcome), OUTCOMES.indexOf(call.ended.outcome))) {
      call.ended = { ...part, outcome };
      call.durationMs = activity.durationMs ?? call.durationMs;
      call.result = textOf(activity.result ?? activity.output) ?? call.result;
      call.error = textOf(activity.error) ?? call.error;
      call.metadata = textOf(activity.metadata) ?? call.metadata;
    }
  }
  if (outcome === "denied") call.error ??= textOf(activity.error);
}

const TELLS: Readonly<Record<ToolActivityOfCall["kind"], number>> = {
  "tool.requested": 4,
  "tool.started": 3,
  "tool.ended": 2,
  "tool.decided": 1,
};

function describe(call: CallFold, activity: ToolActivityOfCall): void {
  const rank = TELLS[activity.kind];
  if (rank > call.ranks[0] && activity.tool !== undefined && activity.tool !== "") {
    call.tool = shorten(activity.tool, MAX_NAME);
    call.ranks[0] = rank;
  }
  if (activity.kind === "tool.decided") return;
  if (rank > call.ranks[1] && activity.subject !== undefined) {
    call.subject = shorten(activity.subject, MAX_SUBJECT);
    call.ranks[1] = rank;
  }
  if (rank > call.ranks[2] && activity.input !== undefined) {
    call.input = textOf(activity.input);
    call.ranks[2] = rank;
  }
}

function countSpent(call: CallFold, activity: ToolActivityOfCall): Amounts | undefined {
  const said = amountsOf(activity)?.delta;
  if (said === undefined) return undefined;
  const before = call.spent;
  const spent = { ...(before ?? said) };
  const added = { ...said };
  for (const measure of SPEND_MEASURES) {
    const known = before?.[measure] ?? null;
    const entry = said[measure];
    spent[measure] = entry === null ? known : Math.max(known ?? 0, entry);
    added[measure] = entry === null ? null : Math.max(0, entry - (known ?? 0));
  }
  call.spent = spent;
  return added;
}

/** The later outcome counts; at equal times, this order decides. */
const OUTCOMES: readonly Ended[] = ["unknown", "cancelled", "timeout", "failed", "succeeded"];
const VERDICTS: readonly Verdict[] = ["unknown", "abstained", "asked", "deferred", "approved", "denied"];
const DECIDED: Readonly<Record<Verdict, CallView["state"]>> = {
  approved: "approved",
  denied: "denied",
  asked: "waiting",
  deferred: "paused",
  abstained: "left-to-the-agent",
  unknown: "requested",
};

function rankOf(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict);
}

/** Compared by the agent's clock, not by arrival, so that every order gives the same call. */
function comesAfter(part: Part, known: Part, rank: number, knownRank: number): boolean {
  const difference = (part.ms ?? 0) - (known.ms ?? 0);
  return difference === 0 ? rank > knownRank : difference > 0;
}

function earlier(known: Part | null, entry: Part): Part {
  return known === null || comesAfter(known, entry, 0, 0) ? entry : known;
}

function spanOf(from: Part, to: Part): number | undefined {
  const said = from.ms !== null && to.ms !== null ? to.ms - from.ms : to.receivedAt - from.receivedAt;
  return said < 0 ? undefined : Math.round(said);
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? shorten(value, MAX_TEXT) : shorten(beginningOf(value, MAX_TEXT + 1), MAX_TEXT);
}

function given<Name extends string>(name: Name, value: string | null): { readonly [Key in Name]?: string } {
  return value === null ? {} : ({ [name]: value } as { readonly [Key in Name]: string });
}
