import type { Socket } from "node:net";

/** So that an answer to the very request that revokes a credential still gets through. */
const GRACE_MS = 100;
const SWEEP_MS = 15_000;

/** Which connections a credential has opened: a stream that was begun with one must end with it. */
export class Connections implements Disposable {
  readonly #isLive: (credential: string) => boolean;
  readonly #open = new Map<string, Set<Socket>>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(isLive: (credential: string) => boolean) {
    this.#isLive = isLive;
    // Those that expire say nothing when they do.
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  keep(credential: string, socket: Socket): void {
    const sockets = this.#open.get(credential) ?? new Set();
    if (sockets.has(socket) || typeof socket.once !== "function") return;
    this.#open.set(credential, sockets.add(socket));
    socket.once("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0 && this.#open.get(credential) === sockets) this.#open.delete(credential);
    });
  }

  cut(credential: string): void {
    const sockets = [...(this.#open.get(credential) ?? [])];
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, GRACE_MS).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper);
  }

  #sweep(): void {
    for (const credential of this.#open.keys()) if (!this.#isLive(credential)) this.cut(credential);
  }
}
