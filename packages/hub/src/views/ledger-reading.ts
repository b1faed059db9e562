import type { Entry, Ledger, SessionInfo } from "../ledger/ledger.ts";
import { openLedgerFile } from "../ledger/sqlite/open-file.ts";
import { Reader } from "../ledger/sqlite/reader.ts";
import { highestPosition } from "../ledger/sqlite/sqlite-ledger.ts";

/** The half of a ledger that views need. */
export type LedgerReading = Pick<Ledger, "head" | "read" | "readSession" | "findSessions">;

export interface OpenReading extends LedgerReading {
  close(): void;
}

/** Opens a ledger's file for reading only, with a connection of its own: another one may write to it, in another thread. */
export function openLedgerReading(path: string): OpenReading {
  const { db } = openLedgerFile(path, { readOnly: true });
  const reader = new Reader(db);
  return {
    head: async () => highestPosition(db),
    read: async (query) => reader.read(query),
    readSession: async (query) => reader.readSession(query),
    findSessions: async (id, protocol) => reader.findSessions(id, protocol),
    close: () => db.close(),
  };
}

/** Entries of one session after a position, in order of arrival; none when there are no more. */
export async function readArrived(ledger: LedgerReading, session: SessionInfo, after: number, limit: number): Promise<readonly Entry[]> {
  const { key, id, protocol } = session;
  for (let from = after; ; ) {
    // Other sources may have sessions of the same id.
    const page = await ledger.read({ after: from, limit, filter: { protocol: [protocol], session: id } });
    const entries = page.entries.filter((entry) => entry.sessionKey === key);
    if (entries.length > 0 || page.upTo <= from) return entries;
    from = page.upTo;
  }
}
