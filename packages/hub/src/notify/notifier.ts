import type { NewsList } from "../requests/api.ts";
import type { Asked } from "../requests/card.ts";
import type { Whom } from "../whom.ts";
import type { Desktop, Note } from "./desktops.ts";
import { guardNote, moreNote, requestNote, TEST_NOTE } from "./note-words.ts";

export interface NotifierPorts {
  readonly desktop: Desktop;
  /** The agent's name for people. */
  readonly nameOf: (agent: string) => Promise<string>;
  /** Told once when nothing can be shown any more, and not again until something was. */
  readonly log: (message: string) => void;
  /** How long to wait whether a rule answers first. */
  readonly settleMs?: number;
}

/** What requests are followed by. */
export interface Following {
  wait(after: number, ms: number, signal: AbortSignal): Promise<NewsList>;
  /** The question, while it is open; undefined when it is not, or nobody knows it. */
  findOpen(request: string): Promise<Asked | undefined>;
}

const SETTLE_MS = 400;
const WAIT_MS = 60_000;
/** Shown at once. A desktop full of them is read by nobody: the rest is told as one. */
const MOST_SHOWN = 5;
const MOST_WAITING = 20;

/**
 * Shows on the desktop that somebody waits, once for each request, and takes it away when that is answered. One thing at a time: what
 * is slow or broken holds up nothing but itself.
 */
export class Notifier {
  readonly desktop: Desktop;
  readonly #ports: NotifierPorts;
  readonly #closing = new AbortController();
  /** By request: what it is taken away by; undefined while it is about to be shown, or where it cannot be. */
  readonly #shown = new Map<string, string | undefined>();
  /** Those that are only told to be more. */
  readonly #more = new Set<string>();
  #moreHandle: string | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #trouble: string | undefined;

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
    this.desktop = ports.desktop;
  }

  /** Why the last attempt failed; undefined when it did not. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Follows what happens to requests from now on. */
  async follow(following: Following): Promise<void> {
    const { signal } = this.#closing;
    let { next } = await following.wait(Number.MAX_SAFE_INTEGER, 0, signal);
    while (!signal.aborted) {
      const told = await following.wait(next, WAIT_MS, signal);
      next = told.next;
      for (const { what, request } of told.news) {
        if (request === null) continue;
        if (what === "asked") this.#askedSoon(request, following);
        else if (what === "decided") this.#ended(request);
      }
    }
  }

  /** Something went past the guard, or it was changed. */
  guard(whom: Whom | undefined): void {
    if (this.#waiting >= MOST_WAITING) return;
    this.#next(async () => this.#show(guardNote(whom === undefined ? undefined : await this.#named(whom))));
  }

  /** Fulfils when the test is on the desktop; rejects when it could not be shown. */
  async test(): Promise<void> {
    await this.desktop.show(TEST_NOTE);
    this.#trouble = undefined;
  }

  /** What is on the desktop stays there: the requests are open, and the hub may be back in a second. */
  close(): void {
    this.#closing.abort();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** A rule may answer it at once: then nobody is to be disturbed. */
  #askedSoon(request: string, { findOpen }: Following): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#waiting >= MOST_WAITING) return; // the desktop does not keep up: the request waits all the same
      this.#next(async () => {
        const asked = await findOpen(request);
        if (asked !== undefined && !this.#shown.has(request) && !this.#more.has(request)) await this.#asked(request, asked);
      });
    }, this.#ports.settleMs ?? SETTLE_MS);
    this.#timers.add(timer.unref());
  }

  async #asked(request: string, { kind, agent, facts }: Asked): Promise<void> {
    if (this.#shown.size < MOST_SHOWN) {
      const note = requestNote(kind, await this.#named({ agent, workspace: facts["workspace"] }));
      this.#shown.set(request, undefined);
      this.#shown.set(request, await this.#show(note));
      return;
    }
    this.#more.add(request);
    if (this.#more.size === 1) this.#moreHandle = await this.#show(moreNote());
  }

  #ended(request: string): void {
    if (!this.#shown.has(request) && !this.#more.has(request)) return;
    this.#next(async () => {
      const handle = this.#shown.get(request);
      this.#shown.delete(request);
      if (handle !== undefined) await this.#withdraw(handle);
      if (!this.#more.delete(request) || this.#more.size > 0 || this.#moreHandle === undefined) return;
      await this.#withdraw(this.#moreHandle);
      this.#moreHandle = undefined;
    });
  }

  /** One after the other. */
  #next(act: () => Promise<unknown>): void {
    this.#waiting++;
    this.#turn = this.#turn
      .then(() => (this.#closing.signal.aborted ? undefined : act()))
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#waiting--);
  }

  async #show(note: Note): Promise<string | undefined> {
    const handle = await this.desktop.show(note);
    this.#trouble = undefined;
    return handle;
  }

  /** Whoever has closed it already has seen it. */
  async #withdraw(handle: string): Promise<void> {
    await this.desktop.withdraw(handle).catch(() => {});
  }

  async #named({ agent, workspace }: Whom): Promise<Whom> {
    return { agent: await this.#ports.nameOf(agent).catch(() => agent), workspace };
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#trouble === undefined) this.#ports.log(`The desktop could not be notified: ${message}`);
    this.#trouble = message;
  }
}
