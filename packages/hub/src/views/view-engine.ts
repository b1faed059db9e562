import { EarshotError } from "@earshot/protocol";
import { reasonOf, SQLITE, sqliteCode } from "../ledger/sqlite/sqlite-error.ts";
import type { AlertThresholds } from "./alerts/detector.ts";
import type { LedgerReading } from "./ledger-reading.ts";
import { openViewFile, removeViewFile } from "./view-file.ts";
import { type News, ViewFollower } from "./view-follower.ts";
import { ViewQuestions } from "./view-questions.ts";
import { ViewTables, type Watermark } from "./view-tables.ts";
import { viewsUnavailable } from "./views.ts";

export interface EngineOptions {
  readonly path: string;
  readonly ledger: LedgerReading;
  readonly thresholds: AlertThresholds;
  readonly log: (line: string) => void;
  /** Called whenever the tables changed. */
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
const NO_NEWS: News = { raised: [], timed: [] };

/**
 * The views themselves: follows the ledger, keeps the tables, answers queries between two pages. Knows no threads and no clock. One piece
 * of work runs at a time; a failed one is repeated after a pause.
 */
export class ViewEngine {
  readonly #options: EngineOptions;
  readonly #stop = new AbortController();
  readonly #questions: ViewQuestions;
  #tables: ViewTables;
  #follower: ViewFollower;
  /** Callers of `applyRemovals` that the next look at the removal log answers. */
  #waitingForRemovals: (() => void)[] = [];
  #hasFollowedRemovals = false;
  #target = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isScheduled = false;
  #retry: NodeJS.Timeout | undefined;

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
    await this.#alone(async () => {}); // publishes the position of the file
    this.#schedule();
  }

  /** The ledger has entries up to a position. */
  follow(head: number): void {
    this.#target = Math.max(this.#target, head);
    this.#schedule();
  }

  /** Fulfills when every recorded removal has left the tables, or when that fails and has to be repeated. */
  applyRemovals(): Promise<void> {
    return new Promise<void>((done) => {
      this.#waitingForRemovals.push(done);
      this.#schedule();
    });
  }

  /** Raises the alerts that the passing of time makes due, and returns when to check again. */
  checkTime(now: number, deafUntil: number | undefined): Promise<number | undefined> {
    return this.#alone(() => this.#follower.checkTime(now, deafUntil));
  }

  /** Answers a query. A failure is thrown as a problem; damage of the file is repaired. */
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
      if (isDamage(error)) this.#remove(reasonOf(error));
      throw viewsUnavailable("The session views cannot be read right now.", error);
    }
  }

  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    clearTimeout(this.#retry);
    await this.#turn;
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
    const onWrite = (news: News) => this.#publish(news);
    return { tables, follower: new ViewFollower({ ledger, tables, thresholds, log, onWrite, signal: this.#stop.signal }) };
  }

  #publish(news: News): void {
    if (this.#stop.signal.aborted) return;
    const dueAt = this.#tables.sessions.nextDueAfter(0);
    const isRemoving = !this.#hasFollowedRemovals || this.#waitingForRemovals.length > 0;
    this.#options.onState({ position: this.#follower.position, isRemoving, dueAt }, news);
  }

  /** A turn of following begins when the work before it has ended, unless one is planned already, or a failure is waiting for its retry. */
  #schedule(): void {
    if (this.#isScheduled || this.#retry !== undefined) return;
    this.#isScheduled = true;
    void this.#alone(async () => {
      this.#isScheduled = false;
      await this.#catchUp();
    });
  }

  /** Removals come first, also between two pages: deleting never waits for a long catch-up. */
  async #catchUp(): Promise<void> {
    const { signal } = this.#stop;
    do {
      const waiting = this.#waitingForRemovals.length;
      await this.#follower.applyRemovals();
      if (signal.aborted) return;
      this.#hasFollowedRemovals = true;
      for (const done of this.#waitingForRemovals.splice(0, waiting)) done();
    } while ((await this.#follower.followPage(this.#target)) && !signal.aborted);
    this.#follower.flush();
  }

  /** Runs a piece of work after those before it. Undefined where it failed, or the engine stops. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const result = this.#turn.then(async () => {
      if (this.#stop.signal.aborted) return undefined;
      try {
        const value = await work();
        this.#publish(NO_NEWS);
        return value;
      } catch (error) {
        this.#fail(error);
        return undefined;
      }
    });
    this.#turn = result;
    return result;
  }

  /** A damaged file is removed, to be built anew; anything else may pass, and is tried again. */
  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    if (isDamage(error)) {
      this.#remove(reasonOf(error));
      return;
    }
    this.#options.log(`The session views are behind and will be tried again: ${reasonOf(error)}.`);
    this.#stopWaiting(); // deletions do not wait for the retry
    try {
      this.#follower.reset();
    } catch (cause) {
      this.#remove(reasonOf(cause));
      return;
    }
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#schedule();
    }, RETRY_MS);
  }

  #remove(why: string): void {
    if (this.#stop.signal.aborted) return;
    this.#options.log(`The session views are built anew from the ledger: ${why}.`);
    this.#stop.abort();
    clearTimeout(this.#retry);
    this.#stopWaiting();
    this.#tables.close();
    removeViewFile(this.#options.path);
    this.#options.onDamage();
  }

  #stopWaiting(): void {
    for (const done of this.#waitingForRemovals.splice(0)) done();
  }
}

/** Why the file belongs to another ledger: it contains more than this one, or something else. Undefined when it fits. */
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
    removals: (query) => mark(ledger.removals(query)),
  };
}
