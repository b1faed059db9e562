import type { JsonObject } from "@earshot/protocol";

/** Something as it came off the wire. */
export interface Arrived {
  /** JSON. */
  readonly text: string;
  /** Who has this resumes after it; undefined where the transport has no such ids, or this is no place to resume from. */
  readonly id?: string;
}

/** One event as a subscriber hears it: once, in order within its session. Kept as it was said. */
export interface Incoming {
  readonly event: JsonObject;
  readonly text: string;
  readonly eventId: string;
  /** In the compact form: `aaep:agent.tool.invoked`, `medai:patient.consulted`. */
  readonly type: string;
  readonly session: string;
  readonly agent: string;
  /** Has to be announced at once. Of the four types that always are, whatever the event says. */
  readonly critical: boolean;
  /** Whether it is one of the twelve core types: others are told in general words, or not at all. */
  readonly core: boolean;
}

/** What a subscriber could not use, or had to notice. None of it ends a subscription. */
export type Trouble =
  /** No event and no message: what it was, and what is wrong with it. */
  | { readonly kind: "malformed"; readonly text: string; readonly message: string }
  /** The same id came with another content: the first one counts. */
  | { readonly kind: "conflict"; readonly eventId: string; readonly text: string }
  /** Numbers of a session that never came, or came after they had been given up. */
  | { readonly kind: "gap"; readonly session: string; readonly from: number; readonly to: number }
  | { readonly kind: "out-of-order"; readonly session: string; readonly number: number }
  /** The stream was joined anew, and what was said in between may be lost. */
  | { readonly kind: "missed"; readonly message: string }
  /** A message may not have arrived. */
  | { readonly kind: "undelivered"; readonly message: string }
  /** The connection failed; it is tried again. */
  | { readonly kind: "cut"; readonly message: string }
  /** A renegotiation was refused, or its answer never came. */
  | { readonly kind: "refused"; readonly message: string };
