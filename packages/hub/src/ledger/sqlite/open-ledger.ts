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
    // Judging needs a look at the file, pages are read from it, and what comes alone is written with it: then the log is written back
    // with it, too, and a little at a time, since everybody waits meanwhile.
    db.exec("PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 1000");
    const { now, sealEveryMs = SEAL_EVERY_MS, onFailure = () => {} } = options;
    const scribe: ScribeOptions = { now, sealEveryMs, onFailure };
    const openScribe = () => (options.thread === true ? new NearScribe(db, new ThreadedScribe(path, scribe)) : openDesk(path, scribe));
    return new SqliteLedger(db, openScribe, options);
  } catch (error) {
    db.close();
    throw sqliteCode(error) === undefined ? error : explainLedgerError(path, error);
  }
}
