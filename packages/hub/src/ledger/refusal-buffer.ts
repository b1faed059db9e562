import type { Count, Refusal } from "./ledger.ts";

const MAX_WAITING = 10_000;

export interface RefusalBatch {
  readonly refusals: readonly Refusal[];
  readonly counts: readonly Count[];
}

/** Refusals and counters waiting for the next transaction: they are not worth a sync of their own. */
export class RefusalBuffer {
  #refusals: Refusal[] = [];
  #counts = new Map<string, Count>();

  get isEmpty(): boolean {
    return this.#refusals.length === 0 && this.#counts.size === 0;
  }

  add(refusals: readonly Refusal[]): void {
    for (const refusal of refusals) {
      const { source, receivedAt: lastAt } = refusal;
      this.count({ what: "refused", source, howMany: 1, lastAt });
      if (this.#refusals.length < MAX_WAITING) this.#refusals.push(refusal);
      else this.count({ what: "refused and not kept", source, howMany: 1, lastAt });
    }
  }

  count({ what, source, howMany, lastAt }: Count): void {
    const key = `${what} ${source}`;
    const before = this.#counts.get(key)?.howMany ?? 0;
    this.#counts.set(key, { what, source, howMany: before + howMany, lastAt });
  }

  take(): RefusalBatch {
    const taken = { refusals: this.#refusals, counts: [...this.#counts.values()] };
    this.#refusals = [];
    this.#counts = new Map();
    return taken;
  }

  /** The batch could not be written. */
  putBack({ refusals, counts }: RefusalBatch): void {
    const newer = [...this.#counts.values()];
    this.#counts = new Map();
    for (const count of [...counts, ...newer]) this.count(count);
    this.#refusals = [...refusals, ...this.#refusals].slice(0, MAX_WAITING);
  }
}
