import type { AskedRequest, NarratedInspection, NarratedRequest } from "@earshot/narrate";

/** The hub's messages to listeners, limited to the members used here. */

/** A ledger entry from `GET /api/live`. */
export interface LiveLedgerEntry {
  readonly position: number;
  readonly receivedAt: string;
  readonly protocol: ProtocolOf;
  /** Whether the hub authenticated the sender. Any local program can send unauthenticated events. */
  readonly verified: boolean;
  readonly session: string;
  readonly kind: string;
  readonly agent: string;
  readonly type: string;
  readonly event: Readonly<Record<string, unknown>>;
}

type ProtocolOf = "aaep" | "aep" | "aop";

/** A request from `GET /api/requests`. */
export interface LiveRequest {
  readonly id: string;
  readonly kind: "confirmation" | "clarification" | "permission" | "handoff";
  /** Whether an agent waits for the answer. */
  readonly waits: boolean;
  /** Position of the asking entry. */
  readonly position: number;
  readonly session: string;
  readonly deadlineAt: string | null;
  /** Remaining time; null without a deadline. */
  readonly leftMs: number | null;
  readonly card: LiveRequestCard;
  readonly inspection?: NarratedInspection;
  readonly decision: LiveDecision | null;
}

export interface LiveRequestCard {
  readonly asked: LiveAskedRequest;
  readonly terms: NarratedRequest["card"]["terms"] & { readonly action: string | null };
}

export type LiveAskedRequest = AskedRequest & { readonly protocol: ProtocolOf };

export interface LiveDecision {
  readonly state: "answered-by-person" | "answered-by-policy" | "defaulted" | "withdrawn" | "orphaned";
  /** The name of an approver's device, `policy: RULE`, or `hub`. */
  readonly by: string;
  readonly answer: { readonly word: string };
}

/** Request news from `GET /api/requests/news`. */
export interface LiveRequestNews {
  readonly what: string;
  /** Null for news about all requests. */
  readonly request: string | null;
  readonly session: string | null;
  /** In words. */
  readonly text: string;
}

export interface LiveAlert {
  readonly type: string;
  readonly agent: string;
  readonly message: string;
  readonly sessionId: string;
}

/** Input received at one time. */
export interface LiveUpdate {
  /** Everything up to this position was received. */
  readonly position: number;
  readonly entries: readonly LiveLedgerEntry[];
  /** Number of omitted entries. */
  readonly leftOut: number;
  readonly alerts: readonly LiveAlert[];
  readonly requests: readonly LiveRequestNews[];
}
