import type { JsonObject } from "@earshot/protocol";
import type { ProducerPorts, SubscriptionKeeper } from "./producer-ports.ts";
import type { Subscription } from "./subscription.ts";
import type { Ending } from "./subscription-ports.ts";

type RosterPorts = Pick<ProducerPorts, "keeper" | "attended" | "maxSubscriptions" | "monotonic">;

/** How long a subscription that nobody listens to is kept in memory; and how soon it makes room for another. */
export const IDLE_MS = 10 * 60_000;
const IDLE_UNDER_PRESSURE_MS = 15_000;
/** How long somebody whose stream broke is expected back. */
const RETURN_MS = 10_000;

/** All subscriptions of a producer: how many there may be, who listens, who can answer, and which outlive their stream. */
export class Roster implements Iterable<Subscription> {
  readonly #ports: RosterPorts;
  readonly #keeper: SubscriptionKeeper | undefined;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #resumable = new Set<Subscription>();
  #attended = { confirmations: 0, clarifications: 0 };
  /** When the channel of somebody who could answer was gone: such a one comes back as somebody else. */
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

  /** Where the hindmost of those who listen stands; undefined when nobody does. */
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

  /** It outlives its stream, and this process where there is a keeper. To be called again when its terms have changed. */
  keep(subscription: Subscription): void {
    const { id, principal, terms } = subscription;
    this.#resumable.add(subscription);
    // What was negotiated came as JSON, and is plain.
    const { requested, honored } = terms as { requested: JsonObject; honored: JsonObject };
    this.#keeper?.keep({ id, principal: principal.id, requested, honored });
  }

  isKept(subscription: Subscription): boolean {
    return this.#resumable.has(subscription);
  }

  /** For good; only a producer that stops leaves what can be resumed to its next life. */
  end(subscription: Subscription, why: Ending): void {
    if (this.#subscriptions.get(subscription.id) !== subscription) return;
    this.#subscriptions.delete(subscription.id);
    if (this.#resumable.delete(subscription) && why !== "stopping") this.#keeper?.forget(subscription.id);
    subscription.end(why);
    if (why === "lost" && subscription.couldAnswer) this.#lostAt = this.#ports.monotonic();
    this.countAttended(why === "closed" && subscription.couldAnswer && !this.#expectsSomebody());
  }

  /** Whoever nobody listens to makes room first. */
  hasRoom(): boolean {
    const { maxSubscriptions } = this.#ports;
    if (this.#subscriptions.size >= maxSubscriptions) this.dropIdle(IDLE_UNDER_PRESSURE_MS);
    return this.#subscriptions.size < maxSubscriptions;
  }

  /** What a keeper has can be had again from there. */
  dropIdle(idleMs = IDLE_MS): void {
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

  /** Tells how many can answer, when that has changed or is final. */
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
