import type { JsonObject } from "@earshot/protocol";
import type { FeedPage, SessionNow } from "../feed.ts";
import type { Outgoing } from "../shape/outgoing.ts";
import type { Offer } from "./producer-ports.ts";

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

/** As much of a subscription as its producer has to be told about. */
export interface Listening {
  readonly isAttached: boolean;
  /** When it has something to do; undefined when only others can give it something to do. */
  dueAt(): number | undefined;
}

/** What a subscription needs of its producer. */
export interface Station {
  /** Where those that are up to date stand. */
  readonly position: number;
  readonly head: () => number;
  /** What follows a position: at hand, or from the feed. */
  readonly read: (after: number, limit: number) => FeedPage | Promise<FeedPage>;
  /** Where an event is, or an id from `idAt`; undefined when that is not known any more. */
  readonly find: (eventId: string) => Promise<number | undefined>;
  readonly idAt: (position: number) => string | undefined;
  readonly running: () => Promise<readonly SessionNow[]>;
  readonly offer: () => Offer;
  readonly newEventId: () => string;
  readonly monotonic: () => number;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
  /** Somebody came or went, or can do something else than before. */
  readonly moved: (who: Listening) => void;
  /** Something is due at another time than before. */
  readonly due: (who: Listening) => void;
}
