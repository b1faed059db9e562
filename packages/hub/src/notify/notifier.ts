import { describeGuardNote, describeMoreNote, describeRequestNote, describeTestNote } from "@earshot/narrate";
import type { AgentAndFolder } from "../agent-and-folder.ts";
import type { NewsList } from "../requests/api.ts";
import type { AskedCard } from "../requests/card.ts";
import type { DesktopNotification, DesktopNotifier } from "./desktops.ts";

interface NotifierOptions {
  readonly desktop: DesktopNotifier;
  /** The agent's name for people. */
  readonly nameOf: (agent: string) => Promise<string>;
  /** Called when a notification cannot be shown, and not again until one succeeded. */
  readonly log: (message: string) => void;
  /** If a rule answers within this time, no notification is shown. */
  readonly settleMs?: number;
}

/** The requests that the notifier follows. */
export interface NotifiedRequests {
  wait(after: number, ms: number, signal: AbortSignal): Promise<NewsList>;
  /** The question, while the request is open. */
  findOpen(request: string): Promise<AskedCard | undefined>;
}

const SETTLE_MS = 400;
const WAIT_MS = 60_000;
/** Maximum notifications at a time. Further requests share one. */
const MAX_SHOWN_NOTES = 5;
const MAX_QUEUED_NOTES = 20;

/**
 * Shows one desktop notification per open request, and removes it when the request is answered. Notifications are shown one after the
 * other, so a slow or broken desktop delays nothing else.
 */
export class RequestNotifier {
  readonly desktop: DesktopNotifier;
  readonly #options: NotifierOptions;
  readonly #closing = new AbortController();
  /** Handles by request; undefined while a notification is about to be shown, or if it cannot be removed. */
  readonly #shown = new Map<string, string | undefined>();
  /** Requests that share the notification about further ones. */
  readonly #more = new Set<string>();
  #moreHandle: string | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #trouble: string | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.desktop = options.desktop;
  }

  /** Why the last notification failed; undefined if it succeeded. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Follows what happens to requests from now on. */
  async follow(following: NotifiedRequests): Promise<void> {
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

  /** Notifies that a call bypassed the gate, or that the gate was changed. */
  guard(whom: AgentAndFolder | undefined): void {
    if (this.#waiting >= MAX_QUEUED_NOTES) return;
    this.#next(async () => this.#show(describeGuardNote(whom === undefined ? undefined : await this.#named(whom))));
  }

  /** Fulfills when the test notification is shown; rejects if it could not be. */
  async test(): Promise<void> {
    await this.desktop.show(describeTestNote());
    this.#trouble = undefined;
  }

  /** Notifications stay: the requests are open, and the hub may restart within a second. */
  close(): void {
    this.#closing.abort();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #askedSoon(request: string, { findOpen }: NotifiedRequests): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#waiting >= MAX_QUEUED_NOTES) return; // the desktop does not keep up: the request waits all the same
      this.#next(async () => {
        const asked = await findOpen(request);
        if (asked !== undefined && !this.#shown.has(request) && !this.#more.has(request)) await this.#asked(request, asked);
      });
    }, this.#options.settleMs ?? SETTLE_MS);
    this.#timers.add(timer.unref());
  }

  async #asked(request: string, { kind, agent, facts }: AskedCard): Promise<void> {
    if (this.#shown.size < MAX_SHOWN_NOTES) {
      const note = describeRequestNote(kind, await this.#named({ agent, workspace: facts["workspace"] }));
      this.#shown.set(request, undefined);
      this.#shown.set(request, await this.#show(note));
      return;
    }
    this.#more.add(request);
    if (this.#more.size === 1) this.#moreHandle = await this.#show(describeMoreNote());
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

  async #show(note: DesktopNotification): Promise<string | undefined> {
    const handle = await this.desktop.show(note);
    this.#trouble = undefined;
    return handle;
  }

  /** A dismissed notification cannot be removed, which is harmless. */
  async #withdraw(handle: string): Promise<void> {
    await this.desktop.withdraw(handle).catch(() => {});
  }

  async #named({ agent, workspace }: AgentAndFolder): Promise<AgentAndFolder> {
    return { agent: await this.#options.nameOf(agent).catch(() => agent), workspace };
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#trouble === undefined) this.#options.log(`The desktop could not be notified: ${message}`);
    this.#trouble = message;
  }
}
