import type { AskedRequest, NarratedRequest } from "@earshot/narrate";

/** What a hub tells its listeners, as far as hearing needs it. A hub may tell more: what is not named here is passed over. */

/** An entry of the ledger, as `GET /api/live` tells it. */
export interface HeardEntry {
  readonly position: number;
  readonly receivedAt: string;
  readonly protocol: ProtocolOf;
  /** Whether the hub knows who said it. Anybody on this machine may say something without. */
  readonly verified: boolean;
  readonly session: string;
  readonly kind: string;
  readonly agent: string;
  readonly type: string;
  readonly event: Readonly<Record<string, unknown>>;
}

type ProtocolOf = "aaep" | "aep" | "aop";

/** A request, as `GET /api/requests` lists it. */
export interface HeardRequest {
  readonly id: string;
  readonly kind: "confirmation" | "clarification" | "permission" | "handoff";
  /** Whether somebody waits for the answer. */
  readonly waits: boolean;
  /** Of the entry that asked. */
  readonly position: number;
  readonly session: string;
  readonly deadlineAt: string | null;
  /** How long there is still; null without a deadline. */
  readonly leftMs: number | null;
  readonly card: HeardCard;
  readonly decision: HeardDecision | null;
}

export interface HeardCard {
  readonly asked: HeardAsked;
  readonly terms: NarratedRequest["card"]["terms"] & { readonly action: string | null };
}

export type HeardAsked = AskedRequest & { readonly protocol: ProtocolOf };

export interface HeardDecision {
  readonly state: "answered-by-person" | "answered-by-policy" | "defaulted" | "withdrawn" | "orphaned";
  /** The name of an approver's device, `policy: RULE`, or `hub`. */
  readonly by: string;
  readonly answer: { readonly word: string };
}

/** What happens to requests, as `GET /api/requests/news` tells it. */
export interface HeardNews {
  readonly what: string;
  /** Null for what concerns all. */
  readonly request: string | null;
  readonly session: string | null;
  /** In words. */
  readonly text: string;
}

export interface HeardAlert {
  readonly type: string;
  readonly agent: string;
  readonly message: string;
  readonly sessionId: string;
}

/** What was heard at one moment. */
export interface HeardTidings {
  /** Everything up to here was heard. */
  readonly position: number;
  readonly entries: readonly HeardEntry[];
  /** How many more entries there were. */
  readonly leftOut: number;
  readonly alerts: readonly HeardAlert[];
  readonly requests: readonly HeardNews[];
}
