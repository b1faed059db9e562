import { closeSync, lstatSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol/problem";
import { readRegularFile } from "../regular-file.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";
import { reasonOfError, SQLITE_CODES, sqliteCode } from "./sqlite/sqlite-error.ts";

/** The process that holds the ledger, for the message to a second one. */
export interface LockHolder {
  readonly pid: number;
  /** The hub's address, once it listens. */
  readonly address?: string;
  /** ISO 8601. */
  readonly started: string;
}

export interface LedgerLock extends Disposable {
  /** Changes the description; the lock stays held. */
  update(holder: LockHolder): void;
  release(): void;
}

/**
 * Locks the ledger at the path for this process, or throws `LEDGER_IN_USE` with the holder.
 *
 * The lock is an open SQLite transaction on an empty database beside the ledger. The operating system drops it when the process ends in
 * any way, and SQLite also separates two holders within one process, unlike plain POSIX locks. The file stays after release: if it were
 * removed, one process could lock the old file and another a new one. Only SQLite may open it, because closing any descriptor of a locked
 * file drops the lock. The holder's description is therefore in its own file; it may be stale and decides nothing.
 */
export function takeLock(path: string, holder: LockHolder): LedgerLock {
  const lockPath = `${path}.lock`;
  const holderPath = `${path}.holder`;
  prepareFile(lockPath);
  const db = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE"); // no journal on disk that could outlive a killed process
    describe(holderPath, holder);
  } catch (error) {
    db.close();
    if (sqliteCode(error) === SQLITE_CODES.BUSY) throw inUse(path, readLockHolder(holderPath));
    throw unlockable(lockPath, reasonOfError(error), error);
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

/** Referenced here, because the garbage collector closes an unreferenced connection and drops the lock. */
const HELD = new Set<DatabaseSync>();

/** The current or last holder; undefined if unknown. Only `takeLock` knows whether the ledger is held now. */
export function readLockHolder(holderPath: string): LockHolder | undefined {
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
    throw EarshotError.is(error) ? error : unlockable(lockPath, reasonOfError(error), error);
  }
}

/** Replaced atomically: readers see the old or the new description. */
function describe(holderPath: string, holder: LockHolder): void {
  writeFileAtomically(holderPath, `${JSON.stringify(holder)}\n`, { durable: false });
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== "object" || value === null || !("pid" in value) || !("started" in value)) return false;
  const address = "address" in value ? value.address : undefined;
  return Number.isInteger(value.pid) && typeof value.started === "string" && (address === undefined || typeof address === "string");
}

function inUse(path: string, holder: LockHolder | undefined): EarshotError {
  const who = holder === undefined ? "another process" : `process ${holder.pid} (since ${holder.started})`;
  const where = holder?.address === undefined ? "" : `, which listens at ${holder.address}`;
  return new EarshotError({ code: "LEDGER_IN_USE", message: `${path} is in use by ${who}${where}.` });
}

function unlockable(lockPath: string, why: string, cause?: unknown): EarshotError {
  return new EarshotError({ code: "LEDGER_REFUSED", message: `${lockPath} cannot be used as the ledger's lock: ${why}.` }, { cause });
}
