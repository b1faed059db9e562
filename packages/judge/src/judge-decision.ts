import type { Decision, Settled, SettleVerdict } from "./decision.ts";
import { DECISION, type EntryRow, LATE_DECISION, type RequestRow } from "./plan.ts";

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
