import type { JsonObject, SubscriptionAccepted, SubscriptionClose, SubscriptionRejected, SubscriptionRequest } from "@earshot/protocol";
import type { ReceivedItem } from "./incoming.ts";

/** Reaches a producer over one transport. Created once and called again after each lost connection. */
export interface Connector {
  readonly transport: "sse" | "websocket" | "socket" | "stdio";
  /**
   * Connects and sends the request. Throws if nothing answers or the peer is no producer, which may be retried. A producer's refusal is
   * not an error.
   */
  connect(greeting: ConnectRequest, signal: AbortSignal): Promise<ConnectResult>;
}

export interface ConnectRequest {
  readonly request: SubscriptionRequest;
  /** The state before a lost connection or an earlier process. */
  readonly resume: ResumeState | undefined;
}

/** A plain value from which another subscription can resume, also in another process. */
export interface ResumeState {
  readonly accepted?: SubscriptionAccepted | undefined;
  readonly lastEventId?: string | undefined;
}

export type ConnectResult =
  | { readonly ok: true; readonly connection: SubscribedConnection }
  | { readonly ok: false; readonly rejected: SubscriptionRejected };

export interface SubscribedConnection {
  /** Undefined if the producer serves without a handshake or answers it on the stream. */
  readonly accepted: SubscriptionAccepted | undefined;
  /** Whether events since `lastEventId` come first. */
  readonly resumes: boolean;
  /** Everything received, in order. Reads ahead only briefly; ends or throws with the connection. */
  readonly items: AsyncIterable<ReceivedItem>;
  /**
   * Sends a message. Returns the answer if the transport answers in place; otherwise it comes with the items, or not at all. Throws if it
   * may not have arrived.
   */
  send(message: JsonObject): Promise<JsonObject | undefined>;
  /** Ends the connection, with a farewell if there is time. Never throws. */
  close(farewell?: SubscriptionClose): Promise<void>;
}
