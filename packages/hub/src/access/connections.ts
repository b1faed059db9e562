import type { Caller } from "./gate.ts";

/** A response in progress, or a WebSocket connection. Idle connections are excluded, because a proxy shares them. */
export interface OpenStream {
  once(event: "close", listener: () => void): unknown;
  destroy(): unknown;
}

/** Lets the answer to the revoking request itself get through. */
const GRACE_MS = 100;
const SWEEP_MS = 1000;

/** The open streams of callers: each ends with the credential it was opened with. */
export class OpenConnections implements Disposable {
  readonly #now: () => number;
  readonly #open = new Map<OpenStream, { readonly credential: string; readonly until: number }>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(now: () => number) {
    this.#now = now;
    this.#sweeper = setInterval(() => this.cutExpired(), SWEEP_MS).unref();
  }

  keep({ credential, until = Number.POSITIVE_INFINITY }: Caller, stream: OpenStream): void {
    if (credential === undefined) return;
    this.#open.set(stream, { credential, until });
    stream.once("close", () => this.#open.delete(stream));
  }

  cut(credential: string): void {
    const cut = [...this.#open].filter(([, opened]) => opened.credential === credential);
    setTimeout(() => {
      for (const [stream] of cut) stream.destroy();
    }, GRACE_MS).unref();
  }

  cutExpired(): void {
    const now = this.#now();
    for (const [stream, { until }] of this.#open) if (until <= now) stream.destroy();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper);
  }
}
