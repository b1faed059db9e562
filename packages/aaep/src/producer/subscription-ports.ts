import type { JsonObject } from "@earshot/protocol";
import type { FeedPage, SessionSummaryState } from "../feed.ts";
import type { OutgoingEvent } from "../shape/outgoing.ts";
import type { ProducerOffer } from "./producer-ports.ts";

/** Why a subscription or channel ended. */
export type SubscriptionEnding =
  /** Closed by a message from either side. */
  | "closed"
  /** Its channel was lost. */
  | "lost"
  /** Its renegotiation was rejected. */
  | "rejected"
  /** Replaced by another stream or request. */
  | "superseded"
  /** The producer stops. */
  | "stopping";

/** Receives one subscription's events. Must not throw. */
export interface SubscriptionSink {
  /** Takes all events in order. False: no more until `drained` is called. */
  send(events: readonly OutgoingEvent[]): boolean;
  /** Everything up to here was sent: this id resumes after it, like an event's. */
  mark?(id: string): void;
  end(why: SubscriptionEnding): void;
}

/** A duplex channel to one peer over any transport. */
export interface PeerChannel {
  /** Takes all events in order. False: no more events until `drained` is called. */
  send(events: readonly OutgoingEvent[]): boolean;
  /** Sends a message beside the events; few and small, so accepted even when the channel is full. */
  sendMessage(message: JsonObject): void;
  /** As in a sink; only for transports that can resume. */
  mark?(id: string): void;
  /** Nothing follows. */
  close(why: SubscriptionEnding): void;
}

/** The part of a subscription that its producer needs. */
export interface ScheduledSubscription {
  readonly isAttached: boolean;
  /** When it has work to do; undefined if only other events can cause some. */
  dueAt(): number | undefined;
}

/** The interface of a producer to its subscriptions. */
export interface ProducerServices {
  /** The position of subscriptions that are up to date. */
  readonly position: number;
  readonly head: () => number;
  /** The events after a position, from the cache or the feed. */
  readonly read: (after: number, limit: number) => FeedPage | Promise<FeedPage>;
  /** The position of an event or of an id from `idAt`; undefined if no longer known. */
  readonly find: (eventId: string) => Promise<number | undefined>;
  readonly idAt: (position: number) => string | undefined;
  readonly running: () => Promise<readonly SessionSummaryState[]>;
  readonly offer: () => ProducerOffer;
  readonly newEventId: () => string;
  readonly monotonic: () => number;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
  /** A listener came, left, or changed what it can do. */
  readonly moved: (who: ScheduledSubscription) => void;
  /** The due time changed. */
  readonly due: (who: ScheduledSubscription) => void;
}
