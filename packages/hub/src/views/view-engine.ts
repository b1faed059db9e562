import { EarshotError } from "@earshot/protocol";
import { reasonOf, SQLITE, sqliteCode } from "../ledger/sqlite/sqlite-error.ts";
import type { AlertThresholds } from "./alerts/thresholds.ts";
import type { LedgerReading } from "./ledger-reading.ts";
import { IN_MEMORY, openViewFile, removeViewFile } from "./view-file.ts";
import { type News, ViewFollower } from "./view-follower.ts";
import { ViewQuestions } from "./view-questions.ts";
import { type AnnouncedCut, cutName, ViewTables } from "./view-tables.ts";
import { viewsUnavailable } from "./views-unavailable.ts";
import { whyForeign } from "./why-foreign.ts";

export interface EngineOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  readonly ledger: LedgerReading;
  readonly thresholds: AlertThresholds;
  readonly log: (line: string) => void;
  /** Told whenever something about the tables changed. */
  readonly onState: (state: EngineState, news: News) => void;
}

/** How far the tables are. */
export interface EngineState {
  readonly position: number;
  /** A session is folded anew: what it shows is incomplete meanwhile. */
  readonly refolding: boolean;
  /** When the passing of time may raise an alert. */
  readonly dueAt: number | undefined;
  /** Cuts that were under way when the hub stopped, and wait for the ledger to be asked once more. */
  readonly unfinished: readonly AnnouncedCut[];
}

export type Question = keyof ViewQuestions;

const RETRY_MS = 1000;
/** A disk that damages the file again and again is not used any more. */
const MOST_STARTS_OVER = 3;
/** "No such table", and the like: our statements are right, so the file is not. */
const SQLITE_ERROR = 1;
const NO_NEWS: News = { heard: [], timed: [] };

interface Refold {
  readonly cut: AnnouncedCut;
  readonly done: () => void;
}

/**
 * The views themselves: follows the ledger, keeps the tables, answers questions. Knows nothing of threads and clocks. One run
 * at a time; questions are answered between its slices.
 */
export class ViewEngine {
  readonly #options: EngineOptions;
  readonly #stop = new AbortController();
  readonly #questions: ViewQuestions;
  readonly #cuts = new Map<string, AnnouncedCut>();
  #unfinished: readonly AnnouncedCut[] = [];
  #tables: ViewTables;
  #follower: ViewFollower;
  #refolds: Refold[] = [];
  #head = 0;
  #wanted = 0;
  #path: string;
  #startsOver = 0;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failing = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#path = options.path;
    this.#questions = new ViewQuestions({ ledger: options.ledger, tables: () => this.#tables, signal: this.#stop.signal });
    ({ tables: this.#tables, follower: this.#follower } = this.#open());
  }

  async begin(): Promise<void> {
    const why = await this.#whyForeign();
    if (why !== undefined) this.#startOver(why);
    this.#unfinished = this.#tables.announcedCuts(); // in a table that was read when the file was opened
    this.#tell(NO_NEWS);
  }

  /** The ledger has entries up to a position; somebody waits for those up to another. */
  follow(head: number, wanted: number): void {
    this.#head = Math.max(this.#head, head);
    this.#wanted = wanted;
    this.#schedule(0);
  }

  async announce(cut: AnnouncedCut): Promise<void> {
    this.#cuts.set(cutName(cut), cut);
    this.#announce(cut);
  }

  /** Fulfils when the session is folded anew, or when that has to wait for the tables to be writable again. */
  refold(cut: AnnouncedCut): Promise<void> {
    this.#unfinished = this.#unfinished.filter((one) => cutName(one) !== cutName(cut));
    return new Promise<void>((done) => {
      this.#refolds.push({ cut, done });
      this.#schedule(0);
    }).finally(() => this.#cuts.delete(cutName(cut)));
  }

  /** Raises what the passing of time makes true, and gives when to ask again. */
  async checkTime(now: number, deafUntil: number | undefined): Promise<number | undefined> {
    while (this.#running !== undefined) await this.#running;
    if (this.#stop.signal.aborted) return undefined;
    let next: number | undefined;
    this.#running = this.#guarded(async (follower) => {
      next = await follower.checkTime(now, deafUntil);
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
    for (const { done } of this.#refolds) done();
    this.#refolds = [];
    this.#tables.close();
  }

  #open(): { tables: ViewTables; follower: ViewFollower } {
    const { ledger, log, thresholds } = this.#options;
    const tables = new ViewTables(openViewFile(this.#path, log));
    const onStep = (news: News) => this.#tell(news);
    const awaited = () => this.#wanted;
    const yields = () => this.#refolds.length > 0;
    const { signal } = this.#stop;
    return { tables, follower: new ViewFollower({ ledger, tables, thresholds, log, onStep, awaited, yields, signal }) };
  }

  #announce(cut: AnnouncedCut): void {
    try {
      this.#tables.announceCut(cut);
    } catch (error) {
      // The views must not keep anybody from deleting. Only a hub that stops right now would leave a row behind.
      this.#fail(error);
    }
  }

  async #whyForeign(): Promise<string | undefined> {
    try {
      return await whyForeign(this.#tables.watermark(), this.#options.ledger);
    } catch (error) {
      if (EarshotError.is(error)) throw error;
      return reasonOf(error);
    }
  }

  #tell(news: News): void {
    let dueAt: number | undefined;
    try {
      dueAt = this.#tables.sessions.nextDueAfter(0);
    } catch (error) {
      this.#fail(error);
    }
    const refolding = this.#refolds.length > 0 || this.#unfinished.length > 0;
    this.#options.onState({ position: this.#follower.position, refolding, dueAt, unfinished: this.#unfinished }, news);
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
    if (this.#failing) this.#schedule(RETRY_MS);
    else if (this.#refolds.length > 0 || this.#tables.purgeIsDue) this.#schedule(0);
    else if (this.#head > this.#follower.position) this.#schedule(this.#follower.writesInMs ?? 0);
  }

  #run(): Promise<void> {
    return this.#guarded(async (follower) => {
      for (let refold = this.#refolds[0]; refold !== undefined && !this.#stop.signal.aborted; refold = this.#refolds[0]) {
        await follower.refold(refold.cut);
        this.#refolds.shift();
        refold.done();
      }
      await follower.follow(Math.max(this.#head, this.#wanted));
      this.#failing = false;
      // When there is nothing better to do.
      if (this.#tables.purgeIsDue && this.#head <= follower.position) follower.purge();
    });
  }

  async #guarded(work: (follower: ViewFollower) => Promise<void>): Promise<void> {
    const follower = this.#follower;
    try {
      await work(follower);
    } catch (error) {
      // One that was replaced meanwhile has lost its tables, and nobody misses it.
      if (follower === this.#follower) this.#fail(error);
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
    for (const cut of [...this.#cuts.values(), ...this.#unfinished]) this.#announce(cut);
    this.#tell(NO_NEWS);
    this.#schedule(this.#failing ? RETRY_MS : 0);
  }
}

/** The file does not hold what we wrote: its pages, its tables, or the JSON in them. */
function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB || code === SQLITE_ERROR || error instanceof SyntaxError;
}
