import { isObject, type JsonObject, readTimestamp } from "@earshot/protocol";
import { type Activity, readActivities } from "@earshot/protocol/activities";
import type { Ledger, LedgerEntry, SessionInfo } from "../ledger/ledger.ts";

/** The part of a ledger that views read. */
export type LedgerReading = Pick<Ledger, "head" | "read" | "readSession" | "removals">;

/** Entries of one session after a position, in order of arrival. */
export async function readEntriesAfter(
  ledger: LedgerReading,
  session: SessionInfo,
  after: number,
  limit: number,
): Promise<readonly LedgerEntry[]> {
  const { key, id, protocol } = session;
  for (let from = after; ; ) {
    // Other sources may have sessions with the same id.
    const page = await ledger.read({ after: from, limit, filter: { protocol: [protocol], session: id } });
    const entries = page.entries.filter((entry) => entry.sessionKey === key);
    if (entries.length > 0 || page.upTo <= from) return entries;
    from = page.upTo;
  }
}

/** A ledger entry as the views fold it: its activities and the stored columns. */
export interface ViewEntry extends EntryPlace {
  readonly receivedAt: number;
  readonly kind: LedgerEntry["kind"];
  readonly verified: boolean;
  readonly agent: string;
  readonly flags: LedgerEntry["flags"];
  readonly activities: readonly Activity[];
}

/** The place of an entry in its session: the session's own sequence number, the agent's clock, and the ledger position. */
export interface EntryPlace {
  readonly sequence: number | null;
  /** Unix milliseconds by the agent's clock; null when the timestamp is unreadable. */
  readonly ms: number | null;
  readonly position: number;
}

/** Posts may travel on parallel connections: sequence numbers take precedence over clocks, and clocks over arrival. */
export function isAfter(left: EntryPlace, right: EntryPlace): boolean {
  if (left.sequence !== null && right.sequence !== null && left.sequence !== right.sequence) return left.sequence > right.sequence;
  if (left.ms !== null && right.ms !== null && left.ms !== right.ms) return left.ms > right.ms;
  return left.position > right.position;
}

/** The later of two places. */
export function laterPlace(known: EntryPlace | null, place: EntryPlace): EntryPlace {
  return known === null || isAfter(place, known) ? place : known;
}

/** The parsed text of an entry; undefined when it is damaged. */
export function jsonOf({ text }: LedgerEntry): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined; // verification of the ledger reports damaged entries
  }
}

/** The activities of an entry. Events and messages are read by their protocol; decisions are the hub's own. */
export function activitiesOf(entry: LedgerEntry, value: JsonObject): readonly Activity[] {
  const { protocol, session, agent, type, kind } = entry;
  if (kind === "event" || kind === "message") return readActivities(protocol, value, { session, agent, type, kind });
  const base = { protocol, type, session, agent };
  if (kind === "late-decision") return [{ ...base, kind: "custom", data: value }];
  const answer = value["answer"];
  const reason = value["reason"];
  return [
    {
      ...base,
      kind: "request.answered",
      answer: typeof answer === "string" ? answer : JSON.stringify(answer ?? ""),
      by: agent,
      ...(typeof reason === "string" ? { reason } : {}),
    },
  ];
}

export function toViewEntry(entry: LedgerEntry, activities: readonly Activity[]): ViewEntry {
  const { position, receivedAt, sequence, kind, verified, agent, flags } = entry;
  const said = activities[0]?.at;
  const ms = said === undefined ? null : (readTimestamp(said)?.ms ?? null);
  return { position, receivedAt, sequence, ms, kind, verified, agent, flags, activities };
}
