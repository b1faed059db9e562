import type { DatabaseSync } from "node:sqlite";

/** So much of the log is written back at once while entries are removed: 4 MB, a few milliseconds. */
const PAGES_AT_ONCE = 1000;
/** What emptying the log may have left to write back: it stops everything meanwhile. */
const FEW_PAGES = 250;
const MOST_ROUNDS = 20;
const MOST_ATTEMPTS = 50;

/**
 * Writes the log back when much has gathered in it, so that nobody has to wait while SQLite writes back all of it. To be
 * called between two transactions.
 */
export function writeBackSome(db: DatabaseSync): boolean {
  if (pendingPages(db) < PAGES_AT_ONCE) return false;
  db.exec("PRAGMA wal_checkpoint(PASSIVE)");
  return true;
}

/**
 * Writes the log back and empties it: what was overwritten with zeros in the file still stands in the log as it was. Writing
 * back needs no lock and goes first; what is left for the moment in which nobody may write is little. Gives whether it is
 * empty: somebody may be reading from it for longer than this waits. Yields `soFar`, between two steps.
 */
export function* emptyLog(db: DatabaseSync, soFar: number): Generator<number, boolean> {
  for (let round = 0; round < MOST_ROUNDS && pendingPages(db) > FEW_PAGES; round++) {
    db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    yield soFar;
  }
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    if (tryToEmptyLog(db)) return true;
    yield soFar;
  }
  return false;
}

/** At once or not at all: nobody waits here for whoever reads. */
export function tryToEmptyLog(db: DatabaseSync): boolean {
  const timeout = db.prepare("PRAGMA busy_timeout").get()?.["timeout"];
  db.exec("PRAGMA busy_timeout = 0");
  try {
    return db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${Number(timeout)}`);
  }
}

/** Pages that stand in the log and not yet in the file. */
function pendingPages(db: DatabaseSync): number {
  const { log, checkpointed } = db.prepare("PRAGMA wal_checkpoint(NOOP)").get() ?? {};
  return Math.max(0, Number(log) - Number(checkpointed));
}
