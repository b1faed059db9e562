import { ENTRY_KINDS, readNotes } from "@earshot/judge";
import type { Problem, ProtocolName } from "@earshot/protocol";
import type { StoredRequest } from "../request.ts";
import type { EntryFilter, LedgerEntry, SessionInfo } from "./ledger.ts";

/** A page ends at this much text, or after examining this many rows without a match. */
export const MAX_PAGE_CHARACTERS = 1 << 20;
export const MAX_ROWS_LOOKED_AT = 2000;
export const MAX_COUNTS = 1000;
/** Ordinal of entries without a number: after all numbered ones. */
export const UNNUMBERED = Number.MAX_SAFE_INTEGER;
/** The text of an erased entry; no event is empty. */
export const ERASED_TEXT = "";
/** The last valid date. A damaged value may exceed it and must not stop an export. */
const MAX_DATE_MS = 8.64e15;

/** Columns of an entry, in every database. */
export interface EntryColumns {
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
export type FoundSession = SessionInfo & { readonly cut: number };

export function toSessionInfo({ key, protocol, source, id }: SessionInfo): SessionInfo {
  return { key, protocol, source, id };
}

export function toEntry(row: EntryColumns, session: SessionInfo): LedgerEntry {
  return {
    position: row.position,
    receivedAt: Math.abs(row.received_at) <= MAX_DATE_MS ? row.received_at : 0,
    protocol: session.protocol,
    source: session.source,
    verified: row.verified === 1,
    session: session.id,
    sessionKey: session.key,
    kind: ENTRY_KINDS[row.kind] ?? "event",
    agent: row.agent,
    type: row.type,
    sequence: row.sequence,
    text: row.text,
    ...readNotes(row.notes),
  };
}

/** Whether an entry matches all given members of a filter. */
export function matchesFilter(entry: Pick<LedgerEntry, "protocol" | "session" | "agent" | "type">, filter: EntryFilter): boolean {
  const { protocol, session, agent, type } = filter;
  return (
    (session === undefined || entry.session === session) &&
    (agent === undefined || entry.agent === agent) &&
    (protocol === undefined || protocol.includes(entry.protocol)) &&
    (type === undefined || type.some((one) => (one.endsWith("*") ? entry.type.startsWith(one.slice(0, -1)) : entry.type === one)))
  );
}

export function toRequest(row: Readonly<Record<string, unknown>>): StoredRequest {
  return {
    id: row["id"] as string,
    kind: row["kind"] as StoredRequest["kind"],
    position: row["position"] as number,
    protocol: row["protocol"] as ProtocolName,
    source: row["source_name"] as string,
    session: row["session_id"] as string,
    sessionKey: row["session"] as number,
    openedAt: row["opened_at"] as number,
    deadlineAt: row["deadline_at"] as number | null,
    state: row["state"] as StoredRequest["state"],
    card: row["card"] as string,
    digest: row["digest"] as string,
    settledBy: row["settled_by"] as number | null,
  };
}

/** A damaged row must not hide the others. */
export function readProblem(text: string): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return { code: "INTERNAL", message: "Why this was refused cannot be read any more." };
  }
}
