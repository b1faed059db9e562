import type { JsonObject } from "@earshot/protocol";

/** A received item. */
export interface ReceivedItem {
  /** JSON. */
  readonly text: string;
  /** The id from which a stream resumes; undefined if the transport has none or this is no resume point. */
  readonly id?: string;
}

/** An event as a subscriber gets it: once, in order within its session, unchanged. */
export interface IncomingEvent {
  readonly event: JsonObject;
  readonly text: string;
  readonly eventId: string;
  /** In the compact form: `aaep:agent.tool.invoked`, `medai:patient.consulted`. */
  readonly type: string;
  readonly session: string;
  readonly agent: string;
  /** Must be announced at once. Always set for the four critical types. */
  readonly critical: boolean;
  /** Whether it is one of the twelve core types: others are announced in general words, or not at all. */
  readonly core: boolean;
}

/** A problem that does not end the subscription. */
export type SubscriptionProblem =
  /** Neither event nor message: its text and the fault. */
  | { readonly kind: "malformed"; readonly text: string; readonly message: string }
  /** The same id with another content: the first one counts. */
  | { readonly kind: "conflict"; readonly eventId: string; readonly text: string }
  /** Numbers of a session that never came, or came too late. */
  | { readonly kind: "gap"; readonly session: string; readonly from: number; readonly to: number }
  | { readonly kind: "out-of-order"; readonly session: string; readonly number: number }
  /** The stream was joined anew, and events in between may be lost. */
  | { readonly kind: "missed"; readonly message: string }
  /** A message may not have arrived. */
  | { readonly kind: "undelivered"; readonly message: string }
  /** The connection failed and is retried. */
  | { readonly kind: "cut"; readonly message: string }
  /** A renegotiation was refused or unanswered. */
  | { readonly kind: "refused"; readonly message: string };
