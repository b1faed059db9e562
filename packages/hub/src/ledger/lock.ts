import { closeSync, lstatSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol/problem";
import { readRegularFile } from "../regular-file.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";
import { reasonOf, SQLITE, sqliteCode } from "./sqlite/sqlite-error.ts";

/** Who has the ledger: what the second one is told. */
export interface Holder {
  readonly pid: number;
  /** Where the hub listens, once it does. */
  readonly address?: string;
  /** ISO 8601. */
  readonly started: string;
}

export interface LedgerLock extends Disposable {
  /** Changes what others are told; the lock stays held throughout. */
  update(holder: Holder): void;
  release(): void;
}

/**
 * Takes the ledger at the path for this process, or throws `LEDGER_IN_USE`, which names who has it.
 *
 * The lock is SQLite's own, on an empty database beside the ledger: a transaction that is begun and never ended. It dies with
 * the process, however that ends, since the operating system drops it, and SQLite also keeps apart two holders within one
 * process, which bare POSIX locks do not. The file stays when the lock is released: were it removed, one process could lock
 * the old file and another a new one of the same name. Nobody may open it but SQLite: closing a descriptor of a locked file
 * drops the lock. So the description of the holder stands in a file of its own; it may be stale, and decides nothing.
 */
export function takeLock(path: string, holder: Holder): LedgerLock {
  const lockPath = `${path}.lock`;
  const holderPath = `${path}.holder`;
  prepareFile(lockPath);
  const db = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE"); // no journal on disk that could outlive a killed process
    describe(holderPath, holder);
  } catch (error) {
    db.close();
    if (sqliteCode(error) === SQLITE.BUSY) throw inUse(path, readHolder(holderPath));
    throw unlockable(lockPath, reasonOf(error), error);
  }
  HELD.add(db);
  const release = () => {
    if (!db.isOpen) return;
    HELD.delete(db);
    rmSync(holderPath, { force: true });
    db.close();
  };
  return { update: (next) => db.isOpen && describe(holderPath, next), release, [Symbol.dispose]: release };
}

/** A connection that nobody refers to is closed by the garbage collector, and the lock would be gone with it. */
const HELD = new Set<DatabaseSync>();

/** Who has the ledger, or had it last; undefined when nobody says so. Only `takeLock` knows whether somebody has it now. */
export function readHolder(holderPath: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readRegularFile(holderPath, { maxBytes: 4096 }));
    return isHolder(holder) ? holder : undefined;
  } catch {
    return undefined; // absent or half-written: the lock itself does not depend on it
  }
}

function prepareFile(lockPath: string): void {
  try {
    mkdirSync(dirname(lockPath), { recursive: true, mode: 0o700 });
    const stats = lstatSync(lockPath, { throwIfNoEntry: false });
    if (stats === undefined) closeSync(openSync(lockPath, "wx", 0o600));
    else if (!stats.isFile() || stats.size > 0) throw unlockable(lockPath, "something else is there");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return; // another process was faster
    throw EarshotError.is(error) ? error : unlockable(lockPath, reasonOf(error), error);
  }
}

/** Replaced as a whole: whoever reads it sees the old description or the new one. */
function describe(holderPath: string, holder: Holder): void {
  writeFileAtomically(holderPath, `${JSON.stringify(holder)}\n`, { durable: false });
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== "object" || value === null || !("pid" in value) || !("started" in value)) return false;
  const address = "address" in value ? value.address : undefined;
  return Number.isInteger(value.pid) && typeof value.started === "string" && (address === undefined || typeof address === "string");
}

function inUse(path: string, holder: Holder | undefined): EarshotError {
  const who = holder === undefined ? "another process" : `process ${holder.pid} (since ${holder.started})`;
  const where = holder?.address === undefined ? "" : `, which listens at ${holder.address}`;
  return new EarshotError({ code: "LEDGER_IN_USE", message: `${path} is in use by ${who}${where}.` });
}

function unlockable(lockPath: string, why: string, cause?: unknown): EarshotError {
  return new EarshotError({ code: "LEDGER_REFUSED", message: `${lockPath} cannot be used as the ledger's lock: ${why}.` }, { cause });
}
