import { EarshotError } from "@earshot/protocol";
import { reasonOf, SQLITE, sqliteCode } from "../ledger/sqlite/sqlite-error.ts";
import type { AlertThresholds } from "./alerts/detector.ts";
import type { LedgerReading } from "./ledger-reading.ts";
import { openViewFile, removeViewFile } from "./view-file.ts";
import { type News, ViewFollower } from "./view-follower.ts";
import { ViewQuestions } from "./view-questions.ts";
import { ViewTables, type Watermark } from "./view-tables.ts";
import { viewsUnavailable } from "./views-unavailable.ts";

export interface EngineOptions {
  readonly path: string;
  readonly ledger: LedgerReading;
  readonly thresholds: AlertThresholds;
  readonly log: (line: string) => void;
  /** Told whenever something about the tables changed. */
  readonly onState: (state: EngineState, news: News) => void;
  /** The file was damaged, and is gone: another engine has to build it anew. */
  readonly onDamage: () => void;
}

/** How far the tables are. */
export interface EngineState {
  readonly position: number;
  /** What was removed is leaving the tables: what they show is incomplete meanwhile. */
  readonly isRemoving: boolean;
  /** When the passing of time may raise an alert. */
  readonly dueAt: number | undefined;
}

export type Question = keyof ViewQuestions;

const RETRY_MS = 1000;
/** "No such table", and the like: our statements are right, so the file is not. */
const SQLITE_ERROR = 1;
const NO_NEWS: News = { heard: [], timed: [] };

/**
 * The views themselves: follows the ledger, keeps the tables, answers questions. Knows nothing of threads and clocks. One run
 * at a time; questions are answered between its slices.
 */
export class ViewEngine {
  readonly #options: EngineOptions;
  readonly #stop = new AbortController();
  readonly #questions: ViewQuestions;
  #tables: ViewTables;
  #follower: ViewFollower;
  /** Told when the removals that are recorded by now have left the tables. */
  #waitingForRemovals: (() => void)[] = [];
  #hasFollowedRemovals = false;
  #head = 0;
  #wanted = 0;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failing = false;

  constructor(options: EngineOptions) {
    this.#options = { ...options, ledger: withoutOwnErrors(options.ledger) };
    this.#questions = new ViewQuestions({ ledger: this.#options.ledger, tables: () => this.#tables });
    ({ tables: this.#tables, follower: this.#follower } = this.#open());
  }

  async begin(): Promise<void> {
    const { log, path, ledger } = this.#options;
    const why = await whyForeign(this.#tables.watermark(), ledger);
    if (why !== undefined) {
      log(`The session views are built anew from the ledger: ${why}.`);
      this.#tables.close();
      removeViewFile(path);
      ({ tables: this.#tables, follower: this.#follower } = this.#open());
    }
    this.#schedule(0);
  }

  /** The ledger has entries up to a position; somebody waits for those up to another. */
  follow(head: number, wanted: number): void {
    this.#head = Math.max(this.#head, head);
    this.#wanted = wanted;
    this.#schedule(0);
  }

  /** Fulfills when what is recorded as removed has left the tables, or when that has to wait for the tables to be writable again. */
  applyRemovals(): Promise<void> {
    return new Promise<void>((done) => {
      this.#waitingForRemovals.push(done);
      this.#schedule(0);
    });
  }

  /** Raises what the passing of time makes true, and gives when to ask again. */
  async checkTime(now: number, deafUntil: number | undefined): Promise<number | undefined> {
    while (this.#running !== undefined) await this.#running;
    if (this.#stop.signal.aborted) return undefined;
    let next: number | undefined;
    this.#running = this.#guarded(async () => {
      next = await this.#follower.checkTime(now, deafUntil);
    }).finally(() => this.#afterRun());
    await this.#running;
    return next;
  }

  /** Answers a question; what is wrong with the tables is told as a problem, and mended. */
  async ask<Name extends Question>(
    name: Name,
    ...given: Parameters<ViewQuestions[Name]>
  ): Promise<Awaited<ReturnType<ViewQuestions[Name]>>> {
    try {
      // The name chooses the method and the types of what is given; the compiler does not follow that.
      const question = this.#questions[name] as (...given: readonly unknown[]) => ReturnType<ViewQuestions[Name]>;
      return await question.apply(this.#questions, given);
    } catch (error) {
      if (EarshotError.is(error)) throw error;
      this.#fail(error);
      throw viewsUnavailable("The session views cannot be read right now.", error);
    }
  }

  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#running;
    try {
      this.#follower.flush();
    } catch (error) {
      // What is lost here is folded again at the next start.
      this.#options.log(`The session views could not be written: ${reasonOf(error)}.`);
    }
    this.#stopWaiting();
    this.#tables.close();
  }

  #open(): { tables: ViewTables; follower: ViewFollower } {
    const { ledger, log, thresholds, path } = this.#options;
    const tables = new ViewTables(openViewFile(path, log));
    const onStep = (news: News) => this.#tell(news);
    const awaited = () => this.#wanted;
    const yields = () => this.#waitingForRemovals.length > 0;
    const { signal } = this.#stop;
    return { tables, follower: new ViewFollower({ ledger, tables, thresholds, log, onStep, awaited, yields, signal }) };
  }

  #tell(news: News): void {
    if (this.#stop.signal.aborted) return;
    try {
      const dueAt = this.#tables.sessions.nextDueAfter(0);
      const isRemoving = !this.#hasFollowedRemovals || this.#waitingForRemovals.length > 0 || this.#follower.hasEarlyRemovals;
      this.#options.onState({ position: this.#follower.position, isRemoving, dueAt }, news);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** One run at a time; a run that is asked for while another goes on follows it. */
  #schedule(delayMs: number): void {
    if (this.#stop.signal.aborted || this.#running !== undefined || (this.#failing && delayMs < RETRY_MS)) return;
    if (this.#timer !== undefined) {
      if (delayMs > 0) return;
      clearTimeout(this.#timer);
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#running !== undefined) return; // what follows it looks for itself
      this.#running = this.#run().finally(() => this.#afterRun());
    }, delayMs);
  }

  #afterRun(): void {
    this.#running = undefined;
    this.#tell(NO_NEWS);
    if (this.#stop.signal.aborted) return;
    if (this.#failing) this.#schedule(RETRY_MS);
    else if (this.#waitingForRemovals.length > 0) this.#schedule(0);
    else if (this.#head > this.#follower.position) this.#schedule(this.#follower.writesInMs ?? 0);
  }

  #run(): Promise<void> {
    return this.#guarded(async () => {
      const waiting = this.#waitingForRemovals.length;
      await this.#follower.applyRemovals();
      this.#hasFollowedRemovals = true;
      for (const done of this.#waitingForRemovals.splice(0, waiting)) done();
      await this.#follower.follow(Math.max(this.#head, this.#wanted));
      if (this.#follower.hasEarlyRemovals) await this.#follower.applyRemovals();
      this.#failing = false;
    });
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A damaged file is removed, to be built anew; anything else may pass, and is tried again. */
  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    if (isDamage(error)) {
      this.#remove(reasonOf(error));
      return;
    }
    if (!this.#failing) this.#options.log(`The session views are behind and will be tried again: ${reasonOf(error)}.`);
    this.#failing = true;
    this.#stopWaiting(); // nobody who deletes is kept waiting
    try {
      this.#follower.reset();
    } catch (cause) {
      this.#remove(reasonOf(cause));
    }
    this.#schedule(RETRY_MS);
  }

  #remove(why: string): void {
    this.#options.log(`The session views are built anew from the ledger: ${why}.`);
    this.#stop.abort();
    clearTimeout(this.#timer);
    this.#stopWaiting();
    this.#tables.close();
    removeViewFile(this.#options.path);
    this.#options.onDamage();
  }

  #stopWaiting(): void {
    for (const done of this.#waitingForRemovals.splice(0)) done();
  }
}

/** A file that has seen more than the ledger holds, or something else, belongs to another ledger. Says so; undefined when it fits. */
async function whyForeign({ position, receivedAt }: Watermark, ledger: LedgerReading): Promise<string | undefined> {
  if (position > (await ledger.head())) return "it has seen more than the ledger holds";
  if (receivedAt === null) return undefined;
  const entry = (await ledger.read({ after: position - 1, limit: 1 })).entries[0];
  const differs = entry !== undefined && entry.position === position && entry.receivedAt !== receivedAt;
  return differs ? "it has seen another ledger" : undefined;
}

/** The file does not hold what we wrote: its pages, its tables, or the JSON in them. */
function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB || code === SQLITE_ERROR || error instanceof SyntaxError;
}

/** What is wrong with the ledger must not be taken for damage of the views. */
function withoutOwnErrors(ledger: LedgerReading): LedgerReading {
  const mark = async <Result>(read: Promise<Result>): Promise<Result> => {
    try {
      return await read;
    } catch (cause) {
      throw new Error(`the ledger could not be read (${reasonOf(cause)})`, { cause });
    }
  };
  return {
    head: () => mark(ledger.head()),
    read: (query) => mark(ledger.read(query)),
    readSession: (query) => mark(ledger.readSession(query)),
    findSessions: (id, protocol) => mark(ledger.findSessions(id, protocol)),
    removals: (query) => mark(ledger.removals(query)),
  };
}
