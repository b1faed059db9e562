import type { DatabaseSync } from "node:sqlite";
import { EarshotError, type ProtocolName } from "@earshot/protocol";
import type { Decision, Request, SettleVerdict } from "../../request.ts";
import type { Verdict } from "../../verdict.ts";
import type {
  Count,
  CutReason,
  KeptRefusal,
  Ledger,
  Lifecycle,
  Page,
  ReadQuery,
  Refusal,
  SessionInfo,
  SessionPage,
  SessionQuery,
  Space,
  Submission,
} from "../ledger.ts";
import type { SettledDecision, Written } from "./draft.ts";
import { toLedgerFailure } from "./failures.ts";
import { Reader } from "./reader.ts";
import { RecentEntries, type RecentEntry } from "./recent-entries.ts";
import { FILED_UP_TO } from "./registers.ts";
import { RequestTable } from "./request-table.ts";
import { type EntryRow, HIGHEST_EVER } from "./rows.ts";
import type { RemovalTask, ScribePort } from "./scribe-port.ts";
import { SideLog } from "./side-log.ts";
import { spaceOf } from "./space.ts";
import { Stored } from "./stored.ts";
import { type Drafted, Writer } from "./writer.ts";

export interface SqliteLedgerOptions {
  readonly lifecycle: Lifecycle;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How many sessions are kept at hand; the others are taken up from disk when they are heard from again. */
  readonly liveSessions?: number;
  /** Told what went wrong inside, for the log. */
  readonly onFailure?: (error: unknown) => void;
  readonly sealEveryMs?: number;
  /** Told how long each transaction took, its sync included. */
  readonly onCommit?: (durationMs: number) => void;
  /** How many entries are filed together: see registers.ts. */
  readonly filedTogether?: number;
  /** Write in a thread of its own, so that events are read and judged while the disk is waited for. */
  readonly thread?: boolean;
}

/** Something to put into the next draft, and whom to tell when that is written. */
interface Job {
  readonly size: number;
  /** Gives what to do once the draft is written. */
  readonly run: () => (settled: readonly SettledDecision[]) => void;
  readonly fail: (error: Error) => void;
}

/** A draft at the scribe's. */
interface Pending extends Drafted {
  readonly jobs: readonly Job[];
  readonly answers: readonly ((settled: readonly SettledDecision[]) => void)[];
}

/** At most so many entries share a transaction, so that nobody waits long for others. */
const TRANSACTION_ENTRIES = 1000;
/** So many are worth a sync of their own: the scribe writes them while the rest of what has arrived is read. */
const ENOUGH_ENTRIES = 16;
/** One is written while the next one waits at the scribe's elbow: he never waits for us. */
const MOST_PENDING = 2;
const LIVE_SESSIONS = 4096;

/**
 * One file, one writer. What arrives is judged here, in order, against what the file has and what is on its way there; what
 * is to be written goes to the scribe in drafts, one transaction and one sync each, and only then the answers leave. While
 * he writes one draft, whatever arrives gathers in the next: under load they grow and the syncs stay few; alone, an event
 * waits for nobody.
 *
 * When a draft cannot be written, those after it stand on sand: all of them fail, what was remembered is forgotten, and
 * what comes next is judged against the file again.
 */
export class SqliteLedger implements Ledger {
  readonly #db: DatabaseSync;
  readonly #scribe: ScribePort;
  readonly #options: SqliteLedgerOptions;
  readonly #stored: Stored;
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #recent: RecentEntries;
  readonly #side: SideLog;
  readonly #requests: RequestTable;
  readonly #followers = new Set<(head: number) => void>();
  #jobs: Job[] = [];
  /** How many entries they are. */
  #waiting = 0;
  #pending: Pending[] = [];
  /** The last position that is in the file. */
  #head: number;
  #epoch = 0;
  #failing = false;
  /** How many want that nothing is under way, and whom to tell when that is so. */
  #pausing = 0;
  #whenQuiet: (() => void)[] = [];
  #scheduled = false;
  #closed = false;

  /** `db` is for reading: only the scribe writes. He is asked for when all that can be read was read. */
  constructor(db: DatabaseSync, openScribe: () => ScribePort, options: SqliteLedgerOptions) {
    this.#db = db;
    this.#options = options;
    this.#reader = new Reader(db);
    this.#side = new SideLog(db);
    this.#requests = new RequestTable(db);
    this.#stored = new Stored(db, options.filedTogether);
    this.#head = highestTaken(db);
    this.#recent = new RecentEntries(this.#head);
    this.#writer = new Writer(this.#stored, this.#head, {
      lifecycle: options.lifecycle,
      liveSessions: options.liveSessions ?? LIVE_SESSIONS,
      onFailure: options.onFailure ?? (() => {}),
    });
    this.#scribe = openScribe();
  }

  append(batch: readonly Submission[]): Promise<readonly Verdict[]> {
    if (batch.length === 0) return Promise.resolve([]);
    return this.#enqueue(batch.length, () => batch.map((submission) => this.#writer.write(submission)));
  }

  settle(decision: Decision): Promise<SettleVerdict> {
    return new Promise((resolve, reject) => {
      const run = () => {
        const position = this.#writer.decide(decision, this.#options.now());
        return (settled: readonly SettledDecision[]) =>
          resolve(settled.find((one) => one.position === position)?.verdict ?? { ok: false, why: "unknown" });
      };
      this.#push({ size: 1, run, fail: reject });
    });
  }

  refuse(refusals: readonly Refusal[]): void {
    if (refusals.length === 0) return;
    this.#side.keep(refusals);
    this.#schedule();
  }

  count(what: string, source: string, howMany: number): void {
    this.#side.count({ what, source, howMany, lastAt: this.#options.now() });
    this.#schedule();
  }

  async head(): Promise<number> {
    return this.#head;
  }

  async read(query: ReadQuery): Promise<Page> {
    await this.#scribe.resumed;
    return this.#recent.read(query) ?? this.#reader.read(query);
  }

  async readSession(query: SessionQuery): Promise<SessionPage> {
    await this.#scribe.resumed;
    return this.#reader.readSession(query);
  }

  async findSessions(id: string, protocol?: ProtocolName): Promise<readonly SessionInfo[]> {
    return this.#reader.findSessions(id, protocol);
  }

  async requests(query: {
    readonly state?: Request["state"];
    readonly session?: string;
    readonly limit: number;
  }): Promise<readonly Request[]> {
    return this.#requests.list(query);
  }

  async refused(query: { readonly before?: number; readonly limit: number }): Promise<readonly KeptRefusal[]> {
    await this.#flush().catch(() => {}); // what is stored can be read all the same
    return this.#side.refused(query);
  }

  async counts(): Promise<readonly Count[]> {
    await this.#flush().catch(() => {}); // what is stored can be read all the same
    return this.#side.counts();
  }

  cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number> {
    return this.#forgetting(() => this.#remove({ what: "cut", session: session.key, reason, upTo }, session.key));
  }

  erase(position: number): Promise<boolean> {
    return this.#forgetting(async () => {
      await this.#flush(); // what was refused is in its table then
      await this.#scribe.remove({ what: "forget refused", position }, () => {});
      const session = Number(this.#db.prepare("SELECT session FROM entry WHERE position = ?").get(position)?.["session"] ?? 0);
      return (await this.#remove({ what: "erase", session, position }, session)) > 0;
    });
  }

  async space(): Promise<Space> {
    return spaceOf(this.#db);
  }

  giveBack(): Promise<number> {
    return this.#scribe.remove({ what: "give back" }, () => {});
  }

  follow(wake: (head: number) => void): () => void {
    this.#followers.add(wake);
    return () => this.#followers.delete(wake);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#flush().catch(() => {}); // what could not be written was answered so already
    this.#closed = true;
    await this.#scribe.close();
    this.#db.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #enqueue<Result>(size: number, work: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const run = () => {
        const result = work();
        return () => resolve(result);
      };
      this.#push({ size, run, fail: reject });
    });
  }

  #push(job: Job): void {
    this.#jobs.push(job);
    this.#waiting += job.size;
    if (this.#waiting >= ENOUGH_ENTRIES && !this.#closed && this.#mayDraft()) this.#draft();
    else this.#schedule();
  }

  /**
   * Removes something of a session. What is left of it must not need what goes in order to be judged, so its state is stored
   * first; and nothing in memory may bring back what is gone, so nothing is judged until the first step is done.
   */
  async #remove(task: RemovalTask, session: number): Promise<number> {
    const resume = await this.#quiet(() => {
      const live = this.#writer.sessions.ofKey(session);
      if (live !== undefined) this.#writer.sessions.store(live, true);
    });
    let hasBegun = false;
    const begun = () => {
      hasBegun = true;
      this.#stored.forgetNames();
      try {
        const live = this.#writer.sessions.ofKey(session);
        if (live !== undefined) this.#writer.sessions.forget(live);
      } finally {
        resume(); // whatever cannot be read: others must not wait for it
      }
    };
    try {
      return await this.#scribe.remove(task, begun);
    } finally {
      if (!hasBegun) begun(); // it failed; it may have begun all the same
    }
  }

  /** Waits until something is written and nothing is under way, and holds everything else up until told to go on. */
  async #quiet(work: () => void): Promise<() => void> {
    await this.#enqueue(0, work);
    this.#pausing++;
    let paused = true;
    if (this.#pending.length > 0) await new Promise<void>((resolve) => this.#whenQuiet.push(resolve));
    return () => {
      if (!paused) return;
      paused = false;
      this.#pausing--;
      this.#schedule();
    };
  }

  /** What is removed from the file must not be read from memory, neither while it goes nor afterwards. */
  async #forgetting<Result>(remove: () => Promise<Result>): Promise<Result> {
    const removing = remove();
    const keepForgetting = this.follow((head) => this.#recent.clear(head));
    this.#recent.clear(this.#head);
    try {
      return await removing;
    } finally {
      keepForgetting();
      this.#recent.clear(this.#head);
    }
  }

  /** Everything that waits now is on disk, or has failed. */
  #flush(): Promise<void> {
    const isIdle = this.#jobs.length === 0 && this.#pending.length === 0 && this.#side.isEmpty;
    return isIdle ? Promise.resolve() : this.#enqueue(0, () => undefined);
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed || !this.#mayDraft()) return;
    this.#scheduled = true;
    // After all that has arrived was read: it shares a transaction. Two turns, because what the sockets hold is not read in
    // one: nothing waits for longer than a fraction of a millisecond, and a transaction is shared by half as many again.
    setImmediate(() =>
      setImmediate(() => {
        this.#scheduled = false;
        if (this.#mayDraft()) this.#draft();
        this.#schedule();
      }),
    );
  }

  #mayDraft(): boolean {
    if (this.#pending.length >= MOST_PENDING || this.#failing || this.#pausing > 0) return false;
    return this.#jobs.length > 0 || !this.#side.isEmpty;
  }

  #draft(): void {
    const jobs = this.#take();
    const answers: Pending["answers"][number][] = [];
    this.#writer.begin(this.#epoch);
    try {
      this.#stored.beginLook();
      try {
        for (const job of jobs) answers.push(job.run());
      } finally {
        this.#stored.endLook();
      }
    } catch (error) {
      // The file cannot be read: what was judged so far is forgotten, once what was judged before is written.
      this.#fail(jobs, toLedgerFailure(error), error);
      return;
    }
    const pending: Pending = { ...this.#writer.finish(this.#side.take()), jobs, answers };
    this.#pending.push(pending);
    void this.#scribe.write(pending.draft).then((written) => this.#settle(pending, written));
  }

  /** Drafts are written in order, so this is told of them in order. */
  #settle(pending: Pending, written: Written): void {
    this.#pending.shift();
    if (written.ok) this.#tell(pending, written);
    else {
      const error = new EarshotError(written.problem, { cause: new Error(written.cause) });
      this.#side.putBack(pending.draft);
      this.#fail(pending.jobs, error, error);
    }
    if (this.#pending.length === 0) {
      if (this.#failing) this.#startOver();
      for (const tell of this.#whenQuiet.splice(0)) tell();
    }
    this.#schedule();
  }

  #tell({ draft, entries, answers }: Pending, { tookMs, settled }: Written & { readonly ok: true }): void {
    this.#options.onCommit?.(tookMs);
    this.#stored.written(draft);
    const before = this.#head;
    for (const entry of withDecisions(entries, settled, (key) => this.#reader.sessionOf(key))) {
      this.#recent.add(entry);
      this.#head = entry.row.position;
    }
    for (const answer of answers) answer(settled);
    if (this.#head !== before) for (const wake of this.#followers) wake(this.#head);
  }

  #fail(jobs: readonly Job[], failure: EarshotError, cause: unknown): void {
    if (!this.#failing && failure.problem.code !== "STORAGE_FULL") this.#options.onFailure?.(cause);
    this.#failing = true;
    for (const job of jobs) job.fail(failure);
    if (this.#pending.length === 0) this.#startOver();
  }

  /** Nothing is under way: what the file has is all there is. */
  #startOver(): void {
    this.#failing = false;
    this.#epoch++;
    this.#stored.forgetUnderway();
    this.#writer.startOver(Math.max(this.#head, highestTaken(this.#db)));
    this.#reader.forget();
  }

  #take(): readonly Job[] {
    let entries = 0;
    let count = 0;
    for (const { size } of this.#jobs) {
      if (count > 0 && entries + size > TRANSACTION_ENTRIES) break;
      entries += size;
      count++;
    }
    const jobs = this.#jobs.slice(0, count);
    this.#jobs = this.#jobs.slice(count);
    this.#waiting -= entries;
    return jobs;
  }
}

/** Decisions take their places between the entries. */
function* withDecisions(
  entries: readonly RecentEntry[],
  settled: readonly SettledDecision[],
  sessionOf: (key: number) => SessionInfo,
): Generator<RecentEntry> {
  let next = 0;
  for (const { position, entry } of settled) {
    for (; (entries[next]?.row.position ?? position) < position; next++) yield entries[next] as RecentEntry;
    if (entry === undefined) continue;
    const { receivedAt: received_at, ...rest } = entry;
    const row: EntryRow = { ...rest, position, received_at, verified: 1, sequence: null, notes: null };
    yield { row, session: sessionOf(entry.session) };
  }
  for (; next < entries.length; next++) yield entries[next] as RecentEntry;
}

/** Positions are never used twice, not even those of entries that were cut. */
export function highestPosition(db: DatabaseSync): number {
  return Number(db.prepare(`SELECT ${HIGHEST_EVER} AS highest`).get()?.["highest"]);
}

/** What is new stands after what is filed, whatever is said of that: or it would be taken for filed. */
function highestTaken(db: DatabaseSync): number {
  return Math.max(highestPosition(db), Number(db.prepare(`SELECT ${FILED_UP_TO} AS upTo`).get()?.["upTo"]));
}
