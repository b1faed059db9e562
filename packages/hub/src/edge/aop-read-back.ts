import { membersOf } from "@earshot/protocol";
import type { Entry } from "../ledger/ledger.ts";

/** The members of an event in the order in which the official collector gives them, and what stands for a missing one. */
const MEMBERS: readonly (readonly [name: string, missing: string])[] = [
  ["spec", '"aop/1.0"'],
  ["session_id", "null"],
  ["parent_session_id", "null"],
  ["agent_id", "null"],
  ["agent_version", "null"],
  ["sequence", "null"],
  ["timestamp", "null"],
  ["type", "null"],
  ["payload", "{}"],
];
const PLACES: ReadonlyMap<string, number> = new Map(MEMBERS.map(([name], place) => [name, place]));
const PAYLOAD = MEMBERS.length - 1;

/**
 * An event as a collector's clients read it, in one line: known members first, in the official order, then all others.
 * Values are copied as they were written and never parsed, so that no digit of a number is lost.
 */
export function readBack({ text, session, agent, sequence, type }: Entry): string {
  const values: (string | undefined)[] = new Array(MEMBERS.length);
  let more = "";
  try {
    for (const [key, value] of membersOf(text)) {
      const name = key.includes("\\") ? String(JSON.parse(key)) : key.slice(1, -1);
      const place = PLACES.get(name);
      if (place === undefined) more += `,${key}:${value}`;
      else values[place] = value;
    }
  } catch {
    // A text that was damaged on disk: what the ledger wrote beside it is shown instead, and the others are still shown.
    const known = { session_id: session, agent_id: agent, sequence, type };
    for (const [name, value] of Object.entries(known)) values[PLACES.get(name) ?? PAYLOAD] = JSON.stringify(value);
    more = "";
  }
  if (values[PAYLOAD] === "null") values[PAYLOAD] = "{}";
  let json = "";
  for (let place = 0; place < MEMBERS.length; place++) {
    const [name, missing] = MEMBERS[place] as (typeof MEMBERS)[number];
    json += `${place === 0 ? "{" : ","}"${name}":${values[place] ?? missing}`;
  }
  json += `${more}}`;
  // Line breaks stand between tokens only, where a space means the same.
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, " ") : json;
}
