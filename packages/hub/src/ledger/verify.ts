import type { KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol/problem";
import { MAX_UNSIGNED_MS } from "./checkpoints.ts";
import { SealFileLines } from "./seal-file.ts";
import type { Seal } from "./seal-line.ts";
import { openLedgerFile } from "./sqlite/open-file.ts";
import { SCHEMA } from "./sqlite/schema.ts";
import { reasonOfError, SQLITE_CODES, sqliteCode } from "./sqlite/sqlite-error.ts";
import { ChainVerifier, VERIFIED_COLUMNS } from "./verify/chains.ts";
import { earlierBreak, type LedgerBreak } from "./verify/ledger-break.ts";
import { RemovalVerifier } from "./verify/removals.ts";
import { RequestVerifier } from "./verify/requests.ts";
import { SealVerifier } from "./verify/seals.ts";

export interface VerifyOptions {
  /** The public seal key: `readPublicSealKey`. */
  readonly publicKey: KeyObject;
  /** `seals.jsonl` beside the ledger. */
  readonly sealFile: string;
  /** The key of the only session to verify. */
  readonly session?: number;
  /** A copy of a running hub's ledger: its newest entries were not signed and never will be. */
  readonly isCopy?: boolean;
  /** Unix milliseconds. Default: the machine's clock. */
  readonly now?: number;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

export interface VerifyProgress {
  readonly entries: number;
  readonly position: number;
  readonly headPosition: number;
}

export interface Verification {
  readonly ok: boolean;
  /** Number verified: all entries, or those before the break. */
  readonly entries: number;
  /** Number of sessions with entries. */
  readonly sessions: number;
  readonly seals: number;
  readonly tombstones: number;
  /** Entries after the last seal: chained, but unsigned. Cutting off the newest of them cannot be detected. */
  readonly unsealed: number;
  readonly headPosition: number;
  /** 1 if the seal file lacks the newest one, as after a stop while writing it. */
  readonly sealFileBehind: number;
  readonly firstBreak?: LedgerBreak;
  /** The limits of this proof, in plain words. */
  readonly notProven: readonly string[];
}

const KEY_IS_BESIDE =
  "A program that can read seal-key.pem can change the ledger and sign it again. Compare seals.jsonl with a copy that you keep elsewhere.";

const PROGRESS_ENTRIES = 500;
const NOTHING = { entries: 0, sessions: 0, seals: 0, tombstones: 0, unsealed: 0, headPosition: 0, sealFileBehind: 0, notProven: [] };

/**
 * Finds the first place where a snapshot of the ledger differs from what the hub wrote; the hub may continue meanwhile. It reports any
 * damage without throwing; it throws if there is no file or the file is locked. It takes minutes for a large ledger: see verification.ts.
 */
export function verifyLedger(path: string, options: VerifyOptions): Verification {
  using sealFile = new SealFileLines(options.sealFile);
  let db: DatabaseSync;
  try {
    ({ db } = openLedgerFile(path, { readOnly: true }));
  } catch (error) {
    if (!EarshotError.is(error) || !existsSync(path)) throw error;
    return { ...NOTHING, ok: false, firstBreak: { what: "unreadable", message: error.problem.message } };
  }
  try {
    return new Verifier(db, options).run(sealFile);
  } finally {
    db.close();
  }
}

class Verifier {
  readonly #db: DatabaseSync;
  readonly #options: VerifyOptions;
  readonly #requests = new RequestVerifier();
  #removals: RemovalVerifier | undefined;
  #chains: ChainVerifier | undefined;
  #seals: SealVerifier | undefined;
  #head = 0;
  /** The position up to which everything was examined. */
  #seen = Number.MIN_SAFE_INTEGER;

  constructor(db: DatabaseSync, options: VerifyOptions) {
    this.#db = db;
    this.#options = options;
  }

  run(sealFile: SealFileLines): Verification {
    try {
      this.#db.exec("BEGIN");
      return this.#toVerification(this.#verify(sealFile));
    } catch (error) {
      return this.#toVerification(this.#damage(error));
    }
  }

  /** Returns the number of unsigned entries, or the first break. */
  #verify(sealFile: SealFileLines): LedgerBreak | number {
    const db = this.#db;
    const damaged = findDamage(db) ?? compareSchema(db);
    if (damaged !== undefined) return damaged;
    const { publicKey, session } = this.#options;
    const removals = new RemovalVerifier(db, publicKey);
    const chains = new ChainVerifier(db, removals);
    const seals = new SealVerifier(db, publicKey, sealFile);
    this.#removals = removals;
    this.#chains = chains;
    this.#seals = seals;
    this.#head = Number(
      db.prepare("SELECT max(ifnull((SELECT max(position) FROM entry), 0), ifnull((SELECT max(up_to) FROM seal), 0)) AS head").get()?.[
        "head"
      ],
    );
    for (let next = seals.next(); next !== undefined; next = seals.next()) {
      const wrong = "wrong" in next ? next.wrong : (this.#checkSeal(next.seal, { removals, chains }) ?? checkLate(db, next.seal));
      if (wrong !== undefined) return wrong;
    }
    const sealed = chains.entries;
    const wrong = seals.rest() ?? this.#walk(this.#head, chains) ?? findWrongSession(db, session);
    if (wrong !== undefined) return wrong;
    if (session !== undefined) return chains.entries - sealed;
    return this.#requests.check(db, this.#head) ?? findUnsigned(db, seals.upTo, this.#now()) ?? chains.entries - sealed;
  }

  #now(): number {
    if (this.#options.isCopy !== true) return this.#options.now ?? Date.now();
    return Number(this.#db.prepare("SELECT received_at FROM entry ORDER BY position DESC LIMIT 1").get()?.["received_at"] ?? 0);
  }

  /** Continues up to a position. `heard` receives the last entry of each session on the way. */
  #walk(upTo: number, chains: ChainVerifier, heard?: Map<number, number>): LedgerBreak | undefined {
    const { session, onProgress } = this.#options;
    const own = session === undefined ? "" : `session = ${Number(session)} AND `;
    const entries = this.#db.prepare(`SELECT ${VERIFIED_COLUMNS} FROM entry WHERE ${own}position > ? AND position <= ? ORDER BY position`);
    for (const row of entries.iterate(this.#seen, upTo)) {
      const checked = chains.check(row);
      if ("wrong" in checked) return checked.wrong;
      if (checked.isGone) continue;
      this.#requests.note(row);
      heard?.set(Number(row["session"]), chains.last);
      if (chains.entries % PROGRESS_ENTRIES === 0)
        onProgress?.({ entries: chains.entries, position: chains.last, headPosition: this.#head });
    }
    this.#seen = upTo;
    return undefined;
  }

  #checkSeal(seal: Seal, { removals, chains }: { removals: RemovalVerifier; chains: ChainVerifier }): LedgerBreak | undefined {
    const { session } = this.#options;
    const before = chains.entries;
    const heard = new Map<number, number>();
    const wrong = this.#walk(seal.upTo, chains, heard);
    if (wrong !== undefined) return wrong;
    for (const named of seal.sessions) {
      const [key, position] = named;
      if (session !== undefined && key !== session) continue;
      const missing = chains.checkHead(seal, named);
      if (missing !== undefined) return missing;
      // The session's entries after the seal's position did not exist then.
      if ((heard.get(key) ?? 0) > position) return added(seal, heard.get(key) ?? 0);
      heard.delete(key);
    }
    for (const position of heard.values()) return added(seal, position);
    return session === undefined ? (checkTombstones(removals, seal) ?? checkCount(removals, seal, chains.entries - before)) : undefined;
  }

  /** Damage is a result; other errors are thrown. */
  #damage(error: unknown): LedgerBreak {
    const code = sqliteCode(error);
    if (code === SQLITE_CODES.BUSY) {
      throw new EarshotError({ code: "LEDGER_UNAVAILABLE", message: "The ledger is locked by another program." }, { cause: error });
    }
    // A number beyond JavaScript's range was never written by a hub.
    const isTooLarge = error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE";
    if (code === undefined && !isTooLarge) throw error;
    const last = this.#chains?.last ?? 0;
    const where = last === 0 ? "before its first entry" : `after the entry at position ${last}`;
    return { what: "damaged", position: last + 1, message: `The file is damaged ${where} (${reasonOfError(error)}).` };
  }

  #toVerification(result: LedgerBreak | number): Verification {
    const firstBreak = earlierBreak(this.#removals?.firstBreak, typeof result === "number" ? undefined : result);
    const unsealed = typeof result === "number" ? result : 0;
    return {
      ok: firstBreak === undefined,
      entries: this.#chains?.entries ?? 0,
      sessions: this.#chains?.sessions ?? 0,
      seals: this.#seals?.count ?? 0,
      tombstones: this.#removals?.count ?? 0,
      unsealed,
      headPosition: this.#head,
      sealFileBehind: this.#seals?.behind ?? 0,
      notProven: firstBreak === undefined ? notProven(unsealed, this.#seals?.late ?? 0) : [],
      ...(firstBreak === undefined ? {} : { firstBreak }),
    };
  }
}

/** SQLite itself checks pages, value types and indexes, and finds dangling references. */
function findDamage(db: DatabaseSync): LedgerBreak | undefined {
  const found = String(db.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"]);
  if (found !== "ok") {
    const what = /missing from index|in index|non-unique/.test(found)
      ? "index"
      : /^(?:non-|NULL value)/.test(found)
        ? "wrong-type"
        : "damaged";
    return { what, message: `The file is damaged: ${found}.` };
  }
  const [orphan] = db.prepare("PRAGMA foreign_key_check").all();
  if (orphan === undefined) return undefined;
  const { table, rowid, parent } = orphan;
  const place = table === "entry" ? { position: Number(rowid) } : {};
  return {
    what: "session-unknown",
    ...place,
    message: `Row ${rowid} of the table ${table} belongs to a ${parent} of which there is no row.`,
  };
}

/** A trigger or a view in place of a table could show anything; a missing index would hide rows. */
function compareSchema(db: DatabaseSync): LedgerBreak | undefined {
  using fresh = new DatabaseSync(":memory:");
  fresh.exec(SCHEMA);
  const [expected, found] = [fresh, db].map((one) => {
    // SQLite's internal tables (statistics, counters) are not part of the format.
    const rows = one.prepare("SELECT type, name, tbl_name AS owner, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_s*'").all();
    return new Map(rows.map(({ type, name, owner, sql }) => [`${type} ${name}`, `${owner} ${sql}`]));
  });
  const different = [...(expected ?? []), ...(found ?? [])].find(
    ([name, text]) => expected?.get(name) !== text || found?.get(name) !== text,
  );
  return different === undefined ? undefined : { what: "schema", message: `${different[0]} is not what the format has.` };
}

/** A session's row holds its last entry, to which the next is linked, and its cut, which hides entries. */
function findWrongSession(db: DatabaseSync, only: number | undefined): LedgerBreak | undefined {
  const sql = `SELECT key FROM (SELECT key, last, head, cut,
      (SELECT max(position) FROM entry WHERE entry.session = key AND position > cut) AS newest,
      (SELECT ifnull(max(up_to), 0) FROM tombstone WHERE tombstone.session = key) AS lastCut
    FROM session WHERE key = ifnull(?, key))
    WHERE (cut IS lastCut AND last IS ifnull(newest, lastCut) AND last <= (SELECT head FROM ledger) AND head IS CASE
      WHEN newest IS NOT NULL THEN (SELECT hash FROM entry WHERE position = newest)
      WHEN lastCut > 0 THEN (SELECT head FROM tombstone WHERE tombstone.session = key AND up_to = lastCut)
    END) IS NOT TRUE LIMIT 1`;
  const wrong = db.prepare(sql).get(only ?? null);
  if (wrong === undefined) return undefined;
  return { what: "session-changed", message: `The row of session number ${wrong["key"]} does not say what its entries and cuts are.` };
}

/** A hub signs its entries within seconds. Entries unsigned then may have been made by anyone. */
function findUnsigned(db: DatabaseSync, after: number, now: number): LedgerBreak | undefined {
  const oldest = db.prepare("SELECT position, received_at FROM entry WHERE position > ? ORDER BY position LIMIT 1").get(after);
  if (oldest === undefined || now - Number(oldest["received_at"]) <= MAX_UNSIGNED_MS) return undefined;
  const position = Number(oldest["position"]);
  const message = `The entries from position ${position} on have no signature, though they are older than a minute: the hub was killed before it signed them, or somebody has changed them and removed the seals. Start the hub: it tells how many there are, and signs them as late.`;
  return { what: "unsigned", position, message };
}

/** A killed hub leaves a few seconds unsigned. More than that had been signed by a seal that is missing. */
function checkLate(db: DatabaseSync, { seal, after, upTo, late }: Seal): LedgerBreak | undefined {
  if (late === undefined) return undefined;
  const sql = "SELECT max(received_at) - min(received_at) AS ms FROM entry WHERE position > ? AND position <= ?";
  if (Number(db.prepare(sql).get(after, late)?.["ms"] ?? 0) <= MAX_UNSIGNED_MS) return undefined;
  const message = `Seal ${seal}, up to position ${upTo}, signs entries of more than a minute that had no signature when the hub started.`;
  return { what: "unsigned", position: after + 1, message };
}

function checkTombstones(removals: RemovalVerifier, { seal, after, tombstones }: Seal): LedgerBreak | undefined {
  for (const [number, digest] of tombstones) {
    const found = removals.digestOf(number);
    if (found === digest) continue;
    return found === undefined
      ? { what: "tombstone-missing", position: after + 1, message: `Tombstone ${number}, which seal ${seal} names, is missing.` }
      : { what: "tombstone-changed", position: after + 1, message: `Tombstone ${number} is not the one that seal ${seal} names.` };
  }
  return undefined;
}

/** Only cuts explain fewer entries than were sealed. The chains find that too; this finds what they cannot. */
function checkCount(removals: RemovalVerifier, { seal, after, upTo, entries, sessions }: Seal, found: number): LedgerBreak | undefined {
  const isCut = sessions.some(([key]) => (removals.lastCut(key)?.upTo ?? 0) > after);
  if (found === entries || (found < entries && isCut)) return undefined;
  const message = `Seal ${seal} covers ${entries} entries from position ${after + 1} to ${upTo}; ${found} are there.`;
  return { what: found < entries ? "entry-missing" : "entry-added", position: after + 1, message };
}

function added({ seal, after, upTo }: Seal, position: number): LedgerBreak {
  const message = `The entry at position ${position} was not there when seal ${seal} was made, which covers positions ${after + 1} to ${upTo}.`;
  return { what: "entry-added", position, message };
}

function notProven(unsealed: number, late: number): readonly string[] {
  const unsigned = `The newest entries, ${unsealed}, are not signed yet: that some of them were removed would not be seen.`;
  const signedLate = `${late} times the hub was killed before it had signed its last entries, and signed them at its next start: what was done to them in between would not be seen.`;
  return [...(unsealed === 0 ? [] : [unsigned]), ...(late === 0 ? [] : [signedLate]), KEY_IS_BESIDE];
}
