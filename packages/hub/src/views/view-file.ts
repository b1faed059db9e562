import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { reasonOf } from "../ledger/sqlite/sqlite-error.ts";
import { SEARCH_TABLES } from "./search/search-index.ts";
import { VIEW_SCHEMA, VIEW_VERSION } from "./view-schema.ts";

/** Marks the file as ours, in its header: "Earv" in ASCII. */
const APPLICATION_ID = 0x45617276;

const SCHEMA = `${VIEW_SCHEMA} ${SEARCH_TABLES}
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${VIEW_VERSION};
`;

/** Opens the file of the views. It holds nothing that the ledger does not hold, so one that cannot be used is built anew. */
export function openViewFile(path: string, log: (line: string) => void): DatabaseSync {
  const why = whyUnusable(path);
  if (why === undefined) return prepare(new DatabaseSync(path), false);
  if (why !== "missing") log(`The session views are built anew from the ledger: ${path} ${why}.`);
  return create(path);
}

/** Removes the file and what SQLite keeps beside it. A link is removed, never what it points to. */
export function removeViewFile(path: string): void {
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
    const position = db.prepare("SELECT position, received_at, removal FROM watermark").get()?.["position"];
    return typeof position === "number" ? undefined : "does not say how far it goes";
  } catch (error) {
    return `cannot be read (${reasonOf(error)})`;
  } finally {
    db?.close();
  }
}

function create(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeViewFile(path); // a log may be left of a file that is gone
  // Made before SQLite would, which lets everybody read it.
  closeSync(openSync(path, "a", 0o600));
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return prepare(new DatabaseSync(path), true);
}

function prepare(db: DatabaseSync, empty: boolean): DatabaseSync {
  try {
    // Losing the last moments to a power cut is fine: the ledger has them.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 0;");
    db.exec("PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;");
    if (empty) db.exec(`BEGIN; ${SCHEMA} COMMIT;`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
