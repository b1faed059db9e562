import { EarshotError } from "@earshot/protocol/problem";
import { openLedgerFile } from "./open-file.ts";
import { Reader } from "./reader.ts";

/** The key of the session with an id, in a ledger that no hub has open; the one heard last, when there are several. */
export function findStoredSession(path: string, id: string): number {
  const { db } = openLedgerFile(path, { readOnly: true });
  try {
    const [session] = new Reader(db).findSessions(id);
    if (session === undefined) {
      throw new EarshotError({ code: "NOT_FOUND", message: `No session ${JSON.stringify(id.slice(0, 80))} was heard.` });
    }
    return session.key;
  } finally {
    db.close();
  }
}
