import { type Answer, type EngineHost, EngineLost, type EngineMethod, type Given } from "./engine-host.ts";
import { viewsUnavailable } from "./views-unavailable.ts";

export interface KeeperOptions {
  readonly start: () => EngineHost;
  /** Before one is started. */
  readonly prepare: () => Promise<unknown>;
  /** Whether there is something to do for it, besides answering. */
  readonly isNeeded: () => boolean;
  /** It ended by itself, so many times lately. */
  readonly onLost: (losses: number) => void;
  /** How long it stays at hand with nothing to do. */
  readonly idleMs: number;
}

/** One that ends by itself is started again, but not for ever. */
const MOST_LOSSES = 3;
const FORGIVE_LOSSES_MS = 60_000;

/** Has an engine at hand while there is something to do, and none otherwise. Whoever asks does not notice. */
export class EngineKeeper {
  readonly #options: KeeperOptions;
  #host: EngineHost | undefined;
  #starting: Promise<EngineHost> | undefined;
  /** One that had nothing to do, until it is gone. */
  #closing: Promise<void> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asking = 0;
  #losses: number[] = [];
  #isClosed = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#host !== undefined;
  }

  /** It was lost too often: nobody is served for a while. */
  get hasGivenUp(): boolean {
    const recently = performance.now() - FORGIVE_LOSSES_MS;
    this.#losses = this.#losses.filter((at) => at > recently);
    return this.#losses.length >= MOST_LOSSES;
  }

  ask<Method extends EngineMethod>(method: Method, ...given: Given<Method>): Answer<Method> {
    return this.#askAgain(method, given);
  }

  async follow(head: () => number, wanted: () => number): Promise<void> {
    const host = await this.#take();
    host.follow(head(), wanted());
    this.#idle?.refresh();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#starting?.catch(() => {}); // it says so itself
    await this.#host?.close();
    await this.#closing;
  }

  async #askAgain<Method extends EngineMethod>(method: Method, given: Given<Method>): Answer<Method> {
    this.#asking++;
    try {
      for (let tries = 1; ; tries++) {
        const host = await this.#take();
        try {
          return await host.ask(method, ...given);
        } catch (error) {
          // Everything that is asked may be asked again.
          if (!(error instanceof EngineLost)) throw error;
          if (this.#host === host) this.#host = undefined;
          if (tries >= MOST_LOSSES || this.#isClosed) throw unread(error);
        }
      }
    } finally {
      this.#asking--;
      this.#idle?.refresh();
    }
  }

  #take(): Promise<EngineHost> {
    if (this.#isClosed || this.hasGivenUp) return Promise.reject(unread());
    if (this.#host !== undefined) return Promise.resolve(this.#host);
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(): Promise<EngineHost> {
    await this.#closing; // the file has one writer
    await this.#options.prepare();
    if (this.#isClosed) throw unread();
    const host = this.#options.start();
    this.#host = host;
    let isMeant = false;
    void host.gone.then(() => {
      if (this.#host === host) this.#host = undefined;
      if (isMeant || this.#isClosed) return;
      this.#losses.push(performance.now());
      this.#options.onLost(this.#losses.length);
    });
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#isClosed || this.#host !== host) return;
      if (this.#asking > 0 || this.#options.isNeeded()) {
        this.#idle?.refresh();
        return;
      }
      isMeant = true;
      this.#host = undefined;
      this.#closing = host.close();
    }, this.#options.idleMs).unref();
    return host;
  }
}

export function unread(cause?: unknown): Error {
  return viewsUnavailable("The session views cannot be read right now.", cause);
}
