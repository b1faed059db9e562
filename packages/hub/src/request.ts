import type { RequestKind, RequestState } from "@earshot/judge";
import type { ProtocolName } from "@earshot/protocol";

export type { NewRequest, RequestDecision, RequestKind, RequestState, SettledState, SettleVerdict } from "@earshot/judge";

/**
 * A question that waits for an answer: a confirmation, a clarification, the permission for an action, a handoff.
 *
 * A request is opened in the same transaction as its asking entry, and ends exactly once: a settlement names a terminal state, and the
 * ledger compares and sets. The first settlement of an open request wins; later ones get its result. Only `Ledger.settle` settles a
 * request, never a posted event.
 */
export interface StoredRequest {
  readonly id: string;
  readonly kind: RequestKind;
  /** The asking entry. */
  readonly position: number;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly session: string;
  /** `SessionInfo.key`. */
  readonly sessionKey: number;
  readonly openedAt: number;
  /** Wall clock in milliseconds; null waits forever. It is enforced with a monotonic clock. */
  readonly deadlineAt: number | null;
  readonly state: RequestState;
  /** The description shown to the person, as JSON text; opaque to the ledger. */
  readonly card: string;
  /** Keyed digest of exactly what is shown, which a settlement must repeat. */
  readonly digest: string;
  /** Position of the settling entry; null while open. */
  readonly settledBy: number | null;
}

/** Conditions on requests; all given ones must hold. */
export interface RequestQuery {
  readonly ids?: readonly string[];
  readonly state?: RequestState;
  readonly session?: string;
  /** Only those asked after this position. */
  readonly after?: number;
  /** Those asked before this position, newest first; otherwise in order of position. */
  readonly before?: number;
  readonly limit: number;
}
