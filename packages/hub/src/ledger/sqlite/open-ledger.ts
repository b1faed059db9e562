import { dirname, join } from "node:path";
import { EngineLedger, type LedgerOptions } from "../engine-ledger.ts";
import { openSealKey } from "../seal-key.ts";
import { explainLedgerError, openLedgerFile } from "./open-file.ts";
import { SqliteEngine } from "./sqlite-engine.ts";
import { sqliteCode } from "./sqlite-error.ts";

export const SEAL_FILE = "seals.jsonl";

/** Opens the ledger at a path, creates it if there is none, and migrates an older one. */
export function openSqliteLedger(path: string, options: LedgerOptions): EngineLedger {
  const folder = dirname(path);
  const { db, damage } = openLedgerFile(path);
  if (damage !== undefined) options.onAlarm?.(damage);
  try {
    return new EngineLedger(new SqliteEngine(db), { key: openSealKey(folder), file: join(folder, SEAL_FILE) }, options);
  } catch (error) {
    db.close();
    throw sqliteCode(error) === undefined ? error : explainLedgerError(path, error);
  }
}
