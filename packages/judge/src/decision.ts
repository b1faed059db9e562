import { DECISION, type EntryRow, LATE_DECISION, type RequestRow } from "./plan.ts";

// A request for approval, as it is opened, and what may be decided about it.
export const REQUEST_KINDS = ["confirmation", "clarification", "permission", "handoff"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** `open`, then exactly one of the others. */
export const REQUEST_STATES = ["open", "answered-by-person", "answered-by-policy", "defaulted", "withdrawn", "orphaned"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];
export type Settled = Exclude<RequestState, "open">;

/** What a submission asks, as far as the ledger needs to know it. */
export interface NewRequest {
  readonly id: string;
  readonly kind: RequestKind;
  readonly deadlineAt: number | null;
  readonly card: string;
  readonly digest: string;
}

/** What is decided about a request: how it ends, or how long it may still wait. */
export type Decision = Settlement | Amendment;

/** The one answer that settles a request. Stored as an entry of the request's session, hence part of its chain. */
export interface Settlement {
  readonly requestId: string;
  readonly state: Settled;
  /** Must equal the request's: a decision about something else than was shown is refused. */
  readonly digest: string;
  /** Who decided: an authenticated approver, a rule of the policy, or the hub itself. Never a name found in a message. */
  readonly by: string;
  /** The answer, as JSON text; opaque to the ledger. */
  readonly answer: string;
  readonly reason?: string;
  /** Only if this is still the deadline: silence ends nothing that was given more time meanwhile. */
  readonly deadlineAt?: number;
}

/** Leaves a request open and moves its deadline, never to an earlier time. Recorded like a settlement; on a request that has ended it comes too late. */
export interface Amendment {
  readonly requestId: string;
  readonly state: "open";
  readonly digest: string;
  readonly by: string;
  /** Wall clock, milliseconds. */
  readonly deadlineAt: number;
  readonly reason?: string;
}

export type SettleVerdict =
  | { readonly ok: true; readonly position: number }
  /** There is no such request: nothing was recorded. */
  | { readonly ok: false; readonly why: "unknown" }
  /** What was shown has another digest. The attempt was recorded as an entry and changed nothing. */
  | { readonly ok: false; readonly why: "digest"; readonly position: number }
  /** It has another deadline than the settlement was about: nothing was recorded. */
  | { readonly ok: false; readonly why: "extended"; readonly deadlineAt: number | null }
  /** It had ended before: how, and where that is recorded. The attempt was recorded as an entry and changed nothing. */
  | { readonly ok: false; readonly why: "late"; readonly state: Settled; readonly settledBy: number; readonly position: number };

/** What becomes of a decision: its result, the request as it then is, and the entry that records it. */
export interface DecisionPlan {
  readonly result: SettleVerdict;
  readonly request?: RequestRow;
  readonly entry?: Omit<EntryRow, "position" | "session">;
}

/** The first decision that finds a request open wins. Any other that names an existing request is recorded and changes nothing. */
export function judgeDecision(
  decision: Decision,
  request: RequestRow | undefined,
  { position, now }: { readonly position: number; readonly now: number },
): DecisionPlan {
  if (request === undefined) return { result: { ok: false, why: "unknown" } };
  const record = (kind: number, type: string) => entryOf(decision, { kind, type, now });
  if (request.digest !== decision.digest) {
    return { result: { ok: false, why: "digest", position }, entry: record(LATE_DECISION, "decision.mismatched") };
  }
  if (request.state !== "open" || request.settledBy !== null) {
    const state = request.state as Settled;
    const result = { ok: false, why: "late", state, settledBy: request.settledBy ?? 0, position } as const;
    return { result, entry: record(LATE_DECISION, "decision.late") };
  }
  const result = { ok: true, position } as const;
  if (decision.state === "open") {
    const deadlineAt = Math.max(request.deadlineAt ?? 0, decision.deadlineAt);
    return { result, request: { ...request, deadlineAt }, entry: record(DECISION, "decision.extended") };
  }
  if (decision.deadlineAt !== undefined && decision.deadlineAt !== request.deadlineAt) {
    return { result: { ok: false, why: "extended", deadlineAt: request.deadlineAt } };
  }
  return { result, request: { ...request, state: decision.state, settledBy: position }, entry: record(DECISION, "decision") };
}

interface Recording {
  readonly kind: number;
  readonly type: string;
  readonly now: number;
}

function entryOf(decision: Decision, { kind, type, now }: Recording): NonNullable<DecisionPlan["entry"]> {
  const nothing = { sequence: null, identity: null, said: null, notes: null, repeated: 0, nameUsedAt: null };
  return { ...nothing, receivedAt: now, kind, verified: 1, type, agent: decision.by, text: decisionText(decision, now) };
}

function decisionText(decision: Decision, now: number): string {
  const { requestId, state, digest, by, reason } = decision;
  const what = decision.state === "open" ? { deadlineAt: new Date(decision.deadlineAt).toISOString() } : { answer: decision.answer };
  const at = new Date(now).toISOString();
  return JSON.stringify({ request: requestId, state, digest, by, ...what, at, ...(reason === undefined ? {} : { reason }) });
}
