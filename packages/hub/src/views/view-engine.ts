import { EarshotError } from "@earshot/protocol";
import { reasonOfError, SQLITE_CODES, sqliteCode } from "../ledger/sqlite/sqlite-error.ts";
import type { AlertThresholds } from "./alerts/detector.ts";
import type { LedgerReading } from "./ledger-reading.ts";
import { openViewFile, removeViewFile } from "./view-file.ts";
import { type NewAlerts, ViewFollower } from "./view-follower.ts";
import { ViewQuestions } from "./view-questions.ts";
import { ViewTables, type Watermark } from "./view-tables.ts";
import { viewsUnavailable } from "./views.ts";

export interface ViewEngineOptions {
  readonly path: string;
  readonly ledger: LedgerReading;
  readonly thresholds: AlertThresholds;
  readonly log: (line: string) => void;
  /** Called whenever the tables changed. */
  readonly onState: (state: ViewEngineState, news: NewAlerts) => void;
  /** The ledger lacks entries that the views had read, and why that is known. */
  readonly onLoss: (why: string) => void;
  /** The damaged file was removed; another engine must build it again. */
  readonly onDamage: () => void;
}

/** The progress of the tables. */
export interface ViewEngineState {
  readonly position: number;
  /** Removed entries are leaving the tables, which are incomplete meanwhile. */
  readonly isRemoving: boolean;
  /** When the passing of time may raise an alert. */
  readonly dueAt: number | undefined;
}

export type ViewQuestionName = keyof ViewQuestions;

const RETRY_MS = 1000;
/** "No such table" and similar. The statements are right, so the file is damaged. */
const SQLITE_ERROR = 1;
const NO_NEWS: NewAlerts = { raised: [], timed: [] };

/**
 * The view engine: follows the ledger, maintains the tables, answers queries between two pages. Independent of threads and clocks. One
 * piece of work runs at a time; a failed one is retried after a pause.
 */
export class ViewEngine {
  readonly #options: ViewEngineOptions;
  readonly #stop = new AbortController();
  #questions: ViewQuestions;
  #tables: ViewTables;
  #follower: ViewFollower;
  /** Callers of `applyRemovals` that the next read of the removal log answers. */
  #waitingForRemovals: (() => void)[] = [];
  #hasFollowedRemovals = false;
  #target = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isScheduled = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: ViewEngineOptions) {
    this.#options = { ...options, ledger: withoutOwnErrors(options.ledger) };
    ({ tables: this.#tables, questions: this.#questions, follower: this.#follower } = this.#open());
  }

  async begin(): Promise<void> {
    const { log, onLoss, path, ledger } = this.#options;
    const why = await whyForeign(this.#tables.watermark(), ledger);
    if (why !== undefined) {
      log(`The session views are built anew from the ledger: ${why}.`);
      onLoss(why);
      this.#tables.close();
      removeViewFile(path);
      ({ tables: this.#tables, questions: this.#questions, follower: this.#follower } = this.#open());
    }
    await this.#alone(async () => {}); // publishes the position of the file
    this.#schedule();
  }

  /** Announces that the ledger has entries up to a position. */
  follow(head: number): void {
    this.#target = Math.max(this.#target, head);
    this.#schedule();
  }

  /** Fulfills when every logged removal has left the tables, or when that failed and will be retried. */
  applyRemovals(): Promise<void> {
    return new Promise<void>((done) => {
      this.#waitingForRemovals.push(done);
      this.#schedule();
    });
  }

  /** Raises due time-based alerts and returns when to check again. */
  checkTime(now: number, deafUntil: number | undefined): Promise<number | undefined> {
    return this.#alone(() => this.#follower.checkTime(now, deafUntil));
  }

  /** Answers a query. A failure is thrown as a problem; a damaged file is repaired. */
  async ask<Name extends ViewQuestionName>(
    name: Name,
    ...given: Parameters<ViewQuestions[Name]>
  ): Promise<Awaited<ReturnType<ViewQuestions[Name]>>> {
    try {
      // The name determines the method and its argument types, which the compiler cannot follow.
      const question = this.#questions[name] as (...given: readonly unknown[]) => ReturnType<ViewQuestions[Name]>;
      return await question.apply(this.#questions, given);
    } catch (error) {
      if (EarshotError.is(error)) throw error;
      if (isDamage(error)) this.#remove(reasonOfError(error));
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
      // Lost entries are folded again at the next start.
      this.#options.log(`The session views could not be written: ${reasonOfError(error)}.`);
    }
    this.#stopWaiting();
    this.#tables.close();
  }

  #open() {
    const { ledger, log, thresholds, path } = this.#options;
    const tables = new ViewTables(openViewFile(path, log), thresholds);
    const onWrite = (news: NewAlerts) => this.#publish(news);
    const follower = new ViewFollower({ ledger, tables, thresholds, log, onWrite, signal: this.#stop.signal });
    return { tables, questions: new ViewQuestions(ledger, tables), follower };
  }

  #publish(news: NewAlerts): void {
    if (this.#stop.signal.aborted) return;
    const dueAt = this.#tables.sessions.nextDueAfter(0);
    const isRemoving = !this.#hasFollowedRemovals || this.#waitingForRemovals.length > 0;
    this.#options.onState({ position: this.#follower.position, isRemoving, dueAt }, news);
  }

  /** Schedules a turn after the work before it, unless one is scheduled already or a failure awaits its retry. */
  #schedule(): void {
    if (this.#isScheduled || this.#retry !== undefined) return;
    this.#isScheduled = true;
    void this.#alone(async () => {
      this.#isScheduled = false;
      await this.#catchUp();
    });
  }

  /** Removals come first, also between two pages, so deletions never wait for a long catch-up. */
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

  /** Runs a piece of work after those before it. Undefined if it failed or the engine stops. */
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

  /** A damaged file is removed and built again; other failures are retried. */
  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    if (isDamage(error)) {
      this.#remove(reasonOfError(error));
      return;
    }
    this.#options.log(`The session views are behind and will be tried again: ${reasonOfError(error)}.`);
    this.#stopWaiting(); // deletions do not wait for the retry
    try {
      this.#follower.reset();
    } catch (cause) {
      this.#remove(reasonOfError(cause));
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
  const head = await ledger.head();
  if (position > head) return `it has seen entries up to ${position}, and the ledger ends at ${head}`;
  if (receivedAt === null) return undefined;
  const entry = (await ledger.read({ after: position - 1, limit: 1 })).entries[0];
  const differs = entry !== undefined && entry.position === position && entry.receivedAt !== receivedAt;
  return differs ? "it has seen another ledger" : undefined;
}

/** The file's pages, tables or JSON are not as written. */
function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_CODES.CORRUPT || code === SQLITE_CODES.NOTADB || code === SQLITE_ERROR || error instanceof SyntaxError;
}

/** A ledger error must not be mistaken for damage of the views. */
function withoutOwnErrors(ledger: LedgerReading): LedgerReading {
  const mark = async <Result>(read: Promise<Result>): Promise<Result> => {
    try {
      return await read;
    } catch (cause) {
      throw new Error(`the ledger could not be read (${reasonOfError(cause)})`, { cause });
    }
  };
  return {
    head: () => mark(ledger.head()),
    read: (query) => mark(ledger.read(query)),
    readSession: (query) => mark(ledger.readSession(query)),
    removals: (query) => mark(ledger.removals(query)),
  };
}
