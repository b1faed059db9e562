import type { KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { EarshotError } from "@earshot/protocol";
import type { Seal } from "./seal-line.ts";
import { MIGRATIONS, versionOf } from "./sqlite/migrations.ts";
import { openLedgerFile } from "./sqlite/open-file.ts";
import { reasonOf, SQLITE, sqliteCode } from "./sqlite/sqlite-error.ts";
import { Chains, VERIFIED_COLUMNS } from "./verify/chains.ts";
import { Cuts } from "./verify/cuts.ts";
import { firstOf, type LedgerBreak } from "./verify/ledger-break.ts";
import { Seals } from "./verify/seals.ts";
import { Sessions } from "./verify/sessions.ts";
import { Slice, type Steps } from "./verify/slice.ts";

export interface VerifyOptions {
  /** The half of the seal key that verifies: `readPublicSealKey`. */
  readonly publicKey: KeyObject;
  /** `seals.jsonl` beside the ledger. */
  readonly sealFile: string;
  /** The key of the only session to look at. */
  readonly session?: number;
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
  readonly sessions: number;
  readonly seals: number;
  readonly tombstones: number;
  /** Entries newer than the last seal: linked, but not signed yet. Whoever cuts off the newest of them is not found out. */
  readonly unsealed: number;
  readonly headPosition: number;
  /** 1 when the file of seals lacks the newest one, as when the hub stopped while writing it. */
  readonly sealFileBehind: number;
  readonly firstBreak?: LedgerBreak;
}

/** A slice ends after this long: the hub may have others to serve. */
const SLICE_MS = 5;

/**
 * Finds the first place where the ledger is not what the hub wrote. Looks at everything up to the head at the start, in
 * slices with nothing held in between, so that the hub can go on writing, sealing and cutting meanwhile. The connection is
 * for reading, and for nobody else while this runs. Whatever has happened to the file, this says so and does not throw;
 * it throws when there is no file, or when it is told to stop.
 */
export async function verifyLedger(ledger: DatabaseSync | string, options: VerifyOptions): Promise<Verification> {
  if (typeof ledger !== "string") return new Verifier(ledger, options).run();
  let db: DatabaseSync;
  try {
    db = openLedgerFile(ledger, { readOnly: true }).db;
  } catch (error) {
    if (!EarshotError.is(error) || !existsSync(ledger)) throw error;
    return new Report().toVerification({ what: "unreadable", message: error.problem.message });
  }
  try {
    return await new Verifier(db, options).run();
  } finally {
    db.close();
  }
}

class Report {
  entries = 0;
  sessions = 0;
  seals = 0;
  tombstones = 0;
  unsealed = 0;
  headPosition = 0;
  sealFileBehind = 0;

  toVerification(firstBreak: LedgerBreak | undefined): Verification {
    return { ok: firstBreak === undefined, ...this, ...(firstBreak === undefined ? {} : { firstBreak }) };
  }
}

class Verifier {
  readonly #db: DatabaseSync;
  readonly #options: VerifyOptions;
  readonly #slice = new Slice(SLICE_MS);
  readonly #report = new Report();
  #cuts: Cuts | undefined;
  #chains: Chains | undefined;

  constructor(db: DatabaseSync, options: VerifyOptions) {
    this.#db = db;
    this.#options = options;
  }

  async run(): Promise<Verification> {
    const { signal, onProgress } = this.#options;
    const steps = this.#steps();
    let found: LedgerBreak | undefined;
    try {
      for (;;) {
        this.#slice.begin();
        const step = steps.next();
        if (step.done) {
          found = step.value;
          break;
        }
        onProgress?.({ entries: this.#report.entries, position: this.#chains?.last ?? 0, headPosition: this.#report.headPosition });
        await setImmediate(undefined, { signal });
      }
    } catch (error) {
      found = this.#damage(error);
    }
    this.#report.sessions = this.#chains?.size ?? 0;
    this.#report.tombstones = this.#cuts?.count ?? 0;
    return this.#report.toVerification(firstOf(this.#cuts?.firstBreak, found));
  }

  *#steps(): Steps<LedgerBreak | undefined> {
    const db = this.#db;
    const wrongSchema = compareSchema(db);
    if (wrongSchema !== undefined) return wrongSchema;
    using seals = new Seals(db, this.#options.publicKey, this.#options.sealFile);
    this.#report.headPosition = headOf(db);
    const sessions = new Sessions(db);
    const cuts = new Cuts(db, this.#options.publicKey, sessions);
    this.#cuts = cuts;
    const chains = new Chains(db, cuts, sessions);
    this.#chains = chains;
    yield* cuts.load(this.#slice);
    for (let next = seals.next(); next !== undefined; next = seals.next()) {
      if ("wrong" in next) return next.wrong;
      const wrong = yield* this.#checkSeal(next.seal, chains, cuts);
      if (wrong !== undefined) return wrong;
      this.#report.seals = seals.count;
      this.#report.sealFileBehind = seals.behind;
      if (this.#slice.isOver) yield;
    }
    const wrongFile = seals.rest();
    if (wrongFile !== undefined) return wrongFile;
    const before = this.#report.entries;
    const wrong = yield* this.#walk(this.#report.headPosition, chains, new Map());
    this.#report.unsealed = this.#report.entries - before;
    return wrong;
  }
}
