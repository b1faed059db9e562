import type { RequestKind, RequestState } from "@earshot/judge";
import type { ProtocolName } from "@earshot/protocol";

export type { Decision, NewRequest, RequestKind, RequestState, Settled, SettleVerdict } from "@earshot/judge";

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
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly session: string;
  /** `SessionInfo.key`. */
  readonly sessionKey: number;
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

/** Which requests are meant; all that are given must hold. */
export interface RequestQuery {
  readonly ids?: readonly string[];
  readonly state?: RequestState;
  readonly session?: string;
  /** Only those asked after this position. */
  readonly after?: number;
  /** The newest first, those asked before this position; in order of position otherwise. */
  readonly before?: number;
  readonly limit: number;
}
