import { EarshotError } from "@earshot/protocol";
import type { CutReason, Ledger, SessionInfo } from "../ledger/ledger.ts";
import { reasonOf, SQLITE, sqliteCode } from "../ledger/sqlite/sqlite-error.ts";
import { AlertListeners } from "./alert-listeners.ts";
import { type SessionRow, STALLED_AFTER_MS } from "./aop-session-row.ts";
import type { AopViews, SessionList, SessionsQuery } from "./aop-views.ts";
import { IN_MEMORY, openViewFile, removeViewFile } from "./view-file.ts";
import { ViewFollower } from "./view-follower.ts";
import { type AnnouncedCut, type RaisedAlert, type SessionName, ViewTables } from "./view-tables.ts";
import { Waiters } from "./waiters.ts";

export interface AopViewsOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  readonly ledger: Ledger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** When the machine last woke up: nobody could be heard before. Undefined when it did not sleep. */
  readonly sleptUntil?: () => number | undefined;
}

/** Wakes come with every commit of the ledger; reading a few entries at a time costs more than reading many at once. */
const COALESCE_MS = 50;
/** While so much comes in that what was folded waits to be written, there is no hurry to fold more. */
const COALESCE_BUSY_MS = 200;
const RETRY_MS = 1000;
/** A disk that damages the file again and again is not used any more. */
const MOST_STARTS_OVER = 3;
/** "No such table", and the like: our statements are right, so the file is not. */
const SQLITE_ERROR = 1;

/** Opens the views and begins to follow the ledger. Does not wait until they are up to date. */
export async function openAopViews(options: AopViewsOptions): Promise<AopViews> {
  const views = new SqliteAopViews(options);
  await views.begin();
  return views;
}

/** A session whose row is made anew. */
interface Refold {
  readonly session: SessionName;
  readonly reason: CutReason;
  /** What was being cut when the hub stopped: the ledger is asked once more, since it may not have come to it. */
  readonly unfinished?: AnnouncedCut;
  readonly done: () => void;
}

class SqliteAopViews implements AopViews {
  readonly #options: AopViewsOptions;
  readonly #stop = new AbortController();
  readonly #listeners: AlertListeners;
  readonly #waiters = new Waiters();
  readonly #cuts = new Set<AnnouncedCut>();
  #tables: ViewTables;
  #follower: ViewFollower;
  #refolds: Refold[] = [];
  #head = 0;
  #path: string;
  #startsOver = 0;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failing = false;
  #unfollow: () => void = () => {};

  constructor(options: AopViewsOptions) {
    this.#options = options;
    this.#path = options.path;
    this.#listeners = new AlertListeners(options.log);
    ({ tables: this.#tables, follower: this.#follower } = this.#open());
  }

  async begin(): Promise<void> {
    const { ledger } = this.#options;
    const why = await this.#whyForeign();
    if (why !== undefined) this.#startOver(why);
    const unfinished = this.#tables.announcedCuts(); // in a table that was read when the file was opened
    this.#refolds.push(...unfinished.map((cut) => ({ session: cut, reason: cut.reason, unfinished: cut, done: () => {} })));
    this.#unfollow = ledger.follow((head) => {
      this.#head = head;
      this.#schedule(COALESCE_MS);
    });
    this.#head = await ledger.head();
    this.#listeners.beginAfter(this.#head);
    this.#schedule(0);
  }

  get position(): number {
    return this.#follower.position;
  }

  caughtUp(position: number, signal?: AbortSignal): Promise<void> {
    if (this.position >= position && this.#refolds.length === 0) return Promise.resolve();
    if (this.#stop.signal.aborted) return Promise.reject(closed());
    const reached = this.#waiters.wait(position, signal);
    this.#schedule(0);
    return reached;
  }

  sessions(query: SessionsQuery): SessionList {
    return this.#reading((tables) => {
      const listed = tables.list({ ...query, now: this.#options.now() });
      return { rows: listed.map(({ row }) => this.#holdBack(row)), next: listed.length < query.limit ? undefined : listed.at(-1)?.cursor };
    });
  }

  find(id: string, source?: string): readonly SessionRow[] {
    return this.#reading((tables) => tables.find(id, this.#options.now(), source).map((row) => this.#holdBack(row)));
  }

  alerts(session: SessionName, limit: number): readonly RaisedAlert[] {
    return this.#reading((tables) => tables.alerts(session, limit));
  }

  alertsBetween(after: number, upTo: number, limit: number): readonly RaisedAlert[] {
    return this.#reading((tables) => tables.alertsBetween(after, upTo, limit));
  }

  onAlert(hear: (raised: RaisedAlert) => void): () => void {
    return this.#listeners.add(hear);
  }

  async cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number> {
    const { ledger } = this.#options;
    const { source, id } = session;
    const cut = { source, id, reason, upTo: upTo ?? (await ledger.head()) };
    this.#cuts.add(cut);
    this.#announce(cut);
    try {
      // Not more than was announced: what comes meanwhile is left alone, now and after a restart.
      return await ledger.cut(session, reason, cut.upTo);
    } finally {
      // Also when it failed: some of the session may be gone.
      if (!this.#stop.signal.aborted) await this.#refold(session, reason);
      this.#cuts.delete(cut);
    }
  }

  async erase(session: SessionInfo, position: number): Promise<boolean> {
    const { source, id } = session;
    // Announced as a cut of nothing: a hub that stops in between folds the session anew when it starts again.
    const cut = { source, id, reason: "erased", upTo: 0 } as const;
    this.#cuts.add(cut);
    this.#announce(cut);
    try {
      return await this.#options.ledger.erase(position);
    } finally {
      if (!this.#stop.signal.aborted) await this.#refold(session, "erased");
      this.#cuts.delete(cut);
    }
  }

  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#unfollow();
    clearTimeout(this.#timer);
    await this.#running;
    this.#flush();
    this.#waiters.rejectAll(closed());
    for (const { done } of this.#refolds) done();
    this.#refolds = [];
    this.#tables.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** After sleep nobody has stalled until a whole limit has passed in which they could have been heard. */
  #holdBack(row: SessionRow): SessionRow {
    const { now, sleptUntil } = this.#options;
    const isEarly = row.stalled && now() - (sleptUntil?.() ?? Number.NEGATIVE_INFINITY) < STALLED_AFTER_MS;
    return isEarly ? { ...row, stalled: false } : row;
  }

  #open(): { tables: ViewTables; follower: ViewFollower } {
    const { ledger, log } = this.#options;
    const onStep = (alerts: readonly RaisedAlert[]) => this.#onStep(alerts);
    const tables = new ViewTables(openViewFile(this.#path, log));
    return {
      tables,
      follower: new ViewFollower({ ledger, tables, log, onStep, isAwaited: () => this.#waiters.size > 0, signal: this.#stop.signal }),
    };
  }

  /** A file that has seen more than the ledger holds, or something else, belongs to another ledger. */
  async #whyForeign(): Promise<string | undefined> {
    const { ledger } = this.#options;
    try {
      const { position, receivedAt } = this.#tables.watermark();
      if (position > (await ledger.head())) return "it has seen more than the ledger holds";
      if (receivedAt === null) return undefined;
      const entry = (await ledger.read({ after: position - 1, limit: 1 })).entries[0];
      const differs = entry !== undefined && entry.position === position && entry.receivedAt !== receivedAt;
      return differs ? "it has seen another ledger" : undefined;
    } catch (error) {
      if (EarshotError.is(error)) throw error;
      return reasonOf(error);
    }
  }

  #announce(cut: AnnouncedCut): void {
    try {
      this.#tables.announceCut(cut);
    } catch (error) {
      // The views must not keep anybody from deleting. Only a hub that stops right now would leave a row behind.
      this.#fail(error);
    }
  }

  #refold(session: SessionName, reason: CutReason): Promise<void> {
    return new Promise((done) => {
      this.#refolds.push({ session, reason, done });
      this.#schedule(0);
    });
  }

  /** What is lost here is folded again at the next start. */
  #flush(): void {
    try {
      this.#follower.flush();
    } catch (error) {
      this.#options.log(`The session views could not be written: ${reasonOf(error)}.`);
    }
  }

  /** One run at a time; a run that is asked for while another goes on follows it. */
  #schedule(delayMs: number): void {
    if (this.#stop.signal.aborted || this.#running !== undefined || (this.#failing && delayMs < RETRY_MS)) return;
    if (this.#timer !== undefined) {
      if (delayMs > 0) return;
      clearTimeout(this.#timer);
    }
    const start = () => {
      this.#timer = undefined;
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
        this.#settle();
        if (this.#failing) this.#schedule(RETRY_MS);
        else if (this.#waiters.size > 0 || this.#refolds.length > 0) this.#schedule(this.#isBehind() ? 0 : COALESCE_MS);
        else if (this.#isBehind()) this.#schedule(Math.max(COALESCE_MS, Math.min(this.#follower.writesInMs ?? 0, COALESCE_BUSY_MS)));
      });
    };
    this.#timer = setTimeout(start, delayMs);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    const follower = this.#follower;
    try {
      for (let refold = this.#refolds[0]; refold !== undefined && !this.#stop.signal.aborted; refold = this.#refolds[0]) {
        if (refold.unfinished !== undefined) await this.#finish(refold.unfinished);
        await follower.refold(refold.session, refold.reason);
        this.#refolds.shift();
        refold.done();
      }
      await follower.follow(Math.max(this.#head, this.#waiters.furthest));
      this.#failing = false;
    } catch (error) {
      // One that was replaced meanwhile has lost its tables, and nobody misses it.
      if (follower === this.#follower) this.#fail(error);
    }
  }

  async #finish({ source, id, reason, upTo }: AnnouncedCut): Promise<void> {
    const { ledger } = this.#options;
    const session = (await ledger.findSessions(id, "aop")).find((one) => one.source === source);
    if (session !== undefined) await ledger.cut(session, reason, upTo);
  }

  #isBehind(): boolean {
    return this.#head > this.position;
  }

  #onStep(alerts: readonly RaisedAlert[]): void {
    this.#settle();
    this.#listeners.tell(alerts);
  }

  /** While a session is folded anew its row is incomplete: nobody is told then that the views are up to date. */
  #settle(): void {
    if (this.#refolds.length === 0) this.#waiters.reached(this.position);
  }

  #reading<Result>(read: (tables: ViewTables) => Result): Result {
    try {
      return read(this.#tables);
    } catch (error) {
      this.#fail(error);
      const problem = { code: "LEDGER_UNAVAILABLE", message: "The session views cannot be read right now." } as const;
      throw new EarshotError(problem, { cause: error });
    }
  }

  /** Damage is mended by building anew; anything else may pass, and is tried again. */
  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    if (isDamage(error)) {
      this.#startOver(reasonOf(error));
      return;
    }
    if (!this.#failing) this.#options.log(`The session views are behind and will be tried again: ${reasonOf(error)}.`);
    this.#failing = true;
    // Whoever deletes is not kept waiting: the session is folded anew when the tables can be written again.
    for (const { done } of this.#refolds) done();
    try {
      this.#follower.reset();
    } catch (cause) {
      this.#startOver(reasonOf(cause));
    }
    this.#schedule(RETRY_MS);
  }

  #startOver(why: string): void {
    if (!this.#failing) this.#options.log(`The session views are built anew from the ledger: ${why}.`);
    // What goes wrong even in memory is no fault of the file: tried again, but not without a pause, and told once.
    if (this.#path === IN_MEMORY) this.#failing = true;
    try {
      this.#tables.close();
      removeViewFile(this.#path);
      if (++this.#startsOver >= MOST_STARTS_OVER) this.#path = IN_MEMORY;
    } catch {
      this.#path = IN_MEMORY; // what cannot even be removed is left alone
    }
    ({ tables: this.#tables, follower: this.#follower } = this.#open());
    for (const cut of this.#cuts) this.#announce(cut);
    this.#schedule(this.#failing ? RETRY_MS : 0);
  }
}

/** The file does not hold what we wrote: its pages, its tables, or the JSON in them. */
function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB || code === SQLITE_ERROR || error instanceof SyntaxError;
}

function closed(): EarshotError {
  return new EarshotError({ code: "LEDGER_UNAVAILABLE", message: "The hub is stopping." });
}
