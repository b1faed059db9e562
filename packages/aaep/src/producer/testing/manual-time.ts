/** A clock that stands until it is told to go on, with the timers of a producer. */
export class ManualTime {
  #at = 1000;
  #timers: { readonly at: number; readonly call: () => void }[] = [];

  readonly monotonic = (): number => this.#at;
  readonly now = (): number => Date.UTC(2026, 6, 1) + this.#at;

  readonly after = (ms: number, call: () => void): (() => void) => {
    const timer = { at: this.#at + ms, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  get timers(): number {
    return this.#timers.length;
  }

  /** Goes on, timer by timer; between two, whatever they began gets its turn. */
  async pass(ms: number): Promise<void> {
    const end = this.#at + ms;
    for (;;) {
      await settle();
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#at = Math.max(this.#at, next.at);
      next.call();
    }
    this.#at = end;
    await settle();
  }
}

/** A few turns of the event loop: what does not wait for anything outside is done then. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
