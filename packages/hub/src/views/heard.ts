import { isObject, type JsonObject, type ProtocolName, readTimestamp } from "@earshot/protocol";
import { type Activity, readActivities } from "@earshot/protocol/activities";
import type { Entry } from "../ledger/ledger.ts";

/** An entry of the ledger as the views hear it: what it means, and what the ledger wrote beside it. */
export interface Heard extends Place {
  readonly receivedAt: number;
  readonly kind: Entry["kind"];
  readonly verified: boolean;
  readonly agent: string;
  readonly flags: Entry["flags"];
  readonly activities: readonly Activity[];
}

/** A session, with the key that the ledger knows it by. Ids belong to their sources. */
export interface SessionName {
  readonly key: number;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly id: string;
}

/** Where something was said: the session's own number for it, the agent's clock, and where it stands in the ledger. */
export interface Place {
  readonly sequence: number | null;
  /** Milliseconds since 1970 by the agent's clock; null where it says nothing that can be read. */
  readonly ms: number | null;
  readonly position: number;
}

/** Posts travel on parallel connections, so that numbers tell more than clocks, and clocks more than arrival. */
export function isAfter(left: Place, right: Place): boolean {
  if (left.sequence !== null && right.sequence !== null && left.sequence !== right.sequence) return left.sequence > right.sequence;
  if (left.ms !== null && right.ms !== null && left.ms !== right.ms) return left.ms > right.ms;
  return left.position > right.position;
}

/** The later of two; the first where there is no second. */
export function later(known: Place | null, heard: Place): Place {
  return known === null || isAfter(heard, known) ? heard : known;
}

/** What an entry says, as JSON; undefined where its text was damaged. */
export function jsonOf({ text }: Entry): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined; // a damaged entry is the ledger's to tell of
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

export function hearingOf(entry: Entry, activities: readonly Activity[]): Heard {
  const { position, receivedAt, sequence, kind, verified, agent, flags } = entry;
  const said = activities[0]?.at;
  const ms = said === undefined ? null : (readTimestamp(said)?.ms ?? null);
  return { position, receivedAt, sequence, ms, kind, verified, agent, flags, activities };
}
