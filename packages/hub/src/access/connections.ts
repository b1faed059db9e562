/** An answer under way, or the connection of a WebSocket. Not what is idle: a proxy shares that among many. */
export interface Open {
  once(event: "close", hear: () => void): unknown;
  destroy(): unknown;
}

/** So that an answer to the very request that revokes a credential still gets through. */
const GRACE_MS = 100;
const SWEEP_MS = 15_000;

/** What a credential has opened: a stream that was begun with one must end with it. */
export class Connections implements Disposable {
  readonly #isLive: (credential: string) => boolean;
  readonly #open = new Map<string, Set<Open>>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(isLive: (credential: string) => boolean) {
    this.#isLive = isLive;
    // Those that expire say nothing when they do.
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  keep(credential: string, one: Open): void {
    const all = this.#open.get(credential) ?? new Set();
    this.#open.set(credential, all.add(one));
    one.once("close", () => {
      all.delete(one);
      if (all.size === 0 && this.#open.get(credential) === all) this.#open.delete(credential);
    });
  }

  cut(credential: string): void {
    setTimeout(() => {
      for (const one of this.#open.get(credential) ?? []) one.destroy();
    }, GRACE_MS).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper);
  }

  #sweep(): void {
    for (const credential of this.#open.keys()) if (!this.#isLive(credential)) this.cut(credential);
  }
}
