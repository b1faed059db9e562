import type { ProtocolName } from "@earshot/protocol";
import type { Entry, Filter, SessionInfo } from "../ledger.ts";

export const KINDS = ["event", "message", "decision", "late-decision"] as const satisfies readonly Entry["kind"][];
export const EVENT = 0;
export const MESSAGE = 1;
export const DECISION = 2;
export const LATE_DECISION = 3;

/** How the text of an entry reads that was erased: nothing that was said is empty. */
export const ERASED_TEXT = "";

/** Columns of an entry as they are read, in this order. */
export const ENTRY_COLUMNS = "position, session, received_at, kind, verified, type, agent, sequence, notes, text";

/** In SQL: the highest position that an entry was ever given, as far as the file knows. */
export const HIGHEST_EVER =
  "max(ifnull((SELECT max(position) FROM entry), 0), ifnull((SELECT max(up_to) FROM tombstone), 0), ifnull((SELECT max(up_to) FROM seal), 0))";

/** `node:sqlite` gives rows of unknown shape; ours are STRICT tables that only we write. */
export interface EntryRow {
  readonly position: number;
  readonly session: number;
  readonly received_at: number;
  readonly kind: number;
  readonly verified: number;
  readonly type: string;
  readonly agent: string;
  readonly sequence: number | null;
  readonly notes: string | null;
  readonly text: string;
}

export interface SessionRow {
  readonly key: number;
  readonly source: number;
  readonly id: string;
  readonly protocol: ProtocolName;
  readonly name: string;
}

export const SESSION_COLUMNS = "session.key, session.source, session.id, source.protocol, source.name";
export const SESSION_JOIN = "session JOIN source ON source.key = session.source";

export function toSessionInfo({ key, protocol, name, id }: SessionRow): SessionInfo {
  return { key, protocol, source: name, id };
}

/** Whether an entry is asked for. Which session it belongs to is for the query to say. */
export function fits(row: EntryRow, session: SessionInfo, { protocol, type, agent }: Filter): boolean {
  if (row.text === ERASED_TEXT) return false; // there is nothing left to be told
  if (protocol !== undefined && !protocol.includes(session.protocol)) return false;
  if (agent !== undefined && row.agent !== agent) return false;
  return type === undefined || type.some((one) => (one.endsWith("*") ? row.type.startsWith(one.slice(0, -1)) : row.type === one));
}
