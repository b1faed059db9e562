import type { Operation, OperationResult } from "@earshot/judge";
import { toLedgerFailure } from "./failures.ts";
import type { RefusalCount, RefusedEvent } from "./ledger.ts";

export interface WriteQueueOptions {
  /** Nothing is written before, and nothing at all if it rejects. */
  readonly opened: Promise<void>;
  readonly commit: (batch: readonly Operation[]) => Promise<readonly OperationResult[]>;
  /** Called after the results of a transaction were returned. */
  readonly onAnswered: () => unknown;
}

/** Operations that may share a transaction, or exclusive work. */
interface Job {
  readonly operations: readonly Operation[];
  readonly alone?: () => Promise<void>;
  readonly resolve: (results: readonly OperationResult[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum entries per transaction, so that no caller waits long for others. */
const MAX_BATCH = 1000;
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Group commit: whatever arrives during a transaction shares the next one. Under load transactions grow and syncs stay few; a single
 * event waits for nothing.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  readonly #refusals = new RefusalBuffer();
  #jobs: Job[] = [];
  #isRunning = false;
  #closed = false;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  add(operations: readonly Operation[], alone?: () => Promise<void>): Promise<readonly OperationResult[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(toLedgerFailure(new Error("The ledger is closed.")));
      this.#jobs.push({ operations, resolve, reject, ...(alone === undefined ? {} : { alone }) });
      this.#schedule();
    });
  }

  /** Runs when everything queued before is written; nothing queued later is judged meanwhile. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    let result: { readonly value: Result } | undefined;
    await this.add([], async () => {
      result = { value: await work() };
    });
    return (result as unknown as { readonly value: Result }).value;
  }

  refuse(refusals: readonly RefusedEvent[]): void {
    this.#refusals.add(refusals);
    this.#schedule();
  }

  count(count: RefusalCount): void {
    this.#refusals.count(count);
    this.#schedule();
  }

  /** Everything queued so far is durable, or has failed and was answered. */
  async flush(): Promise<void> {
    const isIdle = this.#jobs.length === 0 && !this.#isRunning && this.#refusals.isEmpty;
    if (!isIdle) await this.add([]).catch(() => {});
  }

  close(): void {
    this.#closed = true;
  }

  /** Refusals and counters for the next transaction. */
  takeRefusals(): RefusalBatch {
    return this.#refusals.take();
  }

  /** They could not be written. */
  putBack(batch: RefusalBatch): void {
    this.#refusals.putBack(batch);
  }

  /** In the next turn, so that everything that has arrived shares a transaction. */
  #schedule(): void {
    if (this.#isRunning || this.#closed) return;
    this.#isRunning = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    const { opened, commit, onAnswered } = this.#options;
    await opened.catch((error: unknown) => {
      for (const { reject } of this.#jobs.splice(0)) reject(error);
    });
    while (this.#jobs.length > 0 || !this.#refusals.isEmpty) {
      const jobs = this.#takeJobs();
      try {
        await jobs[0]?.alone?.();
        answer(jobs, await commit(jobs.flatMap(({ operations }) => operations)));
        onAnswered();
      } catch (error) {
        for (const { reject } of jobs) reject(error);
        if (jobs.length === 0) break; // only refusals, which wait for the next transaction
      }
      await nextTurn();
    }
    this.#isRunning = false;
    if (this.#jobs.length > 0) this.#schedule();
  }

  #takeJobs(): readonly Job[] {
    if (this.#jobs[0]?.alone !== undefined) return this.#jobs.splice(0, 1);
    let entries = 0;
    const end = this.#jobs.findIndex(({ operations, alone }, index) => {
      entries += operations.length;
      return alone !== undefined || (entries > MAX_BATCH && index > 0);
    });
    return this.#jobs.splice(0, end < 0 ? this.#jobs.length : end);
  }
}

function answer(jobs: readonly Job[], results: readonly OperationResult[]): void {
  let from = 0;
  for (const { operations, resolve } of jobs) {
    resolve(results.slice(from, from + operations.length));
    from += operations.length;
  }
}

const MAX_WAITING_REFUSALS = 10_000;

export interface RefusalBatch {
  readonly refusals: readonly RefusedEvent[];
  readonly counts: readonly RefusalCount[];
}

/** Refusals and counters waiting for the next transaction: they are not worth a sync of their own. */
class RefusalBuffer {
  #refusals: RefusedEvent[] = [];
  #counts = new Map<string, RefusalCount>();

  get isEmpty(): boolean {
    return this.#refusals.length === 0 && this.#counts.size === 0;
  }

  add(refusals: readonly RefusedEvent[]): void {
    for (const refusal of refusals) {
      const { source, receivedAt: lastAt } = refusal;
      this.count({ what: "refused", source, howMany: 1, lastAt });
      if (this.#refusals.length < MAX_WAITING_REFUSALS) this.#refusals.push(refusal);
      else this.count({ what: "refused and not kept", source, howMany: 1, lastAt });
    }
  }

  count({ what, source, howMany, lastAt }: RefusalCount): void {
    const key = `${what} ${source}`;
    const before = this.#counts.get(key)?.howMany ?? 0;
    this.#counts.set(key, { what, source, howMany: before + howMany, lastAt });
  }

  take(): RefusalBatch {
    const taken = { refusals: this.#refusals, counts: [...this.#counts.values()] };
    this.#refusals = [];
    this.#counts = new Map();
    return taken;
  }

  /** The batch could not be written. */
  putBack({ refusals, counts }: RefusalBatch): void {
    const newer = [...this.#counts.values()];
    this.#counts = new Map();
    for (const count of [...counts, ...newer]) this.count(count);
    this.#refusals = [...refusals, ...this.#refusals].slice(0, MAX_WAITING_REFUSALS);
  }
}
