import { isObject, type JsonObject } from "@earshot/protocol";
import type { Entry, Ledger } from "../ledger/ledger.ts";
import { outcomeOf } from "./hearing.ts";
import type { HeldRequest } from "./held-request.ts";

/** Entries of the session that are looked at in one go. */
const PAGE = 200;
/** How far is looked for one request that somebody wants to see, and for each of many. */
export const MOST_PAGES = 10;
export const FEW_PAGES = 1;

/**
 * What came of a request that this process did not carry from the beginning, as far as the ledger tells: the response that
 * was taken stands beside the event that asked, and so does what the agent said of the outcome. Looked for only when somebody
 * wants to know, and not further than so many pages.
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
