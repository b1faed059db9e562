/**
 * A question that waits for an answer: a confirmation, a clarification, the permission for an action, a handoff.
 *
 * A request is opened by the entry that asks it, in the same transaction, and ends exactly once: whoever settles it names
 * one of the terminal states, and the ledger compares and sets. The first settlement that finds it open wins; every later
 * one is told how it ended. Nothing that was posted as an event ever settles a request: only `Ledger.settle` does.
 */
export interface Request {
  readonly id: string;
  readonly kind: RequestKind;
  /** The entry that asked. */
  readonly position: number;
  readonly source: string;
  readonly session: string;
  readonly openedAt: number;
  /** Wall clock, milliseconds; null waits for ever. Whoever enforces it does so on a monotonic clock. */
  readonly deadlineAt: number | null;
  readonly state: RequestState;
  /** What the person is shown, as JSON text; opaque to the ledger. */
  readonly card: string;
  /** Keyed digest of exactly what is shown; a settlement must name the same. */
  readonly digest: string;
  /** Position of the entry that settled it; null while open. */
  readonly settledBy: number | null;
}

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

/** The one answer that settles a request. Stored as an entry of the request's session, hence part of its chain. */
export interface Decision {
  readonly requestId: string;
  readonly state: Settled;
  /** Must equal the request's: a decision about something else than was shown is refused. */
  readonly digest: string;
  /** Who decided: an authenticated approver, a rule of the policy, or the hub itself. Never a name found in a message. */
  readonly by: string;
  /** The answer, as JSON text; opaque to the ledger. */
  readonly answer: string;
  readonly reason?: string;
}

export type SettleVerdict =
  | { readonly ok: true; readonly position: number }
  /** There is no such request, or what was shown has another digest: nothing was recorded. */
  | { readonly ok: false; readonly why: "unknown" | "digest" }
  /** It had ended before: how, and where that is recorded. The attempt was recorded as an entry and changed nothing. */
  | { readonly ok: false; readonly why: "late"; readonly state: Settled; readonly settledBy: number; readonly position: number };
