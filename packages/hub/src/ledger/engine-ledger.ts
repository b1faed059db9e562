import { hash } from "node:crypto";
import {
  type EventLifecycle,
  findLookups,
  JudgingFailure,
  type Operation,
  type OperationResult,
  planBatch,
  SessionCache,
  type SourceSession,
  StaleCacheError,
  type Submission,
  sessionLabel,
} from "@earshot/judge";
import type { ProtocolName } from "@earshot/protocol";
import type { RequestDecision, RequestQuery, SettleVerdict, StoredRequest } from "../request.ts";
import type { Verdict } from "../verdict.ts";
import { linkEntries } from "./chain.ts";
import { Checkpoints, type CheckpointsOptions } from "./checkpoints.ts";
import { planErasure } from "./erasure.ts";
import { toLedgerFailure } from "./failures.ts";
import type {
  CutReason,
  DiskSpace,
  EntryPage,
  EntryQuery,
  KeptRefusal,
  Ledger,
  LoggedRemoval,
  RefusalCount,
  RefusedEvent,
  RemovalQuery,
  SessionInfo,
  SessionPage,
  SessionQuery,
} from "./ledger.ts";
import type { EngineWrites, LedgerEngine } from "./ledger-engine.ts";
import { type Erasure, toRemoval } from "./seal-line.ts";
import { WriteQueue } from "./write-queue.ts";

export interface LedgerOptions {
  /** Removes what must not be stored from a submission, in order of arrival. */
  readonly reduce?: (submission: Submission) => Submission;
  readonly lifecycle: EventLifecycle;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Number of sessions kept in memory. */
  readonly liveSessions?: number;
  readonly onFailure?: (error: unknown) => void;
  /** Called with problems of the ledger's files, once it is open. */
  readonly onAlarm?: (message: string) => void;
  /** Maximum time from an entry to the checkpoint that signs it. */
  readonly checkpointMs?: number;
  /** Called with the duration of each transaction, including its sync. */
  readonly onCommit?: (durationMs: number) => void;
}

const CHECKPOINT_MS = 5000;
const MAX_PURGE_ATTEMPTS = 50;

const sha256 = (text: string) => hash("sha256", text, "hex");
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The ledger on any engine. Results are returned once their transaction is durable. */
export class EngineLedger implements Ledger {
  readonly #engine: LedgerEngine;
  readonly #options: LedgerOptions;
  readonly #cache: SessionCache;
  readonly #opened: Promise<void>;
  readonly #queue: WriteQueue;
  readonly #followers = new Set<(head: number) => void>();
  #checkpoints!: Checkpoints;
  #closed = false;
  #head = 0;
  /** The head last announced to followers. */
  #toldHead = 0;
  /** Number of the last removal announced to followers. */
  #removals = 0;
  #checkpointTimer: NodeJS.Timeout | undefined;
  #isUnsigned = true;
  #purgeIsDue = false;
  #stopListening: () => void = () => {};

  constructor(engine: LedgerEngine, checkpoints: CheckpointsOptions, options: LedgerOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#cache = new SessionCache(options.liveSessions);
    this.#opened = this.#open(checkpoints).catch((error: unknown) => {
      throw engine.explain(error);
    });
    this.#opened.catch(() => {}); // every call rejects with it
    const onAnswered = () => this.#head !== this.#toldHead && this.#wake();
    this.#queue = new WriteQueue({ opened: this.#opened, commit: (batch) => this.#commit(batch), onAnswered });
  }

  async append(batch: readonly Submission[]): Promise<readonly Verdict[]> {
    if (batch.length === 0) return [];
    const { reduce = (submission) => submission } = this.#options;
    return (await this.#queue.add(batch.map((submission) => ({ append: reduce(submission) })))) as readonly Verdict[];
  }

  async settle(decision: RequestDecision): Promise<SettleVerdict> {
    const [result] = await this.#queue.add([{ decide: decision, at: this.#options.now() }]);
    return result as SettleVerdict;
  }

  refuse(refusals: readonly RefusedEvent[]): void {
    this.#queue.refuse(refusals);
  }

  count(what: string, source: string, howMany: number): void {
    this.#queue.count({ what, source, howMany, lastAt: this.#options.now() });
  }

  async head(): Promise<number> {
    await this.#opened;
    return this.#head;
  }

  async read(query: EntryQuery): Promise<EntryPage> {
    return this.#reading(() => this.#engine.read(query));
  }

  async readSession(query: SessionQuery): Promise<SessionPage> {
    return this.#reading(() => this.#engine.readSession(query));
  }

  async findSessions(id: string, protocol?: ProtocolName): Promise<readonly SessionInfo[]> {
    return this.#reading(() => this.#engine.findSessions(id, protocol));
  }

  async requests(query: RequestQuery): Promise<readonly StoredRequest[]> {
    return this.#reading(() => this.#engine.requests(query));
  }

  async refused(query: { readonly before?: number; readonly limit: number }): Promise<readonly KeptRefusal[]> {
    await this.#queue.flush();
    return this.#engine.refused(query);
  }

  async counts(): Promise<readonly RefusalCount[]> {
    await this.#queue.flush();
    return this.#engine.counts();
  }

  async removals(query: RemovalQuery): Promise<readonly LoggedRemoval[]> {
    return this.#reading(async () => (await this.#engine.removals(query)).map(({ line }) => toRemoval(line)));
  }

  async cut(session: SessionInfo, reason: CutReason, upTo = Number.MAX_SAFE_INTEGER): Promise<number> {
    const isRecorded = await this.#queue.alone(async () => {
      // The remaining entries must be judged without the removed ones.
      await this.#commit([{ saveState: session }]);
      const at = this.#options.now();
      const begun = await this.#engine.beginCut(session.key, upTo, (cut) => this.#checkpoints.signCut(cut, reason, at));
      if (begun?.removal !== undefined) this.#noteRemoval(begun.removal, session);
      return begun !== undefined;
    });
    if (!isRecorded) return 0;
    const deleted = await this.#deleteCut(session.key);
    this.#wake(); // the entries are gone
    // Pruned entries leave the database's log over time; deletions by a person leave it now.
    if (reason !== "pruned") await this.#purge();
    return deleted;
  }

  async erase(position: number): Promise<boolean> {
    const erased = await this.#queue.alone(async () => {
      const [entry] = (await this.#engine.read({ after: position - 1, limit: 1 })).entries;
      const session = entry?.position === position ? { protocol: entry.protocol, source: entry.source, id: entry.session } : undefined;
      if (session !== undefined) await this.#commit([{ saveState: session }]);
      const at = this.#options.now();
      const sign = (line: Erasure) => this.#checkpoints.signErasure(line);
      const removal = await this.#engine.erase(position, (erasure) => planErasure(erasure, sign, at));
      if (removal !== undefined && session !== undefined) this.#noteRemoval(removal, session);
      return removal !== undefined;
    });
    await this.#purge();
    return erased;
  }

  async space(): Promise<DiskSpace> {
    return this.#engine.space();
  }

  async giveBack(): Promise<number> {
    let sum = 0;
    for (let given = await this.#engine.compact(); given > 0 && !this.#closed; given = await this.#engine.compact()) {
      sum += given;
      await nextTurn();
    }
    return sum;
  }

  follow(wake: (head: number) => void): () => void {
    this.#followers.add(wake);
    return () => this.#followers.delete(wake);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#queue.flush();
    this.#closed = true;
    this.#queue.close();
    clearTimeout(this.#checkpointTimer);
    this.#stopListening();
    await this.#opened.then(() => this.#checkpoint()).catch(() => {});
    await this.#engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #reading<Result>(read: () => Promise<Result>): Promise<Result> {
    await this.#opened;
    try {
      return await read();
    } catch (error) {
      throw this.#engine.explain(error);
    }
  }

  async #open(checkpoints: CheckpointsOptions): Promise<void> {
    this.#checkpoints = await Checkpoints.open(this.#engine, checkpoints, this.#options.now());
    this.#stopListening = this.#engine.onCommit((head, removals) => {
      const isNew = head > this.#head || removals > this.#removals;
      this.#head = Math.max(this.#head, head);
      this.#removals = Math.max(this.#removals, removals);
      if (isNew) this.#wake();
    });
    this.#head = Math.max(this.#head, await this.#engine.head());
    this.#toldHead = this.#head;
    const { fault, late } = this.#checkpoints;
    if (fault !== undefined)
      this.#options.onAlarm?.(`The signatures of the ledger are not as they were: of ${checkpoints.file}, ${fault}.`);
    if (late !== undefined) {
      const what = late.entries === 1 ? "1 entry of the ledger has" : `${late.entries} entries of the ledger have`;
      this.#options.onAlarm?.(
        `${what} had no signature for longer than a minute: the hub was killed before it signed, or somebody has changed the ledger while no hub was running. See earshot hub verify.`,
      );
    }
    // At once: a hub that is repeatedly killed before a checkpoint is due would leave more and more unsigned.
    await this.#checkpoint();
    void this.#finishCuts().catch((error: unknown) => this.#fail(error));
  }

  async #commit(batch: readonly Operation[], unjudgeable: ReadonlySet<Submission> = new Set()): Promise<readonly OperationResult[]> {
    const side = this.#queue.takeRefusals();
    if (batch.length === 0 && side.refusals.length === 0 && side.counts.length === 0) return [];
    const { lifecycle, onCommit } = this.#options;
    const began = performance.now();
    const context = { lifecycle, cache: this.#cache, sha256, unjudgeable };
    let results: readonly OperationResult[] = [];
    let written: Pick<EngineWrites, "head" | "entries"> = { head: 0, entries: [] };
    try {
      this.#cache.trim();
      await this.#engine.append(findLookups(batch, this.#cache, sha256), (snapshot) => {
        const planned = planBatch(batch, snapshot, context);
        const writes = { ...linkEntries(planned.plan, snapshot), ...side };
        results = planned.results;
        written = writes;
        return writes;
      });
    } catch (error) {
      this.#cache.clear(); // it holds what was not written
      this.#queue.putBack(side);
      if (error instanceof StaleCacheError) return this.#commit(batch, unjudgeable);
      if (!(error instanceof JudgingFailure)) throw this.#fail(error);
      this.#options.onFailure?.(error.cause);
      return this.#commit(batch, new Set([...unjudgeable, error.submission]));
    }
    onCommit?.(performance.now() - began);
    if (written.entries.length > 0) {
      this.#head = Math.max(this.#head, written.head);
      this.#isUnsigned = true;
      this.#planCheckpoint();
    }
    return results;
  }

  #wake(): void {
    this.#toldHead = this.#head;
    for (const wake of this.#followers) wake(this.#head);
  }

  #noteRemoval(number: number, session: SourceSession): void {
    this.#cache.noteRemoval(number, sessionLabel(session));
    this.#removals = Math.max(this.#removals, number);
    this.#isUnsigned = true;
    this.#planCheckpoint();
    this.#wake();
  }

  async #deleteCut(session: number): Promise<number> {
    let sum = 0;
    for (let deleted = await this.#engine.deleteCut(session); deleted > 0; deleted = await this.#engine.deleteCut(session)) {
      sum += deleted;
      await nextTurn();
      if (this.#closed) throw toLedgerFailure(new Error("The ledger was closed.")); // the next process goes on
    }
    return sum;
  }

  /** Those begun by an earlier process. */
  async #finishCuts(): Promise<void> {
    const sessions = await this.#engine.unfinishedCuts();
    for (const session of sessions) await this.#deleteCut(session);
    if (sessions.length > 0) await this.#purge();
  }

  /** A reader may be in the way briefly; otherwise the next checkpoint tries again. */
  async #purge(): Promise<void> {
    this.#purgeIsDue = true;
    for (let attempt = 0; attempt < MAX_PURGE_ATTEMPTS && this.#purgeIsDue && !this.#closed; attempt++) {
      this.#purgeIsDue = !(await this.#engine.purge());
      if (this.#purgeIsDue) await nextTurn();
    }
    if (this.#purgeIsDue) this.#planCheckpoint();
  }

  #planCheckpoint(): void {
    if (this.#checkpointTimer !== undefined || this.#closed) return;
    if (!this.#isUnsigned && !this.#purgeIsDue) return;
    const { checkpointMs = CHECKPOINT_MS } = this.#options;
    this.#checkpointTimer = setTimeout(() => {
      this.#checkpointTimer = undefined;
      void this.#queue.alone(() => this.#checkpoint()).catch(() => {}); // the ledger was closed, which signs for itself
    }, checkpointMs).unref();
  }

  /** If it cannot be written, the next one covers its entries. */
  async #checkpoint(): Promise<void> {
    try {
      this.#isUnsigned = false;
      await this.#checkpoints.write(this.#options.now());
      if (this.#purgeIsDue) this.#purgeIsDue = !(await this.#engine.purge());
    } catch (error) {
      this.#isUnsigned = true;
      this.#fail(error);
    }
    this.#planCheckpoint();
  }

  #fail(error: unknown): unknown {
    const failure = toLedgerFailure(error);
    if (failure.problem.code !== "STORAGE_FULL") this.#options.onFailure?.(error);
    return failure;
  }
}
