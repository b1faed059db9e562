import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
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
import type { Sealer } from "../seal.ts";
import { toLedgerFailure } from "./failures.ts";
import { Reader } from "./reader.ts";
import { RecentEntries } from "./recent-entries.ts";
import { Removal } from "./removal.ts";
import { RequestTable } from "./request-table.ts";
import { SideLog } from "./side-log.ts";
import { spaceOf } from "./space.ts";
import { Writer } from "./writer.ts";

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
}

/** Something to do inside the next transaction, and whom to tell when it is on disk. */
interface Job {
  readonly size: number;
  /** Gives what to do once the transaction is committed. */
  readonly run: () => () => void;
  readonly fail: (error: Error) => void;
}

/** At most so many entries share a transaction, so that nobody waits long for others. */
const TRANSACTION_ENTRIES = 1000;
const LIVE_SESSIONS = 4096;
const SEAL_EVERY_MS = 2000;

/**
 * One file, one writer, one connection. Whatever arrives in one turn of the event loop is committed together: one
 * transaction, one sync to disk, and only then the answers. Under load the turns grow and the syncs stay few; alone, an
 * event waits for nobody.
 */
export class SqliteLedger implements Ledger {
  readonly #db: DatabaseSync;
  readonly #options: SqliteLedgerOptions;
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #recent: RecentEntries;
  readonly #side: SideLog;
  readonly #requests: RequestTable;
  readonly #begin: StatementSync;
  readonly #commitStatement: StatementSync;
  readonly #sealer: Sealer;
  readonly #removal: Removal;
  readonly #sealing: NodeJS.Timeout;
  readonly #followers = new Set<(head: number) => void>();
  /** What is left of a cut that was interrupted is gone: nobody reads it any more. */
  readonly #resumed: Promise<void>;
  #jobs: Job[] = [];
  #scheduled = false;
  #closed = false;

  constructor(db: DatabaseSync, sealer: Sealer, options: SqliteLedgerOptions) {
    this.#db = db;
    this.#sealer = sealer;
    this.#options = options;
    this.#reader = new Reader(db);
    this.#side = new SideLog(db);
    this.#requests = new RequestTable(db);
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commitStatement = db.prepare("COMMIT");
    this.#recent = new RecentEntries(highestPosition(db));
    this.#writer = new Writer(db, highestPosition(db), {
      lifecycle: options.lifecycle,
      liveSessions: options.liveSessions ?? LIVE_SESSIONS,
      onEntry: (entry, hash) => {
        sealer.noteEntry(entry.row.session, entry.row.position, hash);
        this.#recent.add(entry);
      },
      onFailure: options.onFailure ?? (() => {}),
    });
    this.#sealing = setInterval(() => this.#seal(), options.sealEveryMs ?? SEAL_EVERY_MS).unref();
    this.#removal = new Removal(db, {
      signer: sealer,
      sessions: this.#writer.sessions,
      inNextTransaction: (work) => this.#enqueue(0, work),
      now: options.now,
    });
    this.#resumed = this.#removal.resume().catch((error: unknown) => options.onFailure?.(error));
  }

  append(batch: readonly Submission[]): Promise<readonly Verdict[]> {
    if (batch.length === 0) return Promise.resolve([]);
    return this.#enqueue(batch.length, () => batch.map((submission) => this.#writer.write(submission)));
  }

  settle(decision: Decision): Promise<SettleVerdict> {
    return this.#enqueue(1, () => this.#requests.settle(decision, this.#writer, this.#options.now()));
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
    return this.#writer.head;
  }

  async read(query: ReadQuery): Promise<Page> {
    await this.#resumed;
    return this.#recent.read(query) ?? this.#reader.read(query);
  }

  async readSession(query: SessionQuery): Promise<SessionPage> {
    await this.#resumed;
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
    return this.#forgetting(() => this.#removal.cut(session.key, reason, upTo));
  }

  erase(position: number): Promise<boolean> {
    return this.#forgetting(() => this.#removal.erase(position));
  }

  async space(): Promise<Space> {
    return spaceOf(this.#db);
  }

  giveBack(): Promise<number> {
    return this.#removal.giveBack();
  }

  follow(wake: (head: number) => void): () => void {
    this.#followers.add(wake);
    return () => this.#followers.delete(wake);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#flush().catch(() => {}); // what could not be written was answered so already
    this.#closed = true;
    this.#removal.close();
    clearInterval(this.#sealing);
    this.#seal();
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
      this.#jobs.push({ size, run, fail: reject });
      this.#schedule();
    });
  }

  /** Not being able to seal is no reason to stop: what is not sealed yet is sealed the next time. */
  #seal(): void {
    try {
      this.#sealer.seal(this.#options.now());
      this.#removal.emptyKeptLog();
    } catch (error) {
      if (toLedgerFailure(error).problem.code !== "STORAGE_FULL") this.#options.onFailure?.(error);
    }
  }

  /** What is removed from the file must not be read from memory, neither while it goes nor afterwards. */
  async #forgetting<Result>(remove: () => Promise<Result>): Promise<Result> {
    const removing = remove();
    const keepForgetting = this.follow((head) => this.#recent.clear(head));
    this.#recent.clear(this.#writer.head);
    try {
      return await removing;
    } finally {
      keepForgetting();
      this.#recent.clear(this.#writer.head);
    }
  }

  /** Everything that waits now is on disk, or has failed. */
  #flush(): Promise<void> {
    return this.#jobs.length === 0 && this.#side.isEmpty ? Promise.resolve() : this.#enqueue(0, () => undefined);
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    // After all that has arrived was read: it shares a transaction. Two turns, because what the sockets hold is not read in
    // one: nothing waits for longer than a fraction of a millisecond, and a transaction is shared by half as many again.
    setImmediate(() =>
      setImmediate(() => {
        this.#scheduled = false;
        this.#commit();
        if (this.#jobs.length > 0) this.#schedule();
      }),
    );
  }

  #commit(): void {
    const jobs = this.#take();
    const before = this.#writer.head;
    const began = performance.now();
    let answers: readonly (() => void)[];
    try {
      this.#begin.run();
      answers = jobs.map((job) => job.run());
      this.#writer.finish();
      this.#side.write();
      this.#commitStatement.run();
    } catch (error) {
      this.#undo(before);
      const failure = toLedgerFailure(error);
      if (failure.problem.code !== "STORAGE_FULL") this.#options.onFailure?.(error);
      for (const job of jobs) job.fail(failure);
      return;
    }
    this.#options.onCommit?.(performance.now() - began);
    this.#side.settle();
    this.#writer.settle();
    for (const answer of answers) answer();
    const { head } = this.#writer;
    if (head !== before) for (const wake of this.#followers) wake(head);
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
    return jobs;
  }

  #undo(head: number): void {
    try {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
    } catch (error) {
      this.#options.onFailure?.(error); // SQLite has undone it by itself
    }
    this.#writer.undo(head);
    this.#reader.forget();
  }
}

/** Positions are never used twice, not even those of entries that were cut. */
export function highestPosition(db: DatabaseSync): number {
  const row = db
    .prepare(
      "SELECT max(ifnull((SELECT max(position) FROM entry), 0), ifnull((SELECT max(up_to) FROM tombstone), 0), ifnull((SELECT max(up_to) FROM seal), 0)) AS highest",
    )
    .get() as { highest: number };
  return row.highest;
}
