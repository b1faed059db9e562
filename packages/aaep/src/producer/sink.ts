import type { JsonObject } from "@earshot/protocol";
import type { Outgoing } from "../shape/outgoing.ts";

/** Why a subscription, or a whole channel, is no longer served. */
export type Ending =
  /** Closed by a message from either side. */
  | "closed"
  /** Its channel is gone, without a word. */
  | "lost"
  /** Its renegotiation failed. */
  | "rejected"
  /** Another stream, or another request, took its place. */
  | "superseded"
  /** The producer stops. */
  | "stopping";

/** Where the events of one subscription go. Called on one turn of the event loop at a time; must not throw. */
export interface Sink {
  /** Takes all of them, in order. False: nothing more until `drained` is called. */
  send(events: readonly Outgoing[]): boolean;
  /** Everything up to here was sent: who has this id resumes after it, as after an event. */
  mark?(id: string): void;
  end(why: Ending): void;
}

/** One duplex channel to one peer, whatever it is made of. */
export interface Channel {
  /** Takes all of them, in order. False: no more events until `drained` is called. */
  send(events: readonly Outgoing[]): boolean;
  /** Beside the events; few and small, taken whether there is room or not. */
  tell(message: JsonObject): void;
  /** As in a sink: only where the transport itself can be resumed. */
  mark?(id: string): void;
  /** Nothing follows. */
  close(why: Ending): void;
}
