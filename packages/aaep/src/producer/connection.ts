import type {
  ClarificationReply,
  ConfirmationReply,
  JsonObject,
  Problem,
  SubscriptionClose,
  SubscriptionRejected,
  SubscriptionRenegotiate,
  SubscriptionRequest,
} from "@earshot/protocol";
import { readResume, resumePoint } from "../extension.ts";
import { rejectRequest } from "./negotiate.ts";
import type { AaepProducer } from "./producer.ts";
import type { Principal } from "./producer-ports.ts";
import { readMessage, type SubscriberMessage } from "./read-message.ts";
import type { AttachOptions, Subscription } from "./subscription.ts";
import type { PeerChannel, SubscriptionEnding, SubscriptionSink } from "./subscription-ports.ts";

export type ReceivedOutcome =
  /** To be sent synchronously; `isLast`: nothing follows. */
  | { readonly kind: "answer"; readonly message: JsonObject; readonly isLast?: boolean }
  | { readonly kind: "taken"; readonly isLast?: boolean }
  | { readonly kind: "refused"; readonly problem: Problem };

export interface PeerConnectionOptions {
  readonly principal: Principal;
  /** Whether events may be sent without a handshake, if the producer allows that. */
  readonly mayBeImplicit: boolean;
  /** Where a stream without a handshake begins; default: now. */
  readonly after?: number | undefined;
}

/** The endings that the peer is informed of; it caused the others itself. */
const REASONS: Partial<Record<SubscriptionEnding, Pick<SubscriptionClose, "reason_code" | "reason_message">>> = {
  closed: { reason_code: "subscription_closed" },
  stopping: { reason_code: "producer_shutdown", reason_message: "The producer is stopping." },
};

const TAKEN: ReceivedOutcome = { kind: "taken" };
/** How often a subscriber that asked for it gets its resume point. */
const TELL_PLACE_MS = 250;

/**
 * One peer on one duplex channel of any transport: messages in, answers and events out. Several subscriptions may share it, each with its
 * own terms; a new request of the same subscriber replaces its previous one. On a channel that began without a handshake every request
 * replaces the previous one, because its peer is unidentified.
 */
export class PeerConnection {
  readonly principal: Principal;
  readonly #producer: AaepProducer;
  readonly #channel: PeerChannel;
  readonly #subscriptions = new Map<Subscription, SubscriptionSink>();
  readonly #start: number;
  readonly #mayBeImplicit: boolean;
  #isImplicit = false;
  /** Whether the subscription was negotiated elsewhere and outlives this channel. */
  #isLent = false;
  #isFresh = true;
  #isClosed = false;

  constructor(producer: AaepProducer, channel: PeerChannel, { principal, mayBeImplicit, after }: PeerConnectionOptions) {
    this.#producer = producer;
    this.#channel = channel;
    this.principal = principal;
    this.#start = after ?? producer.head;
    this.#mayBeImplicit = mayBeImplicit && producer.allowsImplicit;
  }

  /**
   * Sends events without a handshake from where the connection began, or returns why not. Call it once it is clear that no handshake
   * follows, because a negotiating peer must not get events earlier. No effect after a handshake.
   */
  beginImplicitly(options: AttachOptions = {}): SubscriptionRejected | undefined {
    if (!this.#mayBeImplicit || !this.#isFresh || this.#isImplicit || this.#isClosed) return undefined;
    return this.#beginImplicitly(options);
  }

  /** Delivers a subscription that was negotiated beside this channel: the channel ends with it, not the other way round. */
  lend(subscription: Subscription, lastEventId: string | undefined): void {
    this.#isLent = true;
    this.#isFresh = false;
    this.#attach(subscription, { lastEventId, joins: true });
  }

  receive(message: JsonObject): ReceivedOutcome {
    // Examples of the protocol omit the subscription id, and without a handshake there is none.
    const withId = this.#mayBeImplicit && isReply(message) && message["subscription_id"] === undefined;
    const reading = readMessage(withId ? { ...message, subscription_id: "sub_none" } : message);
    if (!reading.ok) {
      const isRequest = message["type"] === "subscription.request" || message["type"] === "subscription.renegotiate";
      if (!isRequest) return { kind: "refused", problem: reading.problem };
      return { kind: "answer", message: rejectRequest("unknown", reading.problem.message.slice(0, 1000)).rejected };
    }
    return this.#handle(reading.said);
  }

  /** Sends the resume point, if the channel supports it. */
  mark(): void {
    for (const subscription of this.#subscriptions.keys()) subscription.mark();
  }

  /** The channel has room again. */
  drained(): void {
    for (const [subscription, sink] of this.#subscriptions) subscription.drained(sink);
  }

  /** The channel is gone, and with it everything negotiated over it. `closed`: the peer announced it. */
  closed(why: "closed" | "lost" = "lost"): void {
    this.#isClosed = true;
    for (const [subscription, sink] of [...this.#subscriptions]) {
      if (this.#isLent) subscription.detach(sink);
      else this.#leave(subscription, why);
    }
  }

  #handle(said: SubscriberMessage): ReceivedOutcome {
    switch (said.type) {
      case "subscription.request":
        return this.#subscribe(said);
      case "subscription.renegotiate":
        return this.#renegotiate(said);
      case "subscription.close":
        return this.#close(said);
      case "confirmation.reply":
      case "clarification.reply":
        return this.#reply(said);
      case "other":
        return this.#other(said.message);
    }
  }

  #subscribe(request: SubscriptionRequest): ReceivedOutcome {
    const former = [...this.#subscriptions.keys()].filter(({ subscriberId }) => this.#isImplicit || subscriberId === request.subscriber_id);
    const outcome = this.#producer.subscribe(request, this.principal, { isResumable: false });
    if (!outcome.ok) {
      const isLast = this.#isFresh && this.#subscriptions.size === 0;
      this.#isFresh = false;
      return { kind: "answer", message: outcome.rejected, ...(isLast ? { isLast } : {}) };
    }
    for (const subscription of former) this.#leave(subscription, "superseded");
    this.#isFresh = false;
    const resume = readResume(request);
    const lastEventId = resume === "" ? undefined : resume;
    this.#attach(outcome.subscription, { joins: former.length === 0, lastEventId }, resume !== undefined);
    return { kind: "answer", message: outcome.accepted };
  }

  #renegotiate(message: SubscriptionRenegotiate): ReceivedOutcome {
    const outcome = this.#isOurs(message.subscription_id) ? this.#producer.renegotiate(message, this.principal) : undefined;
    if (outcome === undefined) return { kind: "answer", message: rejectRequest("unknown", "There is no such subscription here.").rejected };
    if (outcome.ok) return { kind: "answer", message: outcome.accepted };
    return { kind: "answer", message: outcome.rejected, ...this.#last() };
  }

  #close(message: SubscriptionClose): ReceivedOutcome {
    const subscription = [...this.#subscriptions.keys()].find(({ id }) => id === message.subscription_id);
    if (subscription === undefined) return TAKEN; // both sides may close at once
    this.#leave(subscription, "closed");
    return { kind: "taken", ...this.#last() };
  }

  #reply(reply: ConfirmationReply | ClarificationReply): ReceivedOutcome {
    this.beginImplicitly();
    this.#producer.reply(reply, this.principal, this.#isImplicit ? "implicit" : "handshake");
    return TAKEN;
  }

  #other(message: JsonObject): ReceivedOutcome {
    if (this.#mayBeImplicit && this.#subscriptions.size === 0 && (this.#isFresh || this.#isImplicit)) this.#beginImplicitly({});
    const outcome = this.#producer.other(message, this.principal);
    if (outcome === undefined)
      return { kind: "refused", problem: { code: "MESSAGE_INVALID", message: "This message is not understood here." } };
    return outcome.control === undefined ? TAKEN : { kind: "answer", message: outcome.control };
  }

  /** A channel ends with its last subscription. */
  #last(): { readonly isLast?: true } {
    return this.#subscriptions.size === 0 && !this.#isImplicit ? { isLast: true } : {};
  }

  #isOurs(id: string): boolean {
    for (const subscription of this.#subscriptions.keys()) if (subscription.id === id) return true;
    return false;
  }

  #beginImplicitly(options: AttachOptions): SubscriptionRejected | undefined {
    const outcome = this.#producer.subscribeImplicitly(this.principal, this.#isImplicit ? undefined : this.#start);
    if (!outcome.ok) return outcome.rejected;
    this.#isImplicit = true;
    this.#attach(outcome.subscription, options);
    return undefined;
  }

  #attach(subscription: Subscription, options: AttachOptions, tellsPlaces = false): void {
    let toldAt = Number.NEGATIVE_INFINITY;
    const sink: SubscriptionSink = {
      send: (events) => {
        const hasRoom = this.#channel.send(events);
        const at = this.#producer.monotonic();
        const place = tellsPlaces && at - toldAt >= TELL_PLACE_MS ? events.findLast(({ resumable }) => resumable) : undefined;
        if (place !== undefined) {
          this.#channel.sendMessage(resumePoint(subscription.id, place.eventId));
          toldAt = at;
        }
        return hasRoom;
      },
      mark: (id) => {
        if (tellsPlaces) this.#channel.sendMessage(resumePoint(subscription.id, id));
        else this.#channel.mark?.(id);
      },
      end: (why) => this.#ended(subscription, why),
    };
    this.#subscriptions.set(subscription, sink);
    subscription.attach(sink, options);
  }

  #leave(subscription: Subscription, why: SubscriptionEnding): void {
    this.#subscriptions.delete(subscription);
    this.#producer.end(subscription, why);
  }

  /** Ended by the producer. */
  #ended(subscription: Subscription, why: SubscriptionEnding): void {
    if (!this.#subscriptions.delete(subscription) || this.#isClosed) return;
    const reason = subscription.isImplicit ? undefined : REASONS[why];
    if (reason !== undefined) this.#channel.sendMessage({ type: "subscription.close", subscription_id: subscription.id, ...reason });
    if (this.#subscriptions.size === 0 && (why === "stopping" || this.#isLent)) this.#channel.close(why);
  }
}

function isReply(message: JsonObject): boolean {
  return message["type"] === "confirmation.reply" || message["type"] === "clarification.reply";
}
