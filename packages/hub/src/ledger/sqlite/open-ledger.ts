import { dirname } from "node:path";
import { openSealKey } from "../seal-key.ts";
import { NearScribe } from "./near-scribe.ts";
import { openDesk } from "./open-desk.ts";
import { explainLedgerError, openLedgerFile } from "./open-file.ts";
import type { ScribeOptions } from "./scribe-port.ts";
import { sqliteCode } from "./sqlite-error.ts";
import { SqliteLedger, type SqliteLedgerOptions } from "./sqlite-ledger.ts";
import { ThreadedScribe } from "./threaded-scribe.ts";

const SEAL_EVERY_MS = 2000;

/** Opens the ledger at a path, makes it when there is none, and brings an older one up to date. */
export function openSqliteLedger(path: string, options: SqliteLedgerOptions): SqliteLedger {
  const { db } = openLedgerFile(path);
  try {
    openSealKey(dirname(path)); // whatever is wrong with it is said here, and not by a thread
    // From now on for reading only: judging needs a look at the file, and pages are read from it.
    db.exec("PRAGMA query_only = ON; PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 0");
    const { now, sealEveryMs = SEAL_EVERY_MS, onFailure = () => {} } = options;
    const scribe: ScribeOptions = { now, sealEveryMs, onFailure };
    const openScribe = () => (options.thread === true ? openNearScribe(path, scribe) : openDesk(path, scribe));
    return new SqliteLedger(db, openScribe, options);
  } catch (error) {
    db.close();
    throw sqliteCode(error) === undefined ? error : explainLedgerError(path, error);
  }
}

function openNearScribe(path: string, options: ScribeOptions): NearScribe {
  const { db } = openLedgerFile(path);
  // Nobody is waited for here: everybody would wait with us. What is written here is written back here, too, often and little, or the log
  // would only grow.
  db.exec("PRAGMA busy_timeout = 0; PRAGMA cache_size = -1000; PRAGMA wal_autocheckpoint = 1000");
  return new NearScribe(db, new ThreadedScribe(path, options));
}
