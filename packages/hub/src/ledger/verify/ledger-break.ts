import type { DatabaseSync } from "node:sqlite";

/** Possible breaks of a ledger. Programs match on these; people read the message. */
export const BREAKS = {
  unreadable: "the file cannot be opened as a ledger",
  damaged: "the file cannot be read any further",
  schema: "tables, indexes or triggers are not those of a ledger",
  "wrong-type": "a value is not of the kind that belongs there",
  index: "an index does not find what is stored",
  "session-unknown": "an entry belongs to no session",
  "session-changed": "a session's row does not say what its entries are",
  "request-changed": "the table of requests does not say what the entries say",
  unsigned: "entries have had no signature for longer than a minute",
  "entry-changed": "an entry does not follow from the one before it",
  "entry-missing": "an entry that was sealed is not there",
  "entry-added": "an entry is there that was not when its place was sealed",
  "seal-missing": "a seal is not there",
  "seal-changed": "a seal is not what was signed",
  "seal-file": "the file of seals is not what the ledger has",
  "tombstone-missing": "a tombstone is not there",
  "tombstone-changed": "a tombstone is not what was signed",
} as const;

export type BreakKind = keyof typeof BREAKS;

export interface BrokenSession {
  readonly key: number;
  readonly protocol: string;
  readonly source: string;
  readonly id: string;
}

/** The first place where the ledger differs from what the hub wrote. */
export interface LedgerBreak {
  readonly what: BreakKind;
  /** The position; left out if it concerns no entry. */
  readonly position?: number;
  readonly session?: BrokenSession;
  /** A description of the fault and its position. */
  readonly message: string;
}

/** The earlier break; one with a position precedes one without. */
export function earlierBreak(one: LedgerBreak | undefined, other: LedgerBreak | undefined): LedgerBreak | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (other.position ?? Number.POSITIVE_INFINITY) < (one.position ?? Number.POSITIVE_INFINITY) ? other : one;
}

export function brokenSessionName({ protocol, source, id }: BrokenSession): string {
  return `session ${JSON.stringify(id)} (${protocol}, ${source})`;
}

/** Undefined if there is no such session, or its source is missing. */
export function findBrokenSession(db: DatabaseSync, key: number): BrokenSession | undefined {
  const sql =
    "SELECT session.key, protocol, name AS source, id FROM session JOIN source ON source.key = session.source WHERE session.key = ?";
  return db.prepare(sql).get(key) as unknown as BrokenSession | undefined;
}
