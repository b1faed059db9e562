interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Those who wait until a position is reached. */
export class Waiters {
  readonly #waiting = new Set<Waiter>();

  get size(): number {
    return this.#waiting.size;
  }

  /** The furthest position that somebody waits for; 0 when nobody does. */
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
