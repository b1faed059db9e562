import { DECISION_KIND, type EntryRow, LATE_DECISION_KIND, type RequestRow } from "./plan.ts";

// The kinds of approval request.
export const REQUEST_KINDS = ["confirmation", "clarification", "permission", "handoff"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** `open`, then exactly one of the others. */
export const REQUEST_STATES = ["open", "answered-by-person", "answered-by-policy", "defaulted", "withdrawn", "orphaned"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];
export type SettledState = Exclude<RequestState, "open">;

/** The members of a request that the ledger needs. */
export interface NewRequest {
  readonly id: string;
  readonly kind: RequestKind;
  readonly deadlineAt: number | null;
  readonly card: string;
  readonly digest: string;
}

/** A decision settles a request or extends its deadline. */
export type RequestDecision = Settlement | Amendment;

/** The one answer that settles a request. Stored as an entry of the request's session, hence part of its chain. */
export interface Settlement {
  readonly requestId: string;
  readonly state: SettledState;
  /** Must equal the request's digest: a decision about anything other than what was shown is refused. */
  readonly digest: string;
  /** The authenticated approver, the policy rule, or the hub itself that decided. Never a name from a message. */
  readonly by: string;
  /** The answer as JSON text, opaque to the ledger. */
  readonly answer: string;
  readonly reason?: string;
  /** Applies only if this is still the deadline, so that a timeout cannot settle an extended request. */
  readonly deadlineAt?: number;
  /** Only if this is still the newest lease: a hub that lost its lease without noticing decides nothing. */
  readonly fence?: number;
}

/** Moves an open request's deadline to a later time. Recorded like a settlement; it is late for a request that has ended. */
export interface Amendment {
  readonly requestId: string;
  readonly state: "open";
  readonly digest: string;
  readonly by: string;
  /** Unix milliseconds. */
  readonly deadlineAt: number;
  readonly reason?: string;
}

export type SettleVerdict =
  | { readonly ok: true; readonly position: number }
  /** Unknown request; nothing was recorded. */
  | { readonly ok: false; readonly why: "unknown" }
  /** The decision is about another digest. The attempt was recorded as an entry without effect. */
  | { readonly ok: false; readonly why: "digest"; readonly position: number }
  /** The lease of the settlement is not the newest; nothing was recorded. */
  | { readonly ok: false; readonly why: "fenced" }
  /** The deadline differs from the settlement's, or is still to come; nothing was recorded. */
  | { readonly ok: false; readonly why: "extended"; readonly deadlineAt: number | null }
  /** The request had ended before; `settledBy` is the position of its decision. The attempt was recorded as an entry without effect. */
  | { readonly ok: false; readonly why: "late"; readonly state: SettledState; readonly settledBy: number; readonly position: number };

/** The result of a decision, the resulting request, and the entry that records it. */
export interface DecisionPlan {
  readonly result: SettleVerdict;
  readonly request?: RequestRow;
  readonly entry?: Omit<EntryRow, "position" | "session">;
}

export interface DecisionContext {
  readonly position: number;
  readonly now: number;
  /** Where several processes decide: the database's clock, and the newest lease. */
  readonly shared?: { readonly now: number; readonly fence: number | undefined };
}

/** How far before a deadline silence may end a request, because processes estimate the database's clock. */
const CLOCK_TOLERANCE_MS = 250;

/** The first decision about an open request wins. Any other one about an existing request is recorded without effect. */
export function judgeDecision(
  decision: RequestDecision,
  request: RequestRow | undefined,
  { position, now, shared }: DecisionContext,
): DecisionPlan {
  if (request === undefined) return { result: { ok: false, why: "unknown" } };
  if (decision.state !== "open" && decision.fence !== undefined && decision.fence !== shared?.fence) {
    return { result: { ok: false, why: "fenced" } };
  }
  const record = (kind: number, type: string) => entryOf(decision, { kind, type, now });
  if (request.digest !== decision.digest) {
    return { result: { ok: false, why: "digest", position }, entry: record(LATE_DECISION_KIND, "decision.mismatched") };
  }
  if (request.state !== "open" || request.settledBy !== null) {
    const state = request.state as SettledState;
    const result = { ok: false, why: "late", state, settledBy: request.settledBy ?? 0, position } as const;
    return { result, entry: record(LATE_DECISION_KIND, "decision.late") };
  }
  const result = { ok: true, position } as const;
  if (decision.state === "open") {
    const deadlineAt = Math.max(request.deadlineAt ?? 0, decision.deadlineAt);
    return { result, request: { ...request, deadlineAt }, entry: record(DECISION_KIND, "decision.extended") };
  }
  const isEarly = shared !== undefined && decision.deadlineAt !== undefined && shared.now < decision.deadlineAt - CLOCK_TOLERANCE_MS;
  if (isEarly || (decision.deadlineAt !== undefined && decision.deadlineAt !== request.deadlineAt)) {
    return { result: { ok: false, why: "extended", deadlineAt: request.deadlineAt } };
  }
  return { result, request: { ...request, state: decision.state, settledBy: position }, entry: record(DECISION_KIND, "decision") };
}

interface Recording {
  readonly kind: number;
  readonly type: string;
  readonly now: number;
}

function entryOf(decision: RequestDecision, { kind, type, now }: Recording): NonNullable<DecisionPlan["entry"]> {
  const nothing = { sequence: null, identity: null, said: null, notes: null, repeated: 0, nameUsedAt: null };
  return { ...nothing, receivedAt: now, kind, verified: 1, type, agent: decision.by, text: decisionText(decision, now) };
}

function decisionText(decision: RequestDecision, now: number): string {
  const { requestId, state, digest, by, reason } = decision;
  const what = decision.state === "open" ? { deadlineAt: new Date(decision.deadlineAt).toISOString() } : { answer: decision.answer };
  const at = new Date(now).toISOString();
  return JSON.stringify({ request: requestId, state, digest, by, ...what, at, ...(reason === undefined ? {} : { reason }) });
}
