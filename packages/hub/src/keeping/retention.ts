import { reasonOfError } from "../ledger/sqlite/sqlite-error.ts";
import { type KeptStore, type PruneLimits, type PruneResult, pruneEntries } from "./prune.ts";

/** Limits by age and size; the stricter one applies. 0 is no limit. */
export interface Retention {
  readonly days: number;
  readonly bytes: number;
}

export const RETENTION: Retention = Object.freeze({ days: 30, bytes: 2_000_000_000 });

/** The entries beyond the limits now. Without limits there are none. */
export function limitsOf({ days, bytes }: Retention, now: number): PruneLimits {
  return {
    receivedBefore: days > 0 ? now - days * DAY_MS : 0,
    ...(bytes > 0 ? { keepBytes: bytes } : {}),
  };
}

export interface RetentionRunnerOptions {
  readonly retention: Retention;
  readonly store: KeptStore;
  readonly log: (line: string) => void;
  /** False while another hub on the same database does it. */
  readonly mayRun?: () => boolean;
  readonly firstAfterMs?: number;
  readonly sizeEveryMs?: number;
  readonly ageEveryMs?: number;
}

const DAY_MS = 86_400_000;
/** Pruning waits until the hub has started. */
const FIRST_AFTER_MS = 30_000;
/** A busy hub writes gigabytes per hour, so its size is checked more often than its age; the check is cheap. */
const SIZE_EVERY_MS = 60_000;
const AGE_EVERY_MS = 3_600_000;
/** Leaves a margin, so that not every check finds a small excess. */
const KEPT_SHARE = 0.95;

/** Removes entries beyond the limits at intervals while the hub works. */
export class RetentionRunner implements AsyncDisposable {
  readonly #options: RetentionRunnerOptions;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #lookedAtAge = Number.NEGATIVE_INFINITY;
  #running: Promise<PruneResult | undefined> | undefined;

  constructor(options: RetentionRunnerOptions) {
    this.#options = options;
    if (options.retention.days > 0 || options.retention.bytes > 0) this.#plan(options.firstAfterMs ?? FIRST_AFTER_MS);
  }

  /** One run at a time: concurrent callers share it. */
  run(looksAtAge = true): Promise<PruneResult | undefined> {
    this.#running ??= this.#run(looksAtAge).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #plan(delayMs: number): void {
    const { sizeEveryMs = SIZE_EVERY_MS, ageEveryMs = AGE_EVERY_MS } = this.#options;
    this.#timer = setTimeout(() => {
      const looksAtAge = performance.now() - this.#lookedAtAge >= ageEveryMs;
      void this.run(looksAtAge).then(() => {
        if (!this.#stop.signal.aborted) this.#plan(sizeEveryMs);
      });
    }, delayMs);
    this.#timer.unref();
  }

  async #run(looksAtAge: boolean): Promise<PruneResult | undefined> {
    const { store, log, mayRun = () => true } = this.#options;
    if (!mayRun()) return undefined;
    if (looksAtAge) this.#lookedAtAge = performance.now();
    try {
      const limits = await this.#limits(looksAtAge);
      if (limits === undefined) return undefined;
      let result: PruneResult | undefined;
      for await (const step of pruneEntries(limits, { ...store, signal: this.#stop.signal })) if ("result" in step) result = step.result;
      if (result !== undefined && result.entries > 0) log(inWords(result));
      return result;
    } catch (error) {
      if (!this.#stop.signal.aborted) log(`What is past its time could not be removed, and will be tried again: ${reasonOfError(error)}.`);
      return undefined;
    }
  }

  async #limits(looksAtAge: boolean): Promise<PruneLimits | undefined> {
    const { retention, store } = this.#options;
    const { fileBytes, freeBytes } = await store.ledger.space();
    const isTooLarge = retention.bytes > 0 && fileBytes - freeBytes > retention.bytes;
    const isTimed = looksAtAge && retention.days > 0;
    if (!isTooLarge && !isTimed) return undefined;
    return {
      ...(isTooLarge ? { keepBytes: Math.floor(retention.bytes * KEPT_SHARE) } : {}),
      ...(isTimed ? { receivedBefore: store.now() - retention.days * DAY_MS } : {}),
    };
  }
}

function inWords({ entries, sessions }: PruneResult): string {
  const many = (count: number, one: string, more: string) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
  return `Past its time and removed: ${many(entries, "entry", "entries")} of ${many(sessions, "session", "sessions")}.`;
}
