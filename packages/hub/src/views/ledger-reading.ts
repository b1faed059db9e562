import type { Entry, Ledger, SessionInfo } from "../ledger/ledger.ts";
import { toRemoval } from "../ledger/seal-line.ts";
import { StoredHistory } from "../ledger/sqlite/stored-history.ts";

/** The half of a ledger that views need. */
export type LedgerReading = Pick<Ledger, "head" | "read" | "readSession" | "findSessions" | "removals">;

export interface OpenReading extends LedgerReading {
  close(): void;
}

/** Opens a ledger's file for reading only, with a connection of its own: another one may write to it, in another thread. */
export function openLedgerReading(path: string): OpenReading {
  const history = new StoredHistory(path);
  return {
    head: async () => history.head(),
    read: async (query) => history.read(query),
    readSession: async (query) => history.readSession(query),
    findSessions: async (id, protocol) => history.findSessions(id, protocol),
    removals: async (query) => history.removalLines(query).map(({ line }) => toRemoval(line)),
    close: () => history[Symbol.dispose](),
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
