import { EarshotError } from "@earshot/protocol";
import type { CutReason, Ledger, SessionInfo } from "../ledger/ledger.ts";
import { reasonOfError } from "../ledger/sqlite/sqlite-error.ts";
import { ALERT_THRESHOLDS, type AlertThresholds } from "./alerts/detector.ts";
import type { Alert } from "./api.ts";
import type { AopViews } from "./collector-rows.ts";
import type { ViewReading } from "./session-view.ts";
import type { ViewEngineState } from "./view-engine.ts";
import type { NewAlerts } from "./view-follower.ts";
import { AlertListeners, Waiters } from "./view-listeners.ts";
import { type Views, viewsUnavailable } from "./views.ts";
import {
  type EngineAnswer,
  type EngineArguments,
  type EngineMethod,
  type StartViewsWorker,
  startViewsWorker,
  unreadableViewsError,
  type ViewsWorker,
} from "./views-worker.ts";

export interface ViewsOptions {
  readonly path: string;
  readonly ledger: Ledger;
  /** The ledger's path; the views read it through their own connection. */
  readonly ledgerAt: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** The ledger lacks entries that the views had read. */
  readonly onLoss?: (why: string) => void;
  /** When the machine last woke up: no event could arrive before. Undefined when it did not sleep. */
  readonly sleptUntil?: () => number | undefined;
  readonly thresholds?: AlertThresholds;
  /** Replaces the thread, for tests. */
  readonly start?: StartViewsWorker;
}

/** The views, including those for clients of the official AOP collector. */
export interface OpenViews extends Views {
  readonly aop: AopViews;
}

/** Commits within this time are folded together, which costs less. */
const COALESCE_MS = 200;
const RESTART_MS = 1000;
/** Sessions that stay silent after a check are checked again after this time; others when they are due. */
const CHECK_EVERY_MS = 60_000;
const MAX_TIMER_MS = 3_600_000;

/** Opens the views in a thread that lives as long as they do. Does not wait until they are up to date. */
export async function openViews(options: ViewsOptions): Promise<OpenViews> {
  const { views, begun } = beginViews(options);
  await begun;
  return views;
}

/** As `openViews`, while other parts open: the views can be passed on, but not queried, until `begun` fulfills. */
export function beginViews(options: ViewsOptions): { readonly views: OpenViews; readonly begun: Promise<void> } {
  const views = new WorkerViews(options);
  return { views, begun: views.begin() };
}

class WorkerViews implements OpenViews {
  readonly sessions: Views["sessions"] = (query) => this.#ask("sessions", query, this.#reading());
  readonly session: Views["session"] = (key) => this.#ask("session", key, this.#reading());
  readonly find: Views["find"] = (id, protocol) => this.#ask("find", id, protocol, this.#reading());
  readonly tree: Views["tree"] = (key) => this.#ask("tree", key, this.#reading());
  readonly story: Views["story"] = (query) => this.#ask("story", query);
  readonly calls: Views["calls"] = (query) => this.#ask("calls", query);
  readonly course: Views["course"] = (query) => this.#ask("course", query, this.#reading());
  readonly lanes: Views["lanes"] = (query) => this.#ask("lanes", query, this.#reading());
  readonly costs: Views["costs"] = (query) => this.#ask("costs", query);
  readonly alerts: Views["alerts"] = (query) => this.#ask("alerts", query);
  readonly search: Views["search"] = (query) => this.#ask("search", query);
  readonly grade: Views["grade"] = (key) => this.#ask("grade", key);
  readonly aop: AopViews = {
    sessions: (query) => this.#ask("aopSessions", query, this.#reading()),
    find: (id) => this.#ask("aopFind", id, this.#reading()),
    alerts: (session, limit) => this.#ask("aopAlerts", { source: session.source, id: session.id }, limit),
  };
  readonly #options: ViewsOptions;
  readonly #listeners: AlertListeners;
  readonly #waiters = new Waiters();
  readonly #startedAt: number;
  #worker: ViewsWorker | undefined;
  #restart: NodeJS.Timeout | undefined;
  #logged: string | undefined;
  #isKnown = false;
  #position = 0;
  #head = 0;
  #isRemoving = true;
  /** Number of removals in progress. */
  #removals = 0;
  #isClosed = false;
  #wake: NodeJS.Timeout | undefined;
  #check: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #unfollow: () => void = () => {};

  constructor(options: ViewsOptions) {
    this.#options = options;
    this.#listeners = new AlertListeners(options.log);
    this.#startedAt = options.now();
  }

  async begin(): Promise<void> {
    const { ledger } = this.#options;
    this.#unfollow = ledger.follow((head) => {
      this.#head = head;
      this.#wakeIn(COALESCE_MS);
    });
    this.#head = await ledger.head();
    this.#listeners.beginAfter(this.#head);
    // An interrupted cut must finish before any read, so that no reader sees entries about to be removed.
    await ledger.read({ after: this.#head, limit: 1 });
    if (!this.#isClosed) this.#start();
  }

  get position(): number {
    return this.#position;
  }

  caughtUp(position: number, signal?: AbortSignal): Promise<void> {
    if (this.#isClosed) return Promise.reject(closed());
    if (this.#isKnown && this.#position >= position && !this.#isRemoving && this.#removals === 0) return Promise.resolve();
    const reached = this.#waiters.wait(position, signal);
    this.#wakeIn(0);
    return reached;
  }

  onAlert(listener: (alert: Alert) => void): () => void {
    return this.#listeners.add(listener);
  }

  cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number> {
    return this.#removing(() => this.#options.ledger.cut(session, reason, upTo));
  }

  erase(position: number): Promise<boolean> {
    return this.#removing(() => this.#options.ledger.erase(position));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unfollow();
    clearTimeout(this.#wake);
    clearTimeout(this.#check?.timer);
    clearTimeout(this.#restart);
    this.#waiters.rejectAll(closed());
    await this.#worker?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Starts the thread, and restarts it after a pause if it ends by itself. */
  #start(): void {
    const { ledgerAt, path, log, onLoss = () => {}, thresholds = ALERT_THRESHOLDS, start = startViewsWorker } = this.#options;
    const onState = (state: ViewEngineState, news: NewAlerts) => this.#onState(state, news);
    const worker = start({ path, ledgerAt, thresholds }, { onState, onLoss, log: (line) => this.#logOnce(line, log) });
    this.#worker = worker;
    worker.follow(Math.max(this.#head, this.#waiters.furthest));
    void worker.ended.then(() => {
      this.#worker = undefined;
      this.#isKnown = false;
      if (!this.#isClosed) this.#restart = setTimeout(() => this.#start(), RESTART_MS).unref();
    });
  }

  /** A thread that fails repeatedly logs each distinct line once. */
  #logOnce(line: string, log: (line: string) => void): void {
    if (line === this.#logged) return;
    this.#logged = line;
    log(line);
  }

  /** The views follow the removal log themselves; the caller of a removal waits for them. */
  async #removing<Result>(remove: () => Promise<Result>): Promise<Result> {
    this.#removals++;
    try {
      return await remove();
    } finally {
      // Also after a failure, because some of the session may be gone. Views that cannot follow now do so when their thread restarts.
      await this.#ask("applyRemovals").catch(() => {});
      this.#removals--;
      this.#settle();
    }
  }

  #ask<Method extends EngineMethod>(method: Method, ...given: EngineArguments<Method>): EngineAnswer<Method> {
    return this.#isClosed || this.#worker === undefined ? Promise.reject(unreadableViewsError()) : this.#worker.ask(method, ...given);
  }

  #wakeIn(delayMs: number): void {
    if (this.#isClosed) return;
    if (this.#wake !== undefined) {
      if (delayMs > 0) return;
      clearTimeout(this.#wake);
    }
    this.#wake = setTimeout(() => {
      this.#wake = undefined;
      this.#worker?.follow(Math.max(this.#head, this.#waiters.furthest));
    }, delayMs).unref();
  }

  #onState({ position, isRemoving, dueAt }: ViewEngineState, news: NewAlerts): void {
    if (this.#isClosed) return;
    this.#position = position;
    this.#isRemoving = isRemoving;
    this.#isKnown = true;
    this.#logged = undefined;
    this.#settle();
    this.#listeners.notify(news);
    if (dueAt !== undefined) this.#planCheck(dueAt);
  }

  /** A session's rows are incomplete while it is folded again: `caughtUp` waits for them. */
  #settle(): void {
    if (this.#isKnown && !this.#isRemoving && this.#removals === 0) this.#waiters.reached(this.#position);
  }

  #planCheck(at: number): void {
    if (this.#isClosed) return;
    const { now } = this.#options;
    const when = at > this.#checkedAt ? at : this.#checkedAt + CHECK_EVERY_MS;
    if (this.#check !== undefined) {
      if (this.#check.at <= when) return;
      clearTimeout(this.#check.timer);
    }
    const delayMs = Math.min(Math.max(when - now(), 0), MAX_TIMER_MS);
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
      if (!this.#isClosed && !EarshotError.is(error)) this.#options.log(`Silence could not be looked for: ${reasonOfError(error)}.`);
    }
  }

  #reading(): ViewReading {
    return { now: this.#options.now(), sleptUntil: this.#options.sleptUntil?.() };
  }
}

function closed(): EarshotError {
  return viewsUnavailable("The hub is stopping.");
}
