import type { Entry, SessionInfo } from "../ledger.ts";
import { readNotes } from "../notes.ts";
import { type EntryRow, KINDS } from "./rows.ts";

/** The last one that a date can hold. What was damaged on disk may be past it, and must not stop whoever writes it out. */
const LAST_MOMENT = 8.64e15;

export function toEntry(row: EntryRow, session: SessionInfo): Entry {
  const notes = readNotes(row.notes);
  return {
    position: row.position,
    receivedAt: Math.abs(row.received_at) <= LAST_MOMENT ? row.received_at : 0,
    protocol: session.protocol,
    source: session.source,
    verified: row.verified === 1,
    session: session.id,
    sessionKey: session.key,
    kind: KINDS[row.kind] ?? "event",
    agent: row.agent,
    type: row.type,
    sequence: row.sequence,
    text: row.text,
    ...notes,
  };
}
