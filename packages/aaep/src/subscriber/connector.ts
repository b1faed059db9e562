import type { JsonObject, SubscriptionAccepted, SubscriptionClose, SubscriptionRejected, SubscriptionRequest } from "@earshot/protocol";
import type { Arrived } from "./incoming.ts";

/** How a producer is reached: one for each transport. Made once, and asked again after each cut. */
export interface Connector {
  readonly transport: "sse" | "websocket" | "socket" | "stdio";
  /**
   * Connects and says what is wanted. Throws where nobody answers, or whoever answers is no producer; then it may be tried
   * again. What a producer refuses is no failure.
   */
  connect(greeting: Greeting, signal: AbortSignal): Promise<Connected>;
}

export interface Greeting {
  readonly request: SubscriptionRequest;
  /** What there was before a cut, or before this process. */
  readonly resume: Resume | undefined;
}

/** What is needed to go on where a subscription was cut, also in another process: a plain value. */
export interface Resume {
  readonly accepted?: SubscriptionAccepted | undefined;
  readonly lastEventId?: string | undefined;
}

export type Connected =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly rejected: SubscriptionRejected };

export interface Connection {
  /** Undefined where the producer serves without a handshake, or answers it on the stream. */
  readonly accepted: SubscriptionAccepted | undefined;
  /** Whether what was said since `lastEventId` comes first. */
  readonly resumes: boolean;
  /** Everything that comes, in order. Nothing is read ahead for long; ends or throws when the connection is over. */
  readonly items: AsyncIterable<Arrived>;
  /**
   * Sends a message. Gives the answer where the transport answers in place; otherwise it comes with the items, or not at
   * all. Throws where it may not have arrived.
   */
  send(message: JsonObject): Promise<JsonObject | undefined>;
  /** Ends it; with words where there is time for them. Never throws. */
  close(farewell?: SubscriptionClose): Promise<void>;
}
