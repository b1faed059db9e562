import { openLedgerFile } from "./open-file.ts";
import { SqliteLedger, type SqliteLedgerOptions } from "./sqlite-ledger.ts";

/** Opens the ledger at a path, makes it when there is none, and brings an older one up to date. */
export function openSqliteLedger(path: string, options: SqliteLedgerOptions): SqliteLedger {
  const { db } = openLedgerFile(path);
  return new SqliteLedger(db, options);
}
