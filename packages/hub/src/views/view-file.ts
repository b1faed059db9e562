import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { reasonOf } from "../ledger/sqlite/sqlite-error.ts";

/** Raised whenever tables, folds or rules change: a file of any other version is thrown away and built anew. */
export const VIEW_VERSION = 1;

export const IN_MEMORY = ":memory:";

/** Marks the file as ours, in its header: "Earv" in ASCII. */
const APPLICATION_ID = 0x45617276;

const SCHEMA = `
CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  started_ms REAL NOT NULL,
  last_position INTEGER NOT NULL,
  last_received_at INTEGER NOT NULL,
  row TEXT NOT NULL,
  fold TEXT NOT NULL,
  watch TEXT NOT NULL,
  UNIQUE (source, id)
) STRICT;
CREATE INDEX session_id ON session (id, last_position);
CREATE INDEX session_started ON session (started_ms, key);
CREATE INDEX session_activity ON session (last_position);

-- position: of the event that raised it, hence the same number whenever it is raised again.
CREATE TABLE alert (
  position INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  session TEXT NOT NULL,
  type TEXT NOT NULL,
  message TEXT NOT NULL,
  severity TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX alert_session ON alert (source, session, position);

-- Which session says that it spawned which.
CREATE TABLE spawn (
  source TEXT NOT NULL,
  child TEXT NOT NULL,
  parent TEXT NOT NULL,
  PRIMARY KEY (source, child, parent)
) STRICT, WITHOUT ROWID;
CREATE INDEX spawn_parent ON spawn (source, parent);

-- Sessions that are being cut out of the ledger, or were when the hub stopped.
CREATE TABLE cutting (
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  reason TEXT NOT NULL,
  up_to INTEGER NOT NULL,
  PRIMARY KEY (source, id)
) STRICT, WITHOUT ROWID;

-- Everything up to and including this position of the ledger is in the tables. received_at: of the entry there.
CREATE TABLE watermark (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  position INTEGER NOT NULL,
  received_at INTEGER
) STRICT;
INSERT INTO watermark VALUES (1, 0, NULL);

PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${VIEW_VERSION};
`;

/**
 * Opens the file of the views. It holds nothing that the ledger does not hold, so whatever is wrong with it is mended by
 * building it anew; and where no file can be had at all, the views live in memory until the hub stops.
 */
export function openViewFile(path: string, log: (line: string) => void): DatabaseSync {
  if (path === IN_MEMORY) return prepare(new DatabaseSync(IN_MEMORY), true);
  try {
    const why = whyUnusable(path);
    if (why === undefined) return openExisting(path);
    if (why !== "missing") {
      log(`The session views are built anew from the ledger: ${path} ${why}.`);
      removeViewFile(path);
    }
    return create(path);
  } catch (error) {
    log(`The session views are kept in memory until the hub stops: ${path} cannot be used (${reasonOf(error)}).`);
    return prepare(new DatabaseSync(IN_MEMORY), true);
  }
}

/** Removes the file and what SQLite keeps beside it. A link is removed, never what it points to. */
export function removeViewFile(path: string): void {
  if (path === IN_MEMORY) return;
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

/** The words that follow the file's name in a log line; `missing` when there is no file. */
function whyUnusable(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "missing";
  if (!stats.isFile()) return "is no ordinary file";
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    const application = db.prepare("PRAGMA application_id").get()?.["application_id"];
    const version = db.prepare("PRAGMA user_version").get()?.["user_version"];
    if (application !== APPLICATION_ID) return "is no file of views";
    if (version !== VIEW_VERSION) return `has version ${version}, not ${VIEW_VERSION}`;
    // What is needed to begin. Damage elsewhere shows when it is met, and is mended then.
    db.prepare("SELECT source, id, reason, up_to FROM cutting").all();
    const position = db.prepare("SELECT position, received_at FROM watermark").get()?.["position"];
    return typeof position === "number" ? undefined : "does not say how far it goes";
  } catch (error) {
    return `cannot be read (${reasonOf(error)})`;
  } finally {
    db?.close();
  }
}

function openExisting(path: string): DatabaseSync {
  return prepare(new DatabaseSync(path), false);
}

function create(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Made before SQLite would, which lets everybody read it.
  closeSync(openSync(path, "a", 0o600));
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return prepare(new DatabaseSync(path), true);
}

function prepare(db: DatabaseSync, empty: boolean): DatabaseSync {
  try {
    // Losing the last moments to a power cut is fine: the ledger has them.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 0;");
    if (empty) db.exec(`BEGIN; ${SCHEMA} COMMIT;`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
