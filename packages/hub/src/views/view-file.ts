import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { reasonOfError } from "../ledger/sqlite/sqlite-error.ts";
import { SEARCH_TABLES } from "./search/search-index.ts";

/** Identifies the file in its SQLite header: "Earv" in ASCII. */
const APPLICATION_ID = 0x45617276;

/** Raised whenever tables, folds or rules change; a file of another version is deleted and built again. */
const VIEW_VERSION = 11;

/** The tables of the views. Unbounded collections have rows of their own; the rest of a session is in its fold. */
const SCHEMA = `
-- key: as in the ledger. status: without stalling, which depends on the time of reading and on beats: whether it sends heartbeats.
-- due_at: when the passing of time may raise an alert.
-- started_ms: of AOP sessions, by the agent's clock.
-- parent_said: the id of the parent that the session itself names, see family.ts.
CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  protocol TEXT NOT NULL,
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  agent TEXT NOT NULL,
  status TEXT NOT NULL,
  beats INTEGER NOT NULL,
  last_heard_at INTEGER NOT NULL,
  last_position INTEGER NOT NULL,
  conversation TEXT,
  parent_said TEXT,
  due_at INTEGER,
  started_ms REAL,
  state TEXT NOT NULL,
  UNIQUE (protocol, source, id)
) STRICT;
CREATE INDEX session_id ON session (id, last_position);
CREATE INDEX session_heard ON session (last_heard_at, key);
CREATE INDEX session_parent_said ON session (parent_said) WHERE parent_said IS NOT NULL;
CREATE INDEX session_conversation ON session (conversation) WHERE conversation IS NOT NULL;
CREATE INDEX session_due ON session (due_at, key) WHERE due_at IS NOT NULL;
CREATE INDEX session_started ON session (started_ms, key) WHERE started_ms IS NOT NULL;
CREATE INDEX session_activity ON session (last_position, key) WHERE started_ms IS NOT NULL;

-- Calls and outputs. name: within the session, see joining.ts. position: of the entry at which it is shown.
CREATE TABLE assembled (
  session INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  fold TEXT NOT NULL,
  UNIQUE (session, kind, name)
) STRICT;
CREATE INDEX assembled_position ON assembled (session, kind, position, name);
-- What an entry belongs to that carries no id.
CREATE TABLE part (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (session, position, number)
) STRICT, WITHOUT ROWID;

-- Reported spawns of sessions.
CREATE TABLE spawn (
  protocol TEXT NOT NULL,
  source TEXT NOT NULL,
  child TEXT NOT NULL,
  parent_key INTEGER NOT NULL,
  parent TEXT NOT NULL,
  because TEXT NOT NULL,
  PRIMARY KEY (protocol, source, child, parent_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX spawn_parent ON spawn (parent_key);

-- Sums of what was supplied, with how often. cost: billionths of a dollar. grouped: see cost-table.ts.
CREATE TABLE cost (
  session INTEGER NOT NULL,
  grouped TEXT NOT NULL,
  name TEXT NOT NULL,
  day TEXT NOT NULL,
  cost INTEGER NOT NULL,
  cost_count INTEGER NOT NULL,
  input INTEGER NOT NULL,
  input_count INTEGER NOT NULL,
  output INTEGER NOT NULL,
  output_count INTEGER NOT NULL,
  total INTEGER NOT NULL,
  total_count INTEGER NOT NULL,
  events INTEGER NOT NULL,
  UNIQUE (session, grouped, name, day)
) STRICT;
CREATE INDEX cost_group ON cost (grouped, day, name);

-- number: made from the position of the entry that raised it, hence the same whenever it is raised again.
CREATE TABLE alert (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  alert TEXT NOT NULL
) STRICT;
CREATE INDEX alert_at ON alert (at, number);
CREATE INDEX alert_session ON alert (session, at, number);
CREATE INDEX alert_type ON alert (type, at, number);
CREATE INDEX alert_position ON alert (session, position);

-- Everything up to and including this position of the ledger is in the tables. received_at: of the entry there.
-- removal: number of the last removal of the ledger that the tables have followed.
CREATE TABLE watermark (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  position INTEGER NOT NULL,
  received_at INTEGER,
  removal INTEGER NOT NULL
) STRICT;
INSERT INTO watermark VALUES (1, 0, NULL, 0);
${SEARCH_TABLES}
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${VIEW_VERSION};
`;

/** Opens the views' file. It is derived from the ledger, so an unusable file is built again. */
export function openViewFile(path: string, log: (line: string) => void): DatabaseSync {
  const why = whyUnusable(path);
  if (why === undefined) return prepare(new DatabaseSync(path), false);
  if (why !== "missing") log(`The session views are built anew from the ledger: ${path} ${why}.`);
  return create(path);
}

/** Removes the file and SQLite's companion files. A link is removed, never its target. */
export function removeViewFile(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

/** The reason as it follows the file's name in a log line; `missing` when there is no file. */
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
    // Only what is needed to begin. Other damage is repaired when it is found.
    const position = db.prepare("SELECT position, received_at, removal FROM watermark").get()?.["position"];
    return typeof position === "number" ? undefined : "does not say how far it goes";
  } catch (error) {
    return `cannot be read (${reasonOfError(error)})`;
  } finally {
    db?.close();
  }
}

function create(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeViewFile(path); // a log may be left of a file that is gone
  // Created first with private permissions; SQLite would make it world-readable.
  closeSync(openSync(path, "a", 0o600));
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return prepare(new DatabaseSync(path), true);
}

function prepare(db: DatabaseSync, empty: boolean): DatabaseSync {
  try {
    // A power cut may lose the last moments, which the ledger has.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 0;");
    db.exec("PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;");
    if (empty) db.exec(`BEGIN; ${SCHEMA} COMMIT;`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
