import type { JsonObject } from "@earshot/protocol";
import type { ProducerPorts, SubscriptionKeeper } from "./producer-ports.ts";
import type { Subscription } from "./subscription.ts";
import type { SubscriptionEnding } from "./subscription-ports.ts";

type RosterPorts = Pick<ProducerPorts, "keeper" | "attended" | "maxSubscriptions" | "monotonic">;

/** How long a subscription without a listener is kept in memory, and after which it gives way to another one. */
export const SUBSCRIPTION_IDLE_MS = 10 * 60_000;
const IDLE_UNDER_PRESSURE_MS = 15_000;
/** How long a subscriber with a broken stream is expected back. */
const RETURN_MS = 10_000;

/** All subscriptions of a producer: their limit, who listens, who can answer, and which outlive their stream. */
export class SubscriptionTable implements Iterable<Subscription> {
  readonly #ports: RosterPorts;
  readonly #keeper: SubscriptionKeeper | undefined;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #resumable = new Set<Subscription>();
  #attended = { confirmations: 0, clarifications: 0 };
  /** When the channel of a subscriber that could answer was lost; it returns with another id. */
  #lostAt = Number.NEGATIVE_INFINITY;

  constructor(ports: RosterPorts) {
    this.#ports = ports;
    this.#keeper = ports.keeper;
  }

  get size(): number {
    return this.#subscriptions.size;
  }

  get attached(): number {
    let attached = 0;
    for (const subscription of this) if (subscription.isAttached) attached++;
    return attached;
  }

  /** The lowest position of the active listeners; undefined without any. */
  get hindmost(): number | undefined {
    let first: number | undefined;
    for (const { isAttached, cursor } of this) if (isAttached && (first === undefined || cursor < first)) first = cursor;
    return first;
  }

  [Symbol.iterator](): Iterator<Subscription> {
    return this.#subscriptions.values();
  }

  get(id: string): Subscription | undefined {
    return this.#subscriptions.get(id);
  }

  add(subscription: Subscription): void {
    this.#subscriptions.set(subscription.id, subscription);
  }

  /** Keeps the subscription beyond its stream, and beyond this process if there is a keeper. Call it again when the terms change. */
  keep(subscription: Subscription): void {
    const { id, principal, terms } = subscription;
    this.#resumable.add(subscription);
    // Negotiated terms came as JSON and are plain values.
    const { requested, honored } = terms as { requested: JsonObject; honored: JsonObject };
    this.#keeper?.keep({ id, principal: principal.id, requested, honored });
  }

  isKept(subscription: Subscription): boolean {
    return this.#resumable.has(subscription);
  }

  /** Ends it for good; only a stopping producer leaves resumable ones to the next process. */
  end(subscription: Subscription, why: SubscriptionEnding): void {
    if (this.#subscriptions.get(subscription.id) !== subscription) return;
    this.#subscriptions.delete(subscription.id);
    if (this.#resumable.delete(subscription) && why !== "stopping") this.#keeper?.forget(subscription.id);
    subscription.end(why);
    if (why === "lost" && subscription.couldAnswer) this.#lostAt = this.#ports.monotonic();
    this.countAttended(why === "closed" && subscription.couldAnswer && !this.#expectsSomebody());
  }

  /** Subscriptions without a listener give way first. */
  hasRoom(): boolean {
    const { maxSubscriptions } = this.#ports;
    if (this.#subscriptions.size >= maxSubscriptions) this.dropIdle(IDLE_UNDER_PRESSURE_MS);
    return this.#subscriptions.size < maxSubscriptions;
  }

  /** Stored ones can be loaded again. */
  dropIdle(idleMs = SUBSCRIPTION_IDLE_MS): void {
    const before = this.#ports.monotonic() - idleMs;
    for (const subscription of this) {
      const { detachedAt } = subscription;
      if (detachedAt === undefined || detachedAt > before) continue;
      this.#subscriptions.delete(subscription.id);
      this.#resumable.delete(subscription);
      subscription.end("closed");
    }
  }

  #expectsSomebody(): boolean {
    const since = this.#ports.monotonic() - RETURN_MS;
    for (const { couldAnswer, detachedAt } of this) if (couldAnswer && detachedAt !== undefined && detachedAt > since) return true;
    return this.#lostAt > since;
  }

  /** Reports how many can answer, if that changed or is final. */
  countAttended(isFinal = false): void {
    const { attended } = this.#ports;
    if (attended === undefined) return;
    let confirmations = 0;
    let clarifications = 0;
    for (const subscription of this) {
      if (subscription.answersConfirmations) confirmations++;
      if (subscription.answersClarifications) clarifications++;
    }
    const isSame = confirmations === this.#attended.confirmations && clarifications === this.#attended.clarifications;
    if (isSame && !isFinal) return;
    this.#attended = { confirmations, clarifications };
    attended(this.#attended, isFinal);
  }
}
