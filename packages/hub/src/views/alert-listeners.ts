import { reasonOf } from "../ledger/sqlite/sqlite-error.ts";
import type { RaisedAlert } from "./view-tables.ts";

type Listener = (raised: RaisedAlert) => void;

/** Tells alerts to whoever listens, each once. */
export class AlertListeners {
  readonly #log: (line: string) => void;
  readonly #listeners = new Set<Listener>();
  #toldUpTo = Number.POSITIVE_INFINITY;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  add(hear: Listener): () => void {
    // A function of its own, so that one that listens twice can stop once.
    const listener = (raised: RaisedAlert) => hear(raised);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells nothing about events up to a position: they were heard before anybody could listen. */
  beginAfter(position: number): void {
    this.#toldUpTo = position;
  }

  /** Catching up and building anew raise old alerts once more: those are not told again. */
  tell(alerts: readonly RaisedAlert[]): void {
    for (const raised of alerts) {
      if (raised.position <= this.#toldUpTo) continue;
      this.#toldUpTo = raised.position;
      for (const listener of this.#listeners) this.#tellOne(listener, raised);
    }
  }

  #tellOne(listener: Listener, raised: RaisedAlert): void {
    try {
      listener(raised);
    } catch (error) {
      this.#log(`A listener for alerts failed: ${reasonOf(error)}.`);
    }
  }
}
