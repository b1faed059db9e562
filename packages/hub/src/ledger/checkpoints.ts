import type { CheckpointRow, CutReason, EntryHash, LedgerEngine, PlannedCut } from "./ledger-engine.ts";
import { appendToSealFile, readSealFileEnd } from "./seal-file.ts";
import type { SealKey } from "./seal-key.ts";
import { type Erasure, type Seal, signErasure, signSeal, signTombstone } from "./seal-line.ts";
import { lineDigest } from "./signed-line.ts";

export interface CheckpointsOptions {
  readonly key: SealKey;
  /** Where the signed lines are kept once more, beside the ledger: `seals.jsonl`. */
  readonly file: string;
}

export interface LateEntries {
  readonly entries: number;
  /** Position of the newest of them. */
  readonly upTo: number;
}

/** What checkpoints need of an engine. */
export type CheckpointStore = Pick<LedgerEngine, "checkpoints" | "lastCheckpoint" | "addCheckpoint" | "hashes" | "removalLines">;

const PAGE_ROWS = 1000;
/** A hub signs within seconds. Entries that had no signature for longer may have been changed while no hub was running. */
export const MAX_UNSIGNED_MS = 60_000;

/**
 * Signs, every now and then, the heads of the sessions heard from since the last time. The chains make sure that no entry
 * before a head can be changed; the checkpoints make sure that nobody without the key can make up other heads, or leave some
 * out. Each names the digest of the one before, and all of them stand in the ledger and, once more, in a file beside it.
 *
 * A checkpoint is committed to the ledger first and added to the file then; the next start catches up with what was
 * interrupted in between. Nothing is ever removed from the file: when it says more than the ledger, something was taken out
 * of the ledger, and verifying will say so.
 */
export class Checkpoints {
  readonly #store: CheckpointStore;
  readonly #options: CheckpointsOptions;
  #last: { readonly number: number; readonly upTo: number; readonly cuts: number; readonly digest: string | null };
  /** What is not signed yet: the last entry of each session, their number, and the removals. */
  #heads = new Map<number, { readonly position: number; readonly hash: string }>();
  #entries = 0;
  #upTo: number;
  #removals: (readonly [number: number, digest: string])[] = [];
  /** The checkpoints after this one are not in the file yet. */
  #filed = 0;
  #fault: string | undefined;
  #late: LateEntries | undefined;

  static async open(store: CheckpointStore, options: CheckpointsOptions, now: number): Promise<Checkpoints> {
    const checkpoints = new Checkpoints(store, options, await store.lastCheckpoint());
    await checkpoints.#readUnsigned(now);
    await checkpoints.#compareWithFile();
    await checkpoints.#writeFile();
    return checkpoints;
  }

  private constructor(store: CheckpointStore, options: CheckpointsOptions, row: CheckpointRow | undefined) {
    this.#store = store;
    this.#options = options;
    this.#last =
      row === undefined
        ? { number: 0, upTo: 0, cuts: 0, digest: null }
        : { number: row.number, upTo: row.upTo, cuts: cutsOf(row.line), digest: lineDigest(row.line) };
    this.#upTo = this.#last.upTo;
  }

  /** What is wrong with the file, in plain words. The ledger works without it; a person should know. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Entries that were older than a minute when the ledger was opened, and had no signature. */
  get late(): LateEntries | undefined {
    return this.#late;
  }

  /** How many entries and removals no checkpoint covers yet. */
  get unsigned(): number {
    return this.#entries + this.#removals.length;
  }

  /** To be called with all entries that were committed, in order. */
  noteEntries(entries: readonly EntryHash[]): void {
    for (const { session, position, hash } of entries) {
      this.#heads.set(session, { position, hash });
      this.#upTo = position;
    }
    this.#entries += entries.length;
  }

  /** To be called with every removal, in order, once it is committed. */
  noteRemoval(number: number, line: string): void {
    this.#removals.push([number, lineDigest(line)]);
  }

  signCut({ number, session, after, upTo, chainHead, entries }: PlannedCut, reason: CutReason, now: number): string {
    const at = new Date(now).toISOString();
    const head = chainHead.toString("hex");
    return signTombstone({ tombstone: number, at, session, after, upTo, head, entries, reason }, this.#options.key.privateKey);
  }

  signErasure(erasure: Erasure): string {
    return signErasure(erasure, this.#options.key.privateKey);
  }

  /** Signs what was noted since the last time, and gives the line; undefined when there is nothing new. */
  async write(now: number): Promise<string | undefined> {
    if (this.unsigned === 0) {
      await this.#writeFile();
      return undefined;
    }
    const number = this.#last.number + 1;
    const cuts = this.#last.cuts + this.#removals.length;
    const seal: Seal = {
      seal: number,
      at: new Date(now).toISOString(),
      after: this.#last.upTo,
      upTo: this.#upTo,
      entries: this.#entries,
      sessions: Array.from(this.#heads, ([key, { position, hash }]) => [key, position, hash] as const),
      cuts,
      tombstones: this.#removals,
      ...(this.#late === undefined ? {} : { late: this.#late.upTo }),
      before: this.#last.digest,
    };
    const line = signSeal(seal, this.#options.key.privateKey);
    await this.#store.addCheckpoint({ number, upTo: seal.upTo, line });
    this.#last = { number, upTo: seal.upTo, cuts, digest: lineDigest(line) };
    this.#heads = new Map();
    this.#entries = 0;
    this.#removals = [];
    this.#late = undefined;
    await this.#writeFile();
    return line;
  }

  /** Takes up what the last process stored and did not sign. */
  async #readUnsigned(now: number): Promise<void> {
    for (let after = -1; after !== this.#upTo; ) {
      after = this.#upTo;
      const entries = await this.#store.hashes({ after, limit: PAGE_ROWS });
      this.noteEntries(entries);
      const late = entries.filter(({ receivedAt }) => now - receivedAt > MAX_UNSIGNED_MS);
      const newest = late.at(-1)?.position;
      if (newest !== undefined) this.#late = { entries: (this.#late?.entries ?? 0) + late.length, upTo: newest };
    }
    for (let after = this.#last.cuts; ; ) {
      const lines = await this.#store.removalLines({ after, limit: PAGE_ROWS });
      for (const { number, line } of lines) this.noteRemoval(number, line);
      if (lines.length < PAGE_ROWS) return;
      after = lines.at(-1)?.number ?? after;
    }
  }

  /** Finds out what the file lacks. More than the newest checkpoint is not what a process that died would leave. */
  async #compareWithFile(): Promise<void> {
    const { line, rest } = readSealFileEnd(this.#options.file);
    const number = line === undefined ? 0 : numberOf(line);
    const stored = number === 0 ? undefined : await this.#lineOf(number);
    if (number > this.#last.number) this.#fault = `it has seal ${number}, and the ledger has seals up to ${this.#last.number} only`;
    else if (line !== stored) this.#fault = `its last line is not what the ledger has as seal ${number}`;
    else if (this.#last.number - number > 1) this.#fault = `it lacked the seals after ${number}, which were added again from the ledger`;
    this.#filed = line === stored ? number : this.#last.number;
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

  /** Not being able to is no reason to stop: the ledger has the checkpoints, and the next call tries again. */
  async #writeFile(): Promise<void> {
    try {
      while (this.#filed < this.#last.number) {
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

/** Read without checking the signature: a line that was tampered with is for verifying to name, not a reason not to start. */
function cutsOf(line: string): number {
  return Number(/"cuts":(\d{1,15})[,}]/.exec(line)?.[1] ?? 0);
}

function numberOf(line: string): number {
  return Number(/^\{"seal":(\d{1,15}),/.exec(line)?.[1] ?? 0);
}
