import { isObject, type JsonObject } from "@earshot/protocol";
import type { Entry, Ledger } from "../ledger/ledger.ts";
import { outcomeOf } from "./hearing.ts";
import type { HeldRequest } from "./held-request.ts";

/** Entries of the session read at once. */
const PAGE = 200;
/** Maximum pages searched for one displayed request, and for each of many. */
export const MAX_PAGES = 10;
export const FEW_PAGES = 1;

/**
 * The aftermath of a request that this process did not carry from the start, from the ledger: the response beside the asking event, and
 * the agent's report of the outcome. Searched on demand, up to a number of pages.
 */
export async function recall(ledger: Ledger, held: HeldRequest, pages: number): Promise<void> {
  const { row, recalled, card } = held;
  if (row === undefined || recalled === undefined || recalled.pages >= pages || isComplete(held)) return;
  const session = { key: row.sessionKey, protocol: row.protocol, source: row.source, id: row.session };
  let { position } = recalled;
  for (let page = recalled.pages; page < pages && !isComplete(held); page++) {
    const { entries, next } = await ledger.readSession({ session, limit: PAGE, after: { ordinal: position, position } });
    for (const entry of entries) learn(held, entry, card.terms.action);
    position = entries.at(-1)?.position ?? position;
    held.recalled = { pages: next === undefined ? pages : page + 1, position };
    if (next === undefined) return;
  }
}

function isComplete({ takenAt, outcome }: HeldRequest): boolean {
  return takenAt !== undefined && outcome !== undefined;
}

function learn(held: HeldRequest, { position, kind, type, text, receivedAt }: Entry, action: string | null): void {
  if (position === held.row?.position) {
    const id = objectIn(text)["id"];
    if (held.eventId === "" && typeof id === "string") held.eventId = id;
  } else if (kind === "message") {
    if (type === "response" && objectIn(text)["request_event_id"] === held.eventId) held.takenAt ??= receivedAt;
  } else if (kind === "event" && action !== null) {
    const outcome = outcomeOf(type);
    if (outcome === undefined) return;
    const about = objectIn(text)["action"];
    if (isObject(about) && about["id"] === action) held.outcome ??= outcome;
  }
}

function objectIn(text: string): JsonObject {
  return JSON.parse(text) as JsonObject; // it was read before it was stored
}
