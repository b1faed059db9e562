import type {
  ClarificationReply,
  ConfirmationReply,
  JsonObject,
  Manifest,
  SubscriptionAccepted,
  SubscriptionRejected,
  SubscriptionRenegotiate,
  SubscriptionRequest,
} from "@earshot/protocol";
import type { FeedPage } from "../feed.ts";
import { compileTerms } from "./compile-terms.ts";
import { implicitTerms, negotiate, rejectRequest } from "./negotiate.ts";
import type { Negotiation, Principal, ProducerPorts } from "./producer-ports.ts";
import { FeedPump, RecentEvents } from "./pump.ts";
import { Subscription } from "./subscription.ts";
import type { ProducerServices, ScheduledSubscription, SubscriptionEnding } from "./subscription-ports.ts";
import { SUBSCRIPTION_IDLE_MS, SubscriptionTable } from "./subscription-table.ts";
import { TIMER_SLACK_MS, WakeTimer } from "./wake-timer.ts";

export type SubscribeResult =
  | { readonly ok: true; readonly accepted: SubscriptionAccepted; readonly subscription: Subscription }
  | { readonly ok: false; readonly rejected: SubscriptionRejected };

export interface SubscriptionOptions {
  /** Whether it outlives its stream, to be resumed by id. */
  readonly isResumable: boolean;
  /** Where it begins; default: now. */
  readonly after?: number | undefined;
}

const RETRY_AFTER_SECONDS = 30;

/**
 * Serves one feed to many subscribers, each on its own terms. The feed is read once for all that are up to date, and one timer wakes all
 * that have work due. Bindings provide the peers: over a duplex channel with `Connection`, over HTTP with `subscribe`, `find` and
 * `attach`.
 */
export class AaepProducer {
  readonly #ports: ProducerPorts;
  readonly #station: ProducerServices;
  readonly #roster: SubscriptionTable;
  readonly #recent: RecentEvents;
  readonly #pump: FeedPump;
  readonly #alarm: WakeTimer;
  readonly #closing = new Set<() => void>();
  #isClosed = false;

  constructor(ports: ProducerPorts) {
    this.#ports = ports;
    this.#roster = new SubscriptionTable(ports);
    this.#recent = new RecentEvents(ports.feed.head());
    const recent = this.#recent;
    this.#station = {
      get position() {
        return recent.upTo;
      },
      head: () => ports.feed.head(),
      read: (after, limit) => recent.read(after, limit) ?? ports.feed.read(after, limit),
      find: async (eventId) => {
        const position = await ports.feed.find(eventId);
        return position !== undefined && position <= ports.feed.head() ? position : undefined;
      },
      idAt: (position) => ports.feed.idAt(position),
      running: () => ports.feed.running(),
      offer: ports.offer,
      newEventId: () => ports.newId("evt"),
      monotonic: ports.monotonic,
      now: ports.now,
      onFailure: ports.onFailure,
      moved: (who) => this.#moved(who),
      due: (who) => this.#due(who),
    };
    const { feed, after, onFailure } = ports;
    const hindmost = () => this.#roster.hindmost;
    this.#pump = new FeedPump({ feed, recent, after, onFailure, hindmost, handRound: (page, from) => this.#handRound(page, from) });
    this.#alarm = new WakeTimer(ports, () => this.#tick());
  }

  get allowsImplicit(): boolean {
    return this.#ports.allowsImplicit;
  }

  /** Number of subscriptions, with or without a listener. */
  get size(): number {
    return this.#roster.size;
  }

  get attached(): number {
    return this.#roster.attached;
  }

  /** The lowest position of the active listeners; undefined without any. */
  get hindmost(): number | undefined {
    return this.#roster.hindmost;
  }

  /** Whether all listeners were sent everything. */
  get isSettled(): boolean {
    for (const subscription of this.#roster) if (subscription.isAttached && !subscription.hasAll) return false;
    return true;
  }

  /** The position of the newest event. */
  get head(): number {
    return this.#ports.feed.head();
  }

  /** A monotonic clock in milliseconds. */
  monotonic(): number {
    return this.#ports.monotonic();
  }

  manifest(): Manifest {
    return this.#ports.manifest();
  }

  /** Compact JWS; undefined if unsigned. */
  signedManifest(): string | undefined {
    return this.#ports.offer().signedManifest;
  }

  /** Answers a request. If accepted, attach the subscription to a stream after sending the answer. */
  subscribe(request: SubscriptionRequest, principal: Principal, { isResumable, after }: SubscriptionOptions): SubscribeResult {
    const refusal = this.#refusalOf(principal);
    if (refusal !== undefined) return refusal;
    try {
      const id = this.#ports.newId("sub");
      const outcome = negotiate(request, this.#ports.offer(), id);
      if (!outcome.ok) return outcome;
      const { accepted, terms } = outcome;
      const subscription = this.#open({
        id,
        principal,
        terms,
        version: accepted.aaep_version,
        isImplicit: false,
        subscriberId: request.subscriber_id,
        after: after ?? this.head,
      });
      if (isResumable) this.#roster.keep(subscription);
      return { ok: true, accepted, subscription };
    } catch (error) {
      this.#ports.onFailure(error);
      return rejectRequest("unknown", "The request could not be answered. This is a defect of the producer.");
    }
  }

  /** A subscription without a handshake on default terms; or why there is none. */
  subscribeImplicitly(
    principal: Principal,
    after?: number,
  ): { readonly ok: true; readonly subscription: Subscription } | Extract<SubscribeResult, { ok: false }> {
    if (!this.allowsImplicit) {
      return rejectRequest("capabilities_incompatible", "Events are sent after a handshake only: subscription.request comes first.");
    }
    const refusal = this.#refusalOf(principal);
    if (refusal !== undefined) return refusal;
    const subscription = this.#open({
      id: this.#ports.newId("sub"),
      principal,
      terms: implicitTerms(),
      version: this.#ports.offer().versions[0] ?? "1.0.0",
      isImplicit: true,
      subscriberId: undefined,
      after: after ?? this.head,
    });
    return { ok: true, subscription };
  }

  /**
   * The subscription with this id if this credential owns it, because an id is no credential. Includes stored subscriptions of an earlier
   * process.
   */
  find(id: string, principal: Principal): Subscription | undefined {
    const known = this.#roster.get(id);
    if (known !== undefined) return known.principal.id === principal.id ? known : undefined;
    const kept = this.#ports.keeper?.find(id);
    if (kept === undefined || kept.principal !== principal.id || this.#isClosed || !this.#roster.hasRoom()) return undefined;
    const subscription = this.#open({
      id,
      principal,
      terms: compileTerms(kept.requested, kept.honored),
      version: this.#ports.offer().versions[0] ?? "1.0.0",
      isImplicit: false,
      subscriberId: undefined,
      after: this.head,
    });
    this.#roster.keep(subscription);
    return subscription;
  }

  /** Accepted with new terms under the same id; if rejected, the subscription has ended. */
  renegotiate(message: SubscriptionRenegotiate, principal: Principal): Negotiation | undefined {
    const subscription = this.find(message.subscription_id, principal);
    if (subscription === undefined) return undefined;
    const outcome = subscription.renegotiate(message);
    if (!outcome.ok) this.end(subscription, "rejected");
    else if (this.#roster.isKept(subscription)) this.#roster.keep(subscription);
    return outcome;
  }

  /** Ends a subscription for good. */
  end(subscription: Subscription, why: SubscriptionEnding): void {
    this.#roster.end(subscription, why);
  }

  /**
   * Handles a well-formed reply. It takes effect if the sender may reply and owns the subscription, which declared replies; or comes from
   * a stream without a handshake, where those are allowed. The sender does not learn which.
   */
  reply(reply: ConfirmationReply | ClarificationReply, principal: Principal, over: "handshake" | "implicit"): void {
    if (!principal.mayReply || this.#isClosed) return;
    const subscription = this.find(reply.subscription_id, principal);
    if (subscription === undefined) {
      if (over !== "implicit" || !this.allowsImplicit || this.#roster.get(reply.subscription_id) !== undefined) return;
      this.#ports.reply(reply, { principal, subscriptionId: undefined });
      return;
    }
    const { terms, isImplicit } = subscription;
    const answers = reply.type === "confirmation.reply" ? terms.answersConfirmations : terms.answersClarifications;
    if (answers || isImplicit) this.#ports.reply(reply, { principal, subscriptionId: subscription.id });
  }

  /** Handles a message outside AAEP; undefined if it is not understood. */
  other(message: JsonObject, principal: Principal): { readonly control?: JsonObject } | undefined {
    return this.#isClosed ? undefined : this.#ports.other?.(message, principal);
  }

  /** Drops the cached events. Call it after removals from the feed. */
  forget(): void {
    this.#recent.restart(this.#recent.upTo);
  }

  /** Calls back once before everything ends, for bindings that hold connections open. */
  onClose(call: () => void): () => void {
    this.#closing.add(call);
    return () => this.#closing.delete(call);
  }

  /** Ends all subscriptions; the resumable ones continue with the next process. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pump.close();
    this.#alarm.clear();
    for (const subscription of [...this.#roster]) this.end(subscription, "stopping");
    for (const call of [...this.#closing]) call();
    this.#closing.clear();
  }

  #open(facts: ConstructorParameters<typeof Subscription>[1]): Subscription {
    const subscription = new Subscription(this.#station, facts);
    this.#roster.add(subscription);
    this.#alarm.setFor(this.#ports.monotonic() + SUBSCRIPTION_IDLE_MS);
    return subscription;
  }

  /** Why a peer is not served at all. */
  #refusalOf(principal: Principal): ReturnType<typeof rejectRequest> | undefined {
    if (this.#isClosed) return rejectRequest("transport_unavailable", "The producer is stopping.");
    if (!principal.mayRead) return rejectRequest("authorization_denied", "The credential is good, but not for reading.");
    if (this.#roster.hasRoom()) return undefined;
    const message = "There are as many subscriptions as this producer serves.";
    return rejectRequest("rate_limit", message, { retry_after_seconds: RETRY_AFTER_SECONDS });
  }

  #moved(who: ScheduledSubscription): void {
    if (this.#isClosed) return;
    this.#roster.countAttended();
    this.#due(who);
    if (who.isAttached) this.#pump.wake();
  }

  #due(who: ScheduledSubscription): void {
    const due = who.dueAt();
    if (due !== undefined && !this.#isClosed) this.#alarm.setFor(due);
  }

  #handRound(page: FeedPage, from: number): void {
    for (const subscription of this.#roster) {
      if (!subscription.isAttached) continue;
      subscription.offer(page, from);
      this.#due(subscription);
    }
  }

  #tick(): void {
    const soon = this.#ports.monotonic() + TIMER_SLACK_MS;
    this.#roster.dropIdle();
    let next = this.#roster.size === 0 ? undefined : soon + SUBSCRIPTION_IDLE_MS / 2;
    for (const subscription of this.#roster) {
      const due = subscription.dueAt();
      if (due !== undefined && due <= soon) subscription.flush();
      const after = subscription.dueAt();
      if (after !== undefined && (next === undefined || after < next)) next = after;
    }
    if (next !== undefined) this.#alarm.setFor(next);
  }
}
