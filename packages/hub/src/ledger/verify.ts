import type { KeyObject } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { EarshotError } from "@earshot/protocol/problem";
import { versionOf } from "./sqlite/migrations.ts";
import { openLedgerFile } from "./sqlite/open-file.ts";
import { reasonOf, SQLITE, sqliteCode } from "./sqlite/sqlite-error.ts";
import { verifyEverything } from "./verify/everything.ts";
import { firstOf, type LedgerBreak } from "./verify/ledger-break.ts";
import { verifyOneSession } from "./verify/one-session.ts";
import { checkSchema } from "./verify/schema-check.ts";
import { Seals } from "./verify/seals.ts";
import { Slice, type Steps } from "./verify/slice.ts";
import { Walk } from "./verify/walk.ts";

export interface VerifyOptions {
  /** The half of the seal key that verifies: `readPublicSealKey`. */
  readonly publicKey: KeyObject;
  /** `seals.jsonl` beside the ledger. */
  readonly sealFile: string;
  /** The key of the only session to look at. */
  readonly session?: number;
  /** A copy of a hub that was running: its newest entries were not signed yet, and never will be. */
  readonly isCopy?: boolean;
  /** Milliseconds since 1970; the machine's clock when left out. */
  readonly now?: number;
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
}

export interface VerifyProgress {
  readonly entries: number;
  readonly position: number;
  readonly headPosition: number;
}

export interface Verification {
  readonly ok: boolean;
  /** How many were verified: all of them, or those before the break. */
  readonly entries: number;
  /** How many sessions have entries. */
  readonly sessions: number;
  readonly seals: number;
  readonly tombstones: number;
  /** Entries newer than the last seal: linked, but not signed yet. Whoever cuts off the newest of them is not found out. */
  readonly unsealed: number;
  readonly headPosition: number;
  /** 1 when the file of seals lacks the newest one, as when the hub stopped while writing it. */
  readonly sealFileBehind: number;
  readonly firstBreak?: LedgerBreak;
  /** What this does not prove, in plain words. */
  readonly notProven: readonly string[];
}

const KEY_IS_BESIDE =
  "A program that can read seal-key.pem can change the ledger and sign it again. Compare seals.jsonl with a copy that you keep elsewhere.";

/** A slice ends after this long: the hub may have others to serve. */
const SLICE_MS = 5;

/**
 * Finds the first place where the ledger is not what the hub wrote. Looks at everything up to the head at the start, in
 * slices with nothing held in between, so that the hub can go on writing, sealing and cutting meanwhile. The connection is
 * for reading, and for nobody else while this runs. Whatever has happened to the file, this says so and does not throw; it
 * throws when there is no file, when the file is locked, and when it is told to stop.
 */
export async function verifyLedger(ledger: DatabaseSync | string, options: VerifyOptions): Promise<Verification> {
  if (typeof ledger !== "string") return new Verifier(ledger, options).run();
  let db: DatabaseSync;
  try {
    db = openLedgerFile(ledger, { readOnly: true }).db;
  } catch (error) {
    if (!EarshotError.is(error) || !existsSync(ledger)) throw error;
    return { ...NOTHING, ok: false, firstBreak: { what: "unreadable", message: error.problem.message } };
  }
  try {
    return isCutOff(ledger, db) ? { ...NOTHING, ok: false, firstBreak: CUT_OFF } : await new Verifier(db, options).run();
  } finally {
    db.close();
  }
}

const CUT_OFF: LedgerBreak = { what: "damaged", message: "The file is shorter than it says that it is: its end is missing." };

/** Parts of the file that nobody reads while verifying may be missing too. With a log beside it, the end may stand there. */
function isCutOff(path: string, db: DatabaseSync): boolean {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false;
  try {
    const { bytes } = db.prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size").get() ?? {};
    return typeof bytes === "number" && statSync(path).size < bytes;
  } catch {
    return false; // told by whoever reads it next
  }
}

const NOTHING = { entries: 0, sessions: 0, seals: 0, tombstones: 0, unsealed: 0, headPosition: 0, sealFileBehind: 0, notProven: [] };

class Verifier {
  readonly #db: DatabaseSync;
  readonly #options: VerifyOptions;
  readonly #slice = new Slice(SLICE_MS);
  #version = 0;
  #walk: Walk | undefined;
  #seals: Seals | undefined;
  #head = 0;

  constructor(db: DatabaseSync, options: VerifyOptions) {
    this.#db = db;
    this.#options = options;
  }

  async run(): Promise<Verification> {
    try {
      const result = await this.#inSlices(this.#steps());
      if (typeof result !== "number" && this.#isAnotherVersion()) throw migratedMeanwhile();
      return this.#toVerification(result);
    } catch (error) {
      return this.#toVerification(this.#damage(error));
    } finally {
      this.#seals?.[Symbol.dispose]();
    }
  }

  #now(): number {
    if (this.#options.isCopy !== true) return this.#options.now ?? Date.now();
    return Number(this.#db.prepare("SELECT received_at FROM entry ORDER BY position DESC LIMIT 1").get()?.["received_at"] ?? 0);
  }

  *#steps(): Steps<LedgerBreak | number> {
    const db = this.#db;
    const { publicKey, sealFile, session } = this.#options;
    this.#version = versionOf(db);
    const wrong = checkSchema(db);
    if (wrong !== undefined) return wrong;
    const seals = new Seals(db, publicKey, sealFile);
    this.#seals = seals;
    this.#head = headOf(db); // after the seals: what those cover that were found is not beyond it
    const slice = this.#slice;
    const head = this.#head;
    const walk = new Walk({ db, publicKey, slice, ...(session === undefined ? {} : { session }) });
    this.#walk = walk;
    if (session === undefined) return yield* verifyEverything(walk, seals, { db, slice, head, now: this.#now() });
    return yield* verifyOneSession(walk, { db, publicKey, session, slice, head });
  }

  async #inSlices<Result>(steps: Steps<Result>): Promise<Result> {
    const { signal, onProgress } = this.#options;
    for (;;) {
      this.#slice.begin();
      const step = steps.next();
      if (step.done) return step.value;
      onProgress?.({ entries: this.#walk?.entries ?? 0, position: this.#walk?.chains.last ?? 0, headPosition: this.#head });
      await setImmediate();
      signal?.throwIfAborted();
    }
  }

  /** Damage is what we came for; anything else is not. */
  #damage(error: unknown): LedgerBreak {
    const code = sqliteCode(error);
    if (code === SQLITE.BUSY) {
      throw new EarshotError({ code: "LEDGER_UNAVAILABLE", message: "The ledger is locked by another program." }, { cause: error });
    }
    if (code !== undefined && this.#isAnotherVersion()) throw migratedMeanwhile(error);
    // A number past what JavaScript can hold was never written by us.
    const tooLarge = error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE";
    if (code === undefined && !tooLarge) throw error;
    const last = this.#walk?.chains.last ?? 0;
    const where = last === 0 ? "before its first entry" : `after the entry at position ${last}`;
    return { what: "damaged", position: last + 1, message: `The file is damaged ${where} (${reasonOf(error)}).` };
  }

  #isAnotherVersion(): boolean {
    try {
      return versionOf(this.#db) !== this.#version;
    } catch {
      return false; // it is damaged that much
    }
  }

  #toVerification(result: LedgerBreak | number): Verification {
    const walk = this.#walk;
    const firstBreak = firstOf(walk?.cuts.firstBreak, typeof result === "number" ? undefined : result);
    const unsealed = typeof result === "number" ? result : 0;
    return {
      ok: firstBreak === undefined,
      entries: walk?.entries ?? 0,
      sessions: walk?.chains.size ?? 0,
      seals: this.#seals?.count ?? 0,
      tombstones: walk?.cuts.count ?? 0,
      unsealed,
      headPosition: this.#head,
      sealFileBehind: this.#seals?.behind ?? 0,
      notProven: firstBreak === undefined ? notProven(unsealed, this.#seals?.late ?? 0) : [],
      ...(firstBreak === undefined ? {} : { firstBreak: plain(firstBreak) }),
    };
  }
}

function migratedMeanwhile(cause?: unknown): EarshotError {
  const message = "The ledger was brought to a newer version of the format meanwhile.";
  return new EarshotError({ code: "LEDGER_UNAVAILABLE", message, hint: "Verify it again." }, { cause });
}

function notProven(unsealed: number, late: number): readonly string[] {
  const unsigned = `The newest entries, ${unsealed}, are not signed yet: that some of them were removed would not be seen.`;
  const signedLate = `${late} times the hub was killed before it had signed its last entries, and signed them at its next start: what was done to them in between would not be seen.`;
  return [...(unsealed === 0 ? [] : [unsigned]), ...(late === 0 ? [] : [signedLate]), KEY_IS_BESIDE];
}

function plain({ session, ...rest }: LedgerBreak): LedgerBreak {
  if (session === undefined) return rest;
  const { key, protocol, source, id } = session;
  return { ...rest, session: { key, protocol, source, id } };
}

function headOf(db: DatabaseSync): number {
  const row = db
    .prepare("SELECT max(ifnull((SELECT max(position) FROM entry), 0), ifnull((SELECT max(up_to) FROM seal), 0)) AS head")
    .get();
  return typeof row?.["head"] === "number" ? row["head"] : 0;
}
