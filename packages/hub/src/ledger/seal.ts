import type { DatabaseSync, StatementSync } from "node:sqlite";
import { appendToSealFile, readSealFileEnd } from "./seal-file.ts";
import type { SealKey } from "./seal-key.ts";
import { type Erasure, type Seal, signErasure, signSeal, signTombstone, type Tombstone } from "./seal-line.ts";
import { lineDigest } from "./signed-line.ts";
import { reasonOf } from "./sqlite/sqlite-error.ts";

export interface SealerOptions {
  readonly key: SealKey;
  /** Where the same lines are kept once more, beside the ledger: `seals.jsonl`. */
  readonly file: string;
}

interface SealRow {
  readonly number: number;
  readonly up_to: number;
  readonly line: string;
}

const PAGE_ROWS = 1000;

/**
 * Signs, every now and then, the heads of the sessions heard from since the last time. The chains make sure that nothing
 * before a head can be changed; the seals make sure that nobody without the key can make up other heads, or leave some out.
 * Each seal names the digest of the one before, and all of them stand in the ledger and, once more, in a file beside it.
 *
 * A seal is committed to the ledger first and added to the file then. Whatever was interrupted in between is caught up with
 * at the next start. Nothing is ever removed from the file: when it says more than the ledger, something was taken out of
 * the ledger, and verifying will say so.
 */
export class Sealer {
  readonly #db: DatabaseSync;
  readonly #options: SealerOptions;
  readonly #insert: StatementSync;
  readonly #newest: StatementSync;
  readonly #linesAfter: StatementSync;
  #last: { readonly number: number; readonly upTo: number; readonly cuts: number; readonly digest: string | null };
  #heads = new Map<number, { readonly position: number; readonly hash: string }>();
  #entries = 0;
  #upTo: number;
  /** Something that was noted was undone: what is in memory is not what is stored. */
  #isSpoilt = false;
  #tombstones: (readonly [number: number, digest: string])[] = [];
  /** The seals after this one are not in the file yet. */
  #filed: number;
  #fault: string | undefined;

  /** Takes up from the last seal: what was stored after it and not sealed is covered by the next one. */
  constructor(db: DatabaseSync, options: SealerOptions) {
    this.#db = db;
    this.#options = options;
    this.#insert = db.prepare("INSERT INTO seal (number, up_to, line) VALUES (?, ?, ?)");
    this.#newest = db.prepare("SELECT max(position) AS position FROM entry");
    this.#linesAfter = db.prepare("SELECT number, up_to, line FROM seal WHERE number > ? ORDER BY number LIMIT ?");
    const row = db.prepare("SELECT number, up_to, line FROM seal ORDER BY number DESC LIMIT 1").get() as SealRow | undefined;
    this.#last =
      row === undefined
        ? { number: 0, upTo: 0, cuts: 0, digest: null }
        : { number: row.number, upTo: row.up_to, cuts: cutsOf(row.line), digest: lineDigest(row.line) };
    this.#upTo = this.#last.upTo;
    this.#filed = this.#last.number;
    this.#takeUpEntries();
    this.#takeUpTombstones();
    this.#compareWithFile();
    this.#writeFile();
  }

  /** What is wrong with the file of seals, in plain words. The ledger goes on without it; somebody should know. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** How many entries no seal covers yet. */
  get unsealed(): number {
    return this.#entries;
  }

  /**
   * To be called for every entry, in order, with its hash in hexadecimal. The transaction may still be undone: a position that
   * comes again gives that away, and so does one that is not there when it is to be sealed.
   */
  noteEntry(session: number, position: number, hash: string): void {
    if (position <= this.#upTo) this.#isSpoilt = true;
    this.#heads.set(session, { position, hash });
    this.#entries++;
    this.#upTo = position;
  }

  /** To be called before entries are noted that come after some which somebody else has written, and which were not noted. */
  catchUp(): void {
    try {
      if (!this.#isSpoilt) this.#takeUpEntries();
    } catch {
      this.#isSpoilt = true; // read again when it is sealed
    }
  }

  /** To be called for every tombstone, in order, once it is committed. */
  noteTombstone(number: number, line: string): void {
    this.#tombstones.push([number, lineDigest(line)]);
  }

  signTombstone(tombstone: Tombstone): string {
    return signTombstone(tombstone, this.#options.key.privateKey);
  }

  signErasure(erasure: Erasure): string {
    return signErasure(erasure, this.#options.key.privateKey);
  }

  /**
   * Seals what was noted since the last time, and gives the line; undefined when there is nothing new. Commits a transaction
   * of its own, so none may be open. When the ledger cannot be written, this throws and the next call tries again.
   */
  seal(now: number): string | undefined {
    if (this.#db.isTransaction) throw new Error("A seal needs a transaction of its own: only what is committed may be sealed.");
    this.#readAgain();
    const line = this.#entries === 0 && this.#tombstones.length === 0 ? undefined : this.#commit(now);
    this.#writeFile();
    return line;
  }

  #commit(now: number): string {
    const number = this.#last.number + 1;
    const cuts = this.#last.cuts + this.#tombstones.length;
    const seal: Seal = {
      seal: number,
      at: new Date(now).toISOString(),
      after: this.#last.upTo,
      upTo: this.#upTo,
      entries: this.#entries,
      sessions: Array.from(this.#heads, ([key, { position, hash }]) => [key, position, hash] as const),
      cuts,
      tombstones: this.#tombstones,
      before: this.#last.digest,
    };
    const line = signSeal(seal, this.#options.key.privateKey);
    this.#insert.run(number, seal.upTo, line);
    this.#last = { number, upTo: seal.upTo, cuts, digest: lineDigest(line) };
    this.#heads = new Map();
    this.#entries = 0;
    this.#tombstones = [];
    return line;
  }

  /** Whatever happened to what was noted, all that is stored is signed, and only that. */
  #readAgain(): void {
    const newest = Number(this.#newest.get()?.["position"] ?? 0);
    if (!this.#isSpoilt && (newest === this.#upTo || (newest < this.#upTo && this.#entries === 0))) return;
    this.#isSpoilt = false;
    this.#heads = new Map();
    this.#entries = 0;
    this.#upTo = this.#last.upTo;
    this.#takeUpEntries();
  }

  #takeUpEntries(): void {
    const page = this.#db.prepare("SELECT position, session, hash FROM entry WHERE position > ? ORDER BY position LIMIT ?");
    for (let after = -1; after !== this.#upTo; ) {
      after = this.#upTo;
      const rows = page.all(after, PAGE_ROWS) as unknown as readonly { position: number; session: number; hash: Uint8Array }[];
      for (const { session, position, hash } of rows) this.noteEntry(session, position, Buffer.from(hash).toString("hex"));
    }
  }

  #takeUpTombstones(): void {
    const rows = this.#db.prepare("SELECT number, line FROM tombstone WHERE number > ? ORDER BY number").iterate(this.#last.cuts);
    for (const { number, line } of rows as Iterable<unknown> as Iterable<{ number: number; line: string }>)
      this.noteTombstone(number, line);
  }

  /** Finds out what the file lacks. More than the newest seal is not what a process that died would leave. */
  #compareWithFile(): void {
    const { line, rest } = readSealFileEnd(this.#options.file);
    const number = line === undefined ? 0 : numberOf(line);
    const stored = number === 0 ? undefined : this.#lineOf(number);
    if (number > this.#last.number) this.#fault = `it has seal ${number}, and the ledger has seals up to ${this.#last.number} only`;
    else if (line !== stored) this.#fault = `its last line is not what the ledger has as seal ${number}`;
    else if (this.#last.number - number > 1) this.#fault = `it lacked the seals after ${number}, which were added again from the ledger`;
    if (line === stored) this.#filed = number;
    if (rest === "") return;
    const cut = this.#lineOf(this.#filed + 1);
    if (cut?.startsWith(rest)) {
      appendToSealFile(this.#options.file, `${cut.slice(rest.length)}\n`);
      this.#filed++;
    } else {
      appendToSealFile(this.#options.file, "\n"); // what stands there stays, as a line that verifying will name
      this.#fault ??= "it ends in the middle of a line that the ledger does not have";
    }
  }

  #lineOf(number: number): string | undefined {
    const row = this.#linesAfter.get(number - 1, 1) as SealRow | undefined;
    return row?.number === number ? row.line : undefined;
  }

  /** Not being able to is no reason to stop: the ledger has the seals, and the next call tries again. */
  #writeFile(): void {
    try {
      while (this.#filed < this.#last.number) {
        const rows = this.#linesAfter.all(this.#filed, PAGE_ROWS) as unknown as readonly SealRow[];
        const newest = rows.at(-1);
        if (newest === undefined) return;
        appendToSealFile(this.#options.file, rows.map(({ line }) => `${line}\n`).join(""));
        this.#filed = newest.number;
      }
    } catch (error) {
      this.#fault = `it cannot be written (${reasonOf(error)})`;
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
