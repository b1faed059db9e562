import { chmodSync, closeSync, linkSync, lstatSync, mkdirSync, openSync, rmSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { EarshotError } from "@earshot/protocol/problem";
import { syncPath } from "../../write-file-atomically.ts";
import { keepDamagedLog } from "./log-damage.ts";
import { migrateLedgerFile } from "./migrations.ts";
import { FORMAT_VERSION, SCHEMA } from "./schema.ts";
import { reasonOfError, SQLITE_CODES, sqliteCode } from "./sqlite-error.ts";

/** Identifies the file in its SQLite header: "Ears" in ASCII. */
export const APPLICATION_ID = 0x45617273;
/** SQLite checkpoints the write-ahead log after this many pages. */
const LOG_PAGES = 2000;

export interface OpenFileOptions {
  /** Read-only: never creates, migrates or writes the ledger's file. */
  readonly readOnly?: boolean;
  /** Called before the transaction that creates or migrates the file is committed, for tests of interruptions. */
  readonly beforeCommit?: (db: DatabaseSync) => void;
}

export interface LedgerFile {
  readonly db: DatabaseSync;
  /** Whether the ledger was just created. */
  readonly created: boolean;
  /** The copy made before migrating. */
  readonly backup?: string;
  /** A description of the loss. */
  readonly damage?: string;
}

/**
 * Opens the ledger's file, or creates it. Anything but a ledger this version can open is refused with `LEDGER_REFUSED` without touching
 * the file or its folder. Only the lock's holder may open it for writing; call `inspectLedgerFile` before taking the lock, because the
 * lock leaves a file in the folder.
 */
export function openLedgerFile(path: string, { readOnly = false, beforeCommit = () => {} }: OpenFileOptions = {}): LedgerFile {
  const found = inspectLedgerFile(path);
  if (readOnly && found === undefined) throw refuse(path, "there is no such file");
  if (readOnly && found !== undefined && found < FORMAT_VERSION) throw tooOld(path, found);
  if (!readOnly && found === undefined) {
    // SQLite would read the old file's WAL as the new one's.
    if (lstatSync(`${path}-wal`, { throwIfNoEntry: false })?.size) throw refuse(path, "it is gone, though its log (-wal) is still there");
    createLedgerFile(path, beforeCommit);
  }
  try {
    if (readOnly) return { db: openForReading(path, FORMAT_VERSION), created: false };
    return { created: found === undefined, ...openForWriting(path, beforeCommit) };
  } catch (error) {
    throw explainLedgerError(path, error);
  }
}

/**
 * Examines the path without touching anything. Returns the version, undefined without a file, and throws `LEDGER_REFUSED` for anything
 * but a ledger.
 *
 * SQLite reads the file as immutable, so it takes no locks and neither reads nor leaves a journal. Plain file calls would be dangerous:
 * closing any descriptor drops all POSIX locks of the process on the file, including those of an open ledger.
 */
export function inspectLedgerFile(path: string): number | undefined {
  const stats = look(path);
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) throw refuse(path, "it is a symbolic link");
  if (stats.isDirectory()) throw refuse(path, "it is a folder");
  if (!stats.isFile()) throw refuse(path, "it is no regular file");
  if (stats.size === 0) throw refuse(path, "it is empty");
  if (stats.size < 512) throw refuse(path, "it is no SQLite database"); // less than the smallest page, which SQLite takes for empty
  const { applicationId, version } = readHeader(path);
  if (applicationId !== APPLICATION_ID) throw refuse(path, "it is a SQLite database of another application");
  if (version > FORMAT_VERSION) throw tooNew(path, version);
  return version;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw refuse(path, `it cannot be looked at (${reasonOfError(error)})`, error);
  }
}

function readHeader(path: string): { readonly applicationId: number; readonly version: number } {
  try {
    const address = pathToFileURL(path);
    address.searchParams.set("immutable", "1");
    using db = new DatabaseSync(address, { readOnly: true, defensive: false });
    // If a process died or the disk was full during a checkpoint, the file may be shorter than its header says until the next one. This
    // makes SQLite read the header anyway; nothing can be written here.
    db.exec("PRAGMA writable_schema = ON");
    return { applicationId: pragma(db, "application_id"), version: pragma(db, "user_version") };
  } catch (error) {
    if (sqliteCode(error) === SQLITE_CODES.NOTADB) throw refuse(path, "it is no SQLite database", error);
    throw refuse(path, `it cannot be read (${reasonOfError(error)})`, error);
  }
}

/**
 * A new ledger is created under another name and renamed when complete: a crash leaves nothing that looks like a ledger, so an empty or
 * partial file can always be refused.
 */
function createLedgerFile(path: string, beforeCommit: (db: DatabaseSync) => void): void {
  const draft = `${path}.new`;
  const clear = () => {
    for (const rest of ["", "-journal", "-wal", "-shm"]) rmSync(draft + rest, { force: true });
  };
  try {
    // SQLite gives -journal, -wal and -shm the permissions of the database itself.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    clear(); // of a process that died here
    closeSync(openSync(draft, "wx", 0o600));
    {
      using db = new DatabaseSync(draft);
      // Must be set before the first table so that free pages can be released in small steps. It costs one page in a thousand and no
      // measurable time: 150,000 entries in 2.8 s with it, 2.7 to 3.6 s without.
      db.exec("PRAGMA auto_vacuum = INCREMENTAL");
      db.exec(`BEGIN; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}; ${SCHEMA}`);
      beforeCommit(db);
      // The WAL mode is part of the header.
      db.exec("COMMIT; PRAGMA journal_mode = WAL");
    }
    syncPath(draft);
    linkSync(draft, path); // unlike a rename, this never replaces what somebody else put there meanwhile
    rmSync(draft);
    syncPath(dirname(path));
  } catch (error) {
    clear();
    throw explainLedgerError(path, error);
  }
}

function openForReading(path: string, oldestVersion: number): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, enableForeignKeyConstraints: false, timeout: 1000 });
  try {
    db.exec("PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF");
    const version = pragma(db, "user_version");
    if (version > FORMAT_VERSION) throw tooNew(path, version);
    if (version < oldestVersion) throw tooOld(path, version);
    db.exec("PRAGMA query_only = ON");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openForWriting(path: string, beforeCommit: (db: DatabaseSync) => void): Omit<LedgerFile, "created"> {
  // A committed version may only be in the WAL. Closing a writable connection would checkpoint it, so a reader looks first.
  if (lstatSync(`${path}-wal`, { throwIfNoEntry: false })?.size) openForReading(path, 0).close();
  for (const name of [path, `${path}-wal`, `${path}-shm`]) keepPrivate(name);
  const damage = keepDamagedLog(path, Date.now());
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout: 1000 });
  try {
    // FULL: a commit is on disk before it is reported. secure_delete overwrites removed content with zeros, so that erased text does not
    // survive in free space; inserting costs nothing (100,000 entries in batches of 200: 705 ms with it, 697 ms without), removing little
    // (50,000 entries: 182 ms and 135 ms). The page cache is small: SQLite scans all of it every second commit or so, because an index
    // page was split (16 entries per transaction: 24 µs each with 4 MB, 27 µs with 16 MB), and it suffices for a few hundred active
    // sessions. A larger transaction stays in memory up to 16 MB.
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -4000;
      PRAGMA cache_spill = -16000;
      PRAGMA wal_autocheckpoint = ${LOG_PAGES};
      PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF;
    `);
    const backup = migrateLedgerFile(db, path, beforeCommit);
    for (const name of [`${path}-wal`, `${path}-shm`]) keepPrivate(name);
    return { db, ...(backup === undefined ? {} : { backup }), ...(damage === undefined ? {} : { damage }) };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Restores private permissions, for example after a copy with a lax umask. */
function keepPrivate(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile()) throw refuse(path, "it is no regular file");
  if ((stats.mode & 0o077) !== 0 && process.platform !== "win32") chmodSync(path, 0o600);
}

function pragma(db: DatabaseSync, name: "application_id" | "user_version"): number {
  const value = db.prepare(`PRAGMA ${name}`).get()?.[name];
  return typeof value === "number" ? value : Number.NaN;
}

function tooNew(path: string, version: number): EarshotError {
  const why = `it was written by a newer Earshot (version ${version} of the format; this one knows versions up to ${FORMAT_VERSION})`;
  return refuse(path, why);
}

function tooOld(path: string, version: number): EarshotError {
  const message = `${path} was not opened: it was written by an older Earshot (version ${version} of the format).`;
  const hint = "Start the hub once: it brings the ledger to the new format and leaves a copy of the old one beside it.";
  return new EarshotError({ code: "LEDGER_REFUSED", message, hint });
}

function refuse(path: string, why: string, cause?: unknown): EarshotError {
  return new EarshotError({ code: "LEDGER_REFUSED", message: `${path} was not opened: ${why}.` }, { cause });
}

/** Explains an error while opening a ledger. */
export function explainLedgerError(path: string, error: unknown): unknown {
  if (EarshotError.is(error)) return error;
  const code = sqliteCode(error);
  const system = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === SQLITE_CODES.FULL || system === "ENOSPC") {
    return new EarshotError({ code: "STORAGE_FULL", message: `${path} cannot be opened: the disk is full.` }, { cause: error });
  }
  if (code === SQLITE_CODES.CORRUPT || code === SQLITE_CODES.NOTADB) {
    return new EarshotError({ code: "LEDGER_BROKEN", message: `${path} is damaged (${reasonOfError(error)}).` }, { cause: error });
  }
  return refuse(path, reasonOfError(error), error);
}
