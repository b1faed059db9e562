import type { CutReason } from "./ledger.ts";
import type { CheckpointRow, LedgerEngine, PlannedCut } from "./ledger-engine.ts";
import { appendToSealFile, readSealFileEnd } from "./seal-file.ts";
import type { SealKey } from "./seal-key.ts";
import { type Erasure, lineDigest, type Seal, signErasure, signSeal, signTombstone } from "./seal-line.ts";

export interface CheckpointsOptions {
  readonly key: SealKey;
  /** A copy of the signed lines beside the ledger: `seals.jsonl`. */
  readonly file: string;
  /** Other processes sign, too: the file of this one lacks what they signed while it was not running. */
  readonly isShared?: boolean;
}

export interface LateSignedEntries {
  readonly entries: number;
  /** Position of the newest of them. */
  readonly upTo: number;
}

/** The part of an engine that checkpoints use. */
export type CheckpointStore = Pick<LedgerEngine, "checkpoints" | "lastCheckpoint" | "addCheckpoint" | "unsigned" | "removals">;

const PAGE_ROWS = 1000;
/** A hub signs within seconds. Entries unsigned for longer may have been changed while no hub was running. */
export const MAX_UNSIGNED_MS = 60_000;

/**
 * Signs the heads of recently active sessions at intervals. The chains ensure that no entry before a head can be changed; the checkpoints
 * ensure that nobody without the key can invent or omit heads. Each includes the digest of the previous one, and all are stored in the
 * ledger and in a file beside it.
 *
 * A checkpoint is committed to the ledger first and then appended to the file; the next start completes an interruption. Nothing is ever
 * removed from the file: if it has more than the ledger, something was removed from the ledger, and verification reports it.
 */
export class Checkpoints {
  readonly #store: CheckpointStore;
  readonly #options: CheckpointsOptions;
  /** Later checkpoints are not in the file yet. */
  #filed = 0;
  #fault: string | undefined;
  #late: LateSignedEntries | undefined;

  static async open(store: CheckpointStore, options: CheckpointsOptions, now: number): Promise<Checkpoints> {
    const checkpoints = new Checkpoints(store, options);
    const last = toLast(await store.lastCheckpoint());
    const { late } = await store.unsigned(last.upTo, now - MAX_UNSIGNED_MS);
    if (late.entries > 0) checkpoints.#late = late;
    await checkpoints.#compareWithFile(last.number);
    await checkpoints.#writeFile(last.number);
    return checkpoints;
  }

  private constructor(store: CheckpointStore, options: CheckpointsOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** A problem with the file, in plain words. The ledger works without it, but a person should know. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Entries that were unsigned for more than a minute when the ledger was opened. */
  get late(): LateSignedEntries | undefined {
    return this.#late;
  }

  signCut({ number, session, after, upTo, chainHead, entries }: PlannedCut, reason: CutReason, now: number): string {
    const at = new Date(now).toISOString();
    const head = chainHead.toString("hex");
    return signTombstone({ tombstone: number, at, session, after, upTo, head, entries, reason }, this.#options.key.privateKey);
  }

  signErasure(erasure: Erasure): string {
    return signErasure(erasure, this.#options.key.privateKey);
  }

  /** Signs everything after the last checkpoint and returns the line; undefined if there is nothing new. */
  async write(now: number): Promise<string | undefined> {
    const last = toLast(await this.#store.lastCheckpoint());
    const { heads, entries } = await this.#store.unsigned(last.upTo, 0);
    const tombstones = await this.#removalsAfter(last.cuts);
    if (entries === 0 && tombstones.length === 0) {
      await this.#writeFile(last.number);
      return undefined;
    }
    const number = last.number + 1;
    const seal: Seal = {
      seal: number,
      at: new Date(now).toISOString(),
      after: last.upTo,
      upTo: heads.at(-1)?.position ?? last.upTo,
      entries,
      sessions: heads.map(({ session, position, hash }) => [session, position, hash] as const),
      cuts: last.cuts + tombstones.length,
      tombstones,
      ...(this.#late === undefined ? {} : { late: this.#late.upTo }),
      before: last.digest,
    };
    const line = signSeal(seal, this.#options.key.privateKey);
    if (!(await this.#store.addCheckpoint({ number, upTo: seal.upTo, line }))) return undefined;
    this.#late = undefined;
    await this.#writeFile(number);
    return line;
  }

  async #removalsAfter(cuts: number): Promise<Seal["tombstones"]> {
    const removals: (readonly [number: number, digest: string])[] = [];
    for (let after = cuts; ; ) {
      const page = await this.#store.removals({ after, limit: PAGE_ROWS });
      for (const { number, line } of page) removals.push([number, lineDigest(line)]);
      if (page.length < PAGE_ROWS) return removals;
      after = page.at(-1)?.number ?? after;
    }
  }

  /** Determines what the file lacks. A dead process can only leave out the newest checkpoint. */
  async #compareWithFile(last: number): Promise<void> {
    const { line, rest } = readSealFileEnd(this.#options.file);
    const number = line === undefined ? 0 : numberOf(line);
    const stored = number === 0 ? undefined : await this.#lineOf(number);
    if (number > last) this.#fault = `it has seal ${number}, and the ledger has seals up to ${last} only`;
    else if (line !== stored) this.#fault = `its last line is not what the ledger has as seal ${number}`;
    else if (last - number > 1 && this.#options.isShared !== true)
      this.#fault = `it lacked the seals after ${number}, which were added again from the ledger`;
    this.#filed = line === stored ? number : last;
    if (rest === "") return;
    const cut = await this.#lineOf(this.#filed + 1);
    if (cut?.startsWith(rest)) {
      appendToSealFile(this.#options.file, `${cut.slice(rest.length)}\n`);
      this.#filed++;
    } else {
      appendToSealFile(this.#options.file, "\n"); // what stands there stays, as a line that verifying will name
      this.#fault ??= "it ends in the middle of a line that the ledger does not have";
    }
  }

  async #lineOf(number: number): Promise<string | undefined> {
    const [row] = await this.#store.checkpoints({ after: number - 1, limit: 1 });
    return row?.number === number ? row.line : undefined;
  }

  /** A failure is not fatal: the ledger has the checkpoints, and the next call tries again. */
  async #writeFile(last: number): Promise<void> {
    try {
      while (this.#filed < last) {
        const rows = await this.#store.checkpoints({ after: this.#filed, limit: PAGE_ROWS });
        const newest = rows.at(-1);
        if (newest === undefined) return;
        appendToSealFile(this.#options.file, rows.map(({ line }) => `${line}\n`).join(""));
        this.#filed = newest.number;
      }
    } catch (error) {
      this.#fault = `it cannot be written (${error instanceof Error ? error.message : String(error)})`;
    }
  }
}

/** Read without checking the signature: a manipulated line is reported by verification and does not prevent the start. */
function toLast(row: CheckpointRow | undefined) {
  if (row === undefined) return { number: 0, upTo: 0, cuts: 0, digest: null };
  const cuts = Number(/"cuts":(\d{1,15})[,}]/.exec(row.line)?.[1] ?? 0);
  return { number: row.number, upTo: row.upTo, cuts, digest: lineDigest(row.line) };
}

function numberOf(line: string): number {
  return Number(/^\{"seal":(\d{1,15}),/.exec(line)?.[1] ?? 0);
}
