import { dirname, join } from "node:path";
import { Sealer } from "../seal.ts";
import { openSealKey } from "../seal-key.ts";
import { Desk } from "./desk.ts";
import { explainLedgerError, openLedgerFile } from "./open-file.ts";
import type { ScribeOptions } from "./scribe-port.ts";
import { sqliteCode } from "./sqlite-error.ts";

export const SEAL_FILE = "seals.jsonl";

/** Opens the ledger at a path for writing, makes it when there is none, and brings an older one up to date. Its seals stand beside it. */
export function openDesk(path: string, options: ScribeOptions): Desk {
  const folder = dirname(path);
  const { db } = openLedgerFile(path);
  try {
    const sealer = new Sealer(db, { key: openSealKey(folder), file: join(folder, SEAL_FILE) });
    if (sealer.fault !== undefined) options.onFailure(new Error(`${join(folder, SEAL_FILE)}: ${sealer.fault}.`));
    return new Desk(db, sealer, options);
  } catch (error) {
    db.close();
    throw sqliteCode(error) === undefined ? error : explainLedgerError(path, error);
  }
}
