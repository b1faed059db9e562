import { reasonOfError } from "../ledger/sqlite/sqlite-error.ts";
import type { Alert } from "./api.ts";
import type { NewAlerts } from "./view-follower.ts";

interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Promises that fulfill when a position is reached. */
export class Waiters {
  readonly #waiting = new Set<Waiter>();

  /** The highest awaited position; 0 when there is none. */
  get furthest(): number {
    let furthest = 0;
    for (const { position } of this.#waiting) furthest = Math.max(furthest, position);
    return furthest;
  }

  wait(position: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { position, resolve, reject };
    const giveUp = () => {
      this.#waiting.delete(waiter);
      reject(signal?.reason);
    };
    if (signal?.aborted === true) giveUp();
    else this.#waiting.add(waiter);
    signal?.addEventListener("abort", giveUp, { once: true });
    return promise.finally(() => signal?.removeEventListener("abort", giveUp));
  }

  reached(position: number): void {
    for (const waiter of this.#waiting) {
      if (waiter.position > position) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }

  rejectAll(reason: unknown): void {
    for (const { reject } of this.#waiting) reject(reason);
    this.#waiting.clear();
  }
}

type Listener = (alert: Alert) => void;

/** Remembered numbers of sent silence alerts, to send each once. */
const MAX_REMEMBERED_ALERTS = 1000;

/** Sends each alert to the listeners once. */
export class AlertListeners {
  readonly #log: (line: string) => void;
  readonly #listeners = new Set<Listener>();
  /** Time-based alerts come in no fixed order of sessions. */
  readonly #timed = new Set<number>();
  #sentUpTo = Number.POSITIVE_INFINITY;
  #after = Number.POSITIVE_INFINITY;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  add(given: Listener): () => void {
    // A distinct function, so that registering the same listener twice can be undone once.
    const listener = (alert: Alert) => given(alert);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Suppresses alerts of entries up to a position: they were stored before a listener could be added. */
  beginAfter(position: number): void {
    this.#after = position;
    this.#sentUpTo = 0;
  }

  /** Folding entries again raises old alerts again; those are not sent. */
  notify({ raised, timed }: NewAlerts): void {
    for (const alert of raised) {
      if (alert.position <= this.#after || alert.number <= this.#sentUpTo) continue;
      this.#sentUpTo = alert.number;
      this.#send(alert);
    }
    for (const alert of timed) {
      if (this.#timed.has(alert.number)) continue;
      this.#timed.add(alert.number);
      for (const oldest of this.#timed) {
        if (this.#timed.size <= MAX_REMEMBERED_ALERTS) break;
        this.#timed.delete(oldest);
      }
      this.#send(alert);
    }
  }

  #send(alert: Alert): void {
    for (const listener of this.#listeners) {
      try {
        listener(alert);
      } catch (error) {
        this.#log(`A listener for alerts failed: ${reasonOfError(error)}.`);
      }
    }
  }
}
