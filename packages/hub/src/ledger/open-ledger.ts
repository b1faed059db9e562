import { EarshotError } from "@earshot/protocol/problem";
import type { EngineLedger, LedgerOptions } from "./engine-ledger.ts";
import type { LedgerHistory } from "./history.ts";
import { openSqliteLedger } from "./sqlite/open-ledger.ts";
import { StoredHistory } from "./sqlite/stored-history.ts";

/** Whether a location is a PostgreSQL address rather than a SQLite file. */
export function isPostgresAddress(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}

/** Opens the ledger at a location: the path of a SQLite file, or a PostgreSQL address. `folder` holds the signing key. */
export async function openLedger(location: string, folder: string, options: LedgerOptions): Promise<EngineLedger> {
  if (!isPostgresAddress(location)) return openSqliteLedger(location, options);
  const { openPostgresLedger } = await import("./postgres/open-ledger.ts");
  return openPostgresLedger({ address: location, folder, ...options });
}

/** Opens a ledger read-only, whether or not a hub has it open. */
export async function openHistoryAt(location: string): Promise<LedgerHistory> {
  if (!isPostgresAddress(location)) return new StoredHistory(location);
  const { openPostgresHistory } = await import("./postgres/open-ledger.ts");
  return openPostgresHistory(location);
}

/** The last position in a ledger. */
export async function readStoredHead(location: string): Promise<number> {
  await using history = await openHistoryAt(location);
  return await history.head();
}

/** The key of the session with an id; of several, the most recently active one. */
export async function findStoredSession(location: string, id: string): Promise<number> {
  await using history = await openHistoryAt(location);
  const [session] = await history.findSessions(id);
  if (session === undefined) {
    throw new EarshotError({ code: "NOT_FOUND", message: `No session ${JSON.stringify(id.slice(0, 80))} was heard.` });
  }
  return session.key;
}
