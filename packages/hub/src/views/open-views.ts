import { EarshotError, type ProtocolName } from "@earshot/protocol";
import type { CutReason, Ledger, SessionInfo } from "../ledger/ledger.ts";
import { reasonOf } from "../ledger/sqlite/sqlite-error.ts";
import { AlertListeners } from "./alert-listeners.ts";
import { ALERT_THRESHOLDS, type AlertThresholds } from "./alerts/thresholds.ts";
import type { AopViews } from "./aop-views.ts";
import type { Answer, EngineMethod, Given, StartEngine } from "./engine-host.ts";
import { EngineKeeper, unread } from "./engine-keeper.ts";
import { startEngineThread } from "./engine-thread.ts";
import type { SessionName } from "./heard.ts";
import type { Reading } from "./session-view.ts";
import type { EngineState } from "./view-engine.ts";
import { makeViewFile, peekViewFile } from "./view-file.ts";
import type { News } from "./view-follower.ts";
import type { Moment } from "./view-questions.ts";
import { type AnnouncedCut, cutName } from "./view-tables.ts";
import type {
  Alert,
  AlertsQuery,
  CallsQuery,
  CallView,
  CostsQuery,
  CostTable,
  Grade,
  Listed,
  SearchHit,
  SearchQuery,
  SessionsQuery,
  SessionView,
  StoryItem,
  StoryQuery,
  Tree,
  Views,
} from "./views.ts";
import { viewsUnavailable } from "./views-unavailable.ts";
import { Waiters } from "./waiters.ts";
import { whyForeign } from "./why-foreign.ts";

export interface ViewsOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  readonly ledger: Ledger;
  /** Where the ledger's file is: the views read it through a connection of their own. */
  readonly ledgerPath: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** When the machine last woke up: nobody could be heard before. Undefined when it did not sleep. */
  readonly sleptUntil?: () => number | undefined;
  readonly thresholds?: AlertThresholds;
  /** Another place to run in than a thread of its own. */
  readonly start?: StartEngine;
  /** How long it stays at hand with nothing to do. */
  readonly idleMs?: number;
}

/** What happened, and the same for the clients of the official AOP collector. */
export interface OpenViews extends Views {
  readonly aop: AopViews;
}

/** Wakes come with every commit of the ledger; folding a few entries at a time costs more than many at once. */
const COALESCE_MS = 50;
/** A thread is not started for the first event at once: those who start a hub and stop it again need none. */
const COLD_START_MS = 250;
const IDLE_MS = 60_000;
const GIVEN_UP_MS = 30_000;
/** What was due when silence was looked for, and still is, is looked at again after this; something else when it is due. */
const CHECK_EVERY_MS = 60_000;
const LONGEST_TIMER_MS = 3_600_000;

/** Opens the views. Does not wait until they are up to date, nor start anything while there is nothing to do. */
export async function openViews(options: ViewsOptions): Promise<OpenViews> {
  const { views, begun } = beginViews(options);
  await begun;
  return views;
}

/** The same for whoever has something else to do meanwhile: they can be handed on, but not asked, before they have begun. */
export function beginViews(options: ViewsOptions): { readonly views: OpenViews; readonly begun: Promise<void> } {
  const views = new HostedViews(options);
  return { views, begun: views.begin() };
}

class HostedViews implements OpenViews {
  readonly aop: AopViews;
  readonly #options: ViewsOptions;
  readonly #listeners: AlertListeners;
  readonly #waiters = new Waiters();
  readonly #startedAt: number;
  readonly #keeper: EngineKeeper;
  /** Cuts that go on here. */
  readonly #cuts = new Map<string, AnnouncedCut>();
  #position = 0;
  #head = 0;
  #isRefolding = false;
  #refolds = 0;
  #isClosed = false;
  #wake: NodeJS.Timeout | undefined;
  #check: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #unfollow: () => void = () => {};

  constructor(options: ViewsOptions) {
    this.#options = options;
    this.#listeners = new AlertListeners(options.log);
    this.#startedAt = options.now();
    this.#keeper = this.#createKeeper();
    this.aop = {
      sessions: (query) => this.#ask("aopSessions", query, this.#moment()),
      find: (id) => this.#ask("aopFind", id, this.#moment()),
      alerts: ({ source, id }, limit) => this.#ask("aopAlerts", { source, id }, limit),
    };
  }

  async begin(): Promise<void> {
    const { ledger, path } = this.#options;
    this.#unfollow = ledger.follow((head) => {
      this.#head = head;
      this.#wakeIn(this.#keeper.isRunning ? COALESCE_MS : COLD_START_MS);
    });
    this.#head = await ledger.head();
    this.#listeners.beginAfter(this.#head);
    makeViewFile(path);
    const known = peekViewFile(path);
    if (known !== undefined && (await whyForeign(known, ledger)) === undefined) {
      this.#position = known.position;
      this.#isRefolding = known.hasCuts;
      if (known.dueAt !== undefined) this.#planCheck(known.dueAt);
    }
    if (this.#isBehind()) this.#wakeIn(COLD_START_MS);
  }

  get position(): number {
    return this.#position;
  }

  caughtUp(position: number, signal?: AbortSignal): Promise<void> {
    if (this.#isClosed) return Promise.reject(closed());
    if (this.#position >= position && !this.#isRefolding && this.#refolds === 0) return Promise.resolve();
    const reached = this.#waiters.wait(position, signal);
    this.#wakeIn(0);
    return reached;
  }

  sessions(query: SessionsQuery): Promise<Listed<SessionView>> {
    return this.#ask("sessions", query, this.#reading());
  }

  session(key: number): Promise<SessionView | undefined> {
    return this.#ask("session", key, this.#reading());
  }

  find(id: string, protocol?: ProtocolName): Promise<readonly SessionView[]> {
    return this.#ask("find", id, protocol, this.#reading());
  }

  tree(key: number): Promise<Tree> {
    return this.#ask("tree", key, this.#reading());
  }

  story(query: StoryQuery): Promise<Listed<StoryItem>> {
    return this.#ask("story", query);
  }

  calls(query: CallsQuery): Promise<Listed<CallView>> {
    return this.#ask("calls", query);
  }

  costs(query: CostsQuery): Promise<CostTable> {
    return this.#ask("costs", query);
  }

  alerts(query: AlertsQuery): Promise<Listed<Alert>> {
    return this.#ask("alerts", query);
  }

  search(query: SearchQuery): Promise<Listed<SearchHit>> {
    return this.#ask("search", query);
  }

  grade(key: number): Promise<Grade | undefined> {
    return this.#ask("grade", key);
  }

  onAlert(hear: (alert: Alert) => void): () => void {
    return this.#listeners.add(hear);
  }

  async cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number> {
    const { ledger } = this.#options;
    // Not more than was announced: what comes meanwhile is left alone, now and after a restart.
    const last = upTo ?? (await ledger.head());
    const announced = reason === "erased" ? "deleted" : reason; // that word is for a single entry here
    return this.#removing({ ...nameOf(session), reason: announced, upTo: last }, () => ledger.cut(session, reason, last));
  }

  erase(session: SessionInfo, position: number): Promise<boolean> {
    // A hub that stops in between folds the session anew when it starts again.
    return this.#removing({ ...nameOf(session), reason: "erased", upTo: position }, () => this.#options.ledger.erase(position));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unfollow();
    clearTimeout(this.#wake);
    clearTimeout(this.#check?.timer);
    this.#waiters.rejectAll(closed());
    await this.#keeper.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #createKeeper(): EngineKeeper {
    const { ledger, ledgerPath, path, log, thresholds = ALERT_THRESHOLDS, start = startEngineThread, idleMs = IDLE_MS } = this.#options;
    const onState = (state: EngineState, news: News) => this.#onState(state, news);
    return new EngineKeeper({
      // A cut that was interrupted is finished before anything reads: nobody sees what is about to go.
      prepare: () => ledger.read({ after: this.#head, limit: 1 }),
      start: () => {
        const host = start({ path, ledgerPath, thresholds }, { onState, log });
        host.follow(this.#head, this.#waiters.furthest);
        return host;
      },
      isNeeded: () => this.#isBehind(),
      onLost: (losses) => {
        if (this.#waiters.size > 0 || this.#isBehind()) this.#wakeIn(COLD_START_MS * losses);
      },
      idleMs,
    });
  }

  /** The one way in which anything leaves the ledger: announced first, so that a hub that stops half-way goes on with it. */
  async #removing<Result>(cut: AnnouncedCut, remove: () => Promise<Result>): Promise<Result> {
    this.#cuts.set(cutName(cut), cut);
    await this.#tryToAsk("announce", cut);
    try {
      return await remove();
    } finally {
      // Also when it failed: some of the session may be gone.
      await this.#refold(cut);
    }
  }

  async #refold(cut: AnnouncedCut): Promise<void> {
    this.#refolds++;
    await this.#tryToAsk("refold", cut);
    this.#refolds--;
    this.#cuts.delete(cutName(cut));
    this.#settle();
  }

  /** Cuts that were under way when a hub stopped: the ledger is asked once more, since it may not have come to it. */
  async #finish(cuts: readonly AnnouncedCut[]): Promise<void> {
    for (const cut of cuts) this.#cuts.set(cutName(cut), cut);
    for (const cut of cuts) {
      if (this.#isClosed) return;
      await this.#cutAgain(cut);
      await this.#refold(cut);
    }
  }

  /** One entry that was to be erased is not looked for again: whoever wanted that was not told that it was done. */
  async #cutAgain({ key, protocol, id, reason, upTo }: AnnouncedCut): Promise<void> {
    const { ledger, log } = this.#options;
    if (reason === "erased") return;
    try {
      const session = (await ledger.findSessions(id, protocol)).find((one) => one.key === key);
      if (session !== undefined) await ledger.cut(session, reason, upTo);
    } catch (error) {
      log(`What was to be removed from the ${protocol} session ${JSON.stringify(id.slice(0, 80))} could not be: ${reasonOf(error)}.`);
    }
  }

  /** For what must not fail because the views do. */
  async #tryToAsk<Method extends EngineMethod>(method: Method, ...given: Given<Method>): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#ask(method, ...given);
    } catch (error) {
      if (!this.#isClosed) this.#options.log(`The session views will follow later: ${reasonOf(error)}.`);
    }
  }

  #ask<Method extends EngineMethod>(method: Method, ...given: Given<Method>): Answer<Method> {
    return this.#keeper.ask(method, ...given);
  }

  #isBehind(): boolean {
    return this.#head > this.#position || this.#isRefolding;
  }

  #wakeIn(delayMs: number): void {
    if (this.#isClosed) return;
    if (this.#wake !== undefined) {
      if (delayMs > 0) return;
      clearTimeout(this.#wake);
    }
    this.#wake = setTimeout(() => {
      this.#wake = undefined;
      const said = this.#keeper.follow(
        () => this.#head,
        () => this.#waiters.furthest,
      );
      said.catch(() => this.#wakeLater());
    }, delayMs).unref();
  }

  /** It could not be started, or was lost too often: whoever waits is told, and it is tried again in a while. */
  #wakeLater(): void {
    if (this.#isClosed) return;
    if (this.#keeper.hasGivenUp) this.#waiters.rejectAll(unread());
    this.#wakeIn(this.#keeper.hasGivenUp ? GIVEN_UP_MS : COLD_START_MS);
  }

  #onState({ position, refolding, dueAt, unfinished }: EngineState, news: News): void {
    if (this.#isClosed) return;
    this.#position = position;
    this.#isRefolding = refolding;
    const open = unfinished.filter((cut) => !this.#cuts.has(cutName(cut)));
    if (open.length > 0) void this.#finish(open);
    this.#settle();
    this.#listeners.tell(news);
    if (dueAt !== undefined) this.#planCheck(dueAt);
  }

  /** While a session is folded anew its rows are incomplete: nobody is told then that the views are up to date. */
  #settle(): void {
    if (!this.#isRefolding && this.#refolds === 0) this.#waiters.reached(this.#position);
  }

  #planCheck(at: number): void {
    if (this.#isClosed) return;
    const { now } = this.#options;
    const when = at > this.#checkedAt ? at : this.#checkedAt + CHECK_EVERY_MS;
    if (this.#check !== undefined) {
      if (this.#check.at <= when) return;
      clearTimeout(this.#check.timer);
    }
    const delayMs = Math.min(Math.max(when - now(), 0), LONGEST_TIMER_MS);
    const timer = setTimeout(() => void this.#checkTime(), delayMs).unref();
    this.#check = { timer, at: when };
  }

  async #checkTime(): Promise<void> {
    const { now, sleptUntil } = this.#options;
    this.#check = undefined;
    this.#checkedAt = now();
    try {
      const deafUntil = Math.max(this.#startedAt, sleptUntil?.() ?? 0);
      const next = await this.#ask("checkTime", now(), deafUntil);
      if (next !== undefined) this.#planCheck(next);
    } catch (error) {
      if (!this.#isClosed && !EarshotError.is(error)) this.#options.log(`Silence could not be looked for: ${reasonOf(error)}.`);
    }
  }

  #moment(): Moment {
    return { now: this.#options.now(), sleptUntil: this.#options.sleptUntil?.() };
  }

  #reading(): Reading {
    const { stallSeconds, silenceSeconds } = this.#options.thresholds ?? ALERT_THRESHOLDS;
    return { ...this.#moment(), silence: { withHeartbeatsMs: stallSeconds * 1000, withoutMs: silenceSeconds * 1000 } };
  }
}

function nameOf({ key, protocol, source, id }: SessionInfo): SessionName {
  return { key, protocol, source, id };
}

function closed(): EarshotError {
  return viewsUnavailable("The hub is stopping.");
}
