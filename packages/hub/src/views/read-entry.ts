import { isObject, type JsonObject, readTimestamp } from "@earshot/protocol";
import { type Activity, readActivities } from "@earshot/translate";
import type { Entry } from "../ledger/ledger.ts";
import type { Heard } from "./heard.ts";

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
