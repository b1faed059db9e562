import { openLedgerFile } from "./open-file.ts";
import { highestPosition } from "./sqlite-ledger.ts";

/** The last position in a ledger that no hub has open. */
export function readStoredHead(path: string): number {
  const { db } = openLedgerFile(path, { readOnly: true });
  try {
    return highestPosition(db);
  } finally {
    db.close();
  }
}
