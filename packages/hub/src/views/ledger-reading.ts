import { isObject, type JsonObject, readTimestamp } from "@earshot/protocol";
import { type Activity, readActivities } from "@earshot/protocol/activities";
import type { Entry, Ledger, SessionInfo } from "../ledger/ledger.ts";

/** The part of a ledger that views read. */
export type LedgerReading = Pick<Ledger, "head" | "read" | "readSession" | "removals">;

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

/** An entry of the ledger as the views fold it: what it means, and what the ledger stored with it. */
export interface ReadEntry extends Place {
  readonly receivedAt: number;
  readonly kind: Entry["kind"];
  readonly verified: boolean;
  readonly agent: string;
  readonly flags: Entry["flags"];
  readonly activities: readonly Activity[];
}

/** The place of an entry in its session: the session's own number for it, the agent's clock, and the position in the ledger. */
export interface Place {
  readonly sequence: number | null;
  /** Milliseconds since 1970 by the agent's clock; null where the timestamp cannot be read. */
  readonly ms: number | null;
  readonly position: number;
}

/** Posts travel on parallel connections: sequence numbers count before clocks, and clocks before arrival. */
export function isAfter(left: Place, right: Place): boolean {
  if (left.sequence !== null && right.sequence !== null && left.sequence !== right.sequence) return left.sequence > right.sequence;
  if (left.ms !== null && right.ms !== null && left.ms !== right.ms) return left.ms > right.ms;
  return left.position > right.position;
}

/** The later of two; the first where there is no second. */
export function later(known: Place | null, place: Place): Place {
  return known === null || isAfter(place, known) ? place : known;
}

/** The text of an entry as JSON; undefined where it is damaged. */
export function jsonOf({ text }: Entry): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined; // verification of the ledger reports damaged entries
  }
}

/** What an entry means. Events and messages are read by their protocol; decisions are the hub's own. */
export function activitiesOf(entry: Entry, value: JsonObject): readonly Activity[] {
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

export function toReadEntry(entry: Entry, activities: readonly Activity[]): ReadEntry {
  const { position, receivedAt, sequence, kind, verified, agent, flags } = entry;
  const said = activities[0]?.at;
  const ms = said === undefined ? null : (readTimestamp(said)?.ms ?? null);
  return { position, receivedAt, sequence, ms, kind, verified, agent, flags, activities };
}
