import { HEARD_MS, LEASE_MS } from "../../../cluster/member.ts";
import type { SeededRandom } from "./random.ts";

/** Defects of hubs that share a database. */
export interface HubFaults {
  /** Deadlines go by the clock of each machine. */
  readonly trustsOwnClock?: boolean;
  /** Every hub ends what nobody answers. */
  readonly needsNoLease?: boolean;
  /** Askers count only at the hub that they poll. */
  readonly keepsPollsToItself?: boolean;
}

/** One hub's connection to the database, and its clock. */
interface HubState {
  isReachable: boolean;
  /** Milliseconds between its machine's clock and the database's. */
  skewMs: number;
  /** Added to its machine's clock since its last beat. */
  offsetMs: number;
  lease: { readonly fence: number; readonly until: number } | undefined;
  beatAt: number;
  /** The process does not run before. */
  stalledUntil: number;
}

const MAX_SKEW_MS = 1_200_000;
const MAX_LATENCY_MS = 20;

/** The state that hubs share beside the ledger, as in `cluster/member.ts`: the clock of the database, the lease, and polls. */
export class Hubs {
  fence = 0;
  readonly states: readonly HubState[];
  /** When a poll of an asker was last under way at any hub, by request. */
  readonly heardAt = new Map<string, number>();
  readonly #random: SeededRandom;
  readonly #faults: HubFaults;
  #holder = -1;
  #until = 0;

  constructor(count: number, random: SeededRandom, faults: HubFaults = {}) {
    this.#random = random;
    this.#faults = faults;
    this.states = Array.from({ length: count }, () => ({
      isReachable: true,
      skewMs: random.whole(-MAX_SKEW_MS, MAX_SKEW_MS),
      offsetMs: 0,
      lease: undefined,
      beatAt: Number.NEGATIVE_INFINITY,
      stalledUntil: 0,
    }));
    for (const state of this.states) this.#readClock(state);
  }

  /** Milliseconds between a hub's estimate of the database's clock and that clock. */
  errorMs(index: number): number {
    const state = this.#stateOf(index);
    return state.skewMs + state.offsetMs;
  }

  /** Renews what a hub holds. Gives the requests that it hears of; none if the database is away. */
  beat(index: number, now: number, polled: readonly string[]): readonly string[] {
    const state = this.#stateOf(index);
    if (!state.isReachable) return [];
    this.#readClock(state);
    state.beatAt = now;
    if (this.#holder !== index && this.#until < now) {
      this.#holder = index;
      this.fence++;
    }
    if (this.#holder === index) this.#until = now + LEASE_MS;
    state.lease = this.#holder === index ? { fence: this.fence, until: now + LEASE_MS } : undefined;
    for (const id of polled) this.heardAt.set(id, now);
    if (this.#faults.keepsPollsToItself === true) return [];
    return [...this.heardAt].filter(([, at]) => at > now - HEARD_MS).map(([id]) => id);
  }

  /** The hub's last beat has heard of this asker, not before it knew of the request, and not too long ago for it to be waiting. */
  hasHeard(index: number, id: string, { since, until }: { readonly since: number; readonly until: number }): boolean {
    const { beatAt } = this.#stateOf(index);
    const at = this.heardAt.get(id) ?? Number.NEGATIVE_INFINITY;
    return at > beatAt - HEARD_MS && at < beatAt && beatAt > Math.max(since, until);
  }

  /** A process stops in the middle of a write, and goes on as if no time had passed. */
  stall(index: number, until: number): void {
    this.#stateOf(index).stalledUntil = until;
  }

  isStalled(index: number, now: number): boolean {
    return now < this.#stateOf(index).stalledUntil;
  }

  /** The number under which a hub may end what nobody answers; undefined if it may not. */
  fenceOf(index: number, now: number): number | undefined {
    const { lease } = this.#stateOf(index);
    if (this.#faults.needsNoLease === true) return lease?.fence ?? 0;
    return lease !== undefined && now < lease.until ? lease.fence : undefined;
  }

  #readClock(state: HubState): void {
    state.offsetMs = this.#faults.trustsOwnClock === true ? 0 : this.#random.whole(-MAX_LATENCY_MS, MAX_LATENCY_MS) - state.skewMs;
  }

  #stateOf(index: number): HubState {
    const state = this.states[index];
    if (state === undefined) throw new Error(`There is no hub ${index}.`);
    return state;
  }
}
