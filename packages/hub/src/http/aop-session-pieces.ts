import { setImmediate as nextTurn } from "node:timers/promises";
import { membersOf } from "@earshot/protocol";
import type { Ledger, LedgerEntry, SessionCursor, SessionInfo } from "../ledger/ledger.ts";
import type { AopSessionsQuery, AopViews, CollectorSessionRow } from "../views/collector-rows.ts";

/** Events read and written per turn of the event loop. */
const PAGE_EVENTS = 100;
const PAGE_ROWS = 50;

export interface EventsQuery {
  readonly session: SessionInfo;
  /** Default: all. */
  readonly limit?: number;
  readonly after?: SessionCursor;
}

/** Events of a session in the collector's format, page by page; returns the cursor if there is more. */
export async function* eventPages(ledger: Ledger, query: EventsQuery): AsyncGenerator<readonly string[], SessionCursor | undefined> {
  const { session, limit = Number.POSITIVE_INFINITY } = query;
  let { after } = query;
  let left = limit;
  for (;;) {
    const page = await ledger.readSession({ session, limit: Math.min(left, PAGE_EVENTS), ...(after === undefined ? {} : { after }) });
    const events = page.entries.filter(({ kind }) => kind === "event").map(toCollectorLine);
    left -= page.entries.length;
    after = page.next;
    if (events.length > 0) yield events;
    if (after === undefined || left <= 0) return after;
    await nextTurn(); // others have their turn between two pages
  }
}

export interface SessionDocument {
  readonly row: CollectorSessionRow;
  readonly sources: readonly string[];
  readonly alerts: readonly object[];
  readonly events: EventsQuery;
  /** Number of entries the row does not include yet. */
  readonly behind: number;
}

/** One JSON document: the session, its events, its alerts. */
export async function* sessionPieces(ledger: Ledger, document: SessionDocument): AsyncGenerator<string> {
  const { row, sources, alerts, events, behind } = document;
  const pages = eventPages(ledger, events);
  let before = `{"session":${JSON.stringify(row)},"events":[`;
  let page = await pages.next();
  for (; page.done !== true; page = await pages.next()) {
    yield before + page.value.join(",");
    before = ",";
  }
  const next = page.value === undefined ? null : writeEventCursor(page.value);
  const head = before === "," ? "" : before;
  yield `${head}],"alerts":${JSON.stringify(alerts)},"next":${JSON.stringify(next)},"sources":${JSON.stringify(sources)}${behindMember(behind)}}`;
}

/** One event per line, without a final line break. */
export async function* exportPieces(ledger: Ledger, session: SessionInfo): AsyncGenerator<string> {
  let before = "";
  for await (const events of eventPages(ledger, { session })) {
    yield before + events.join("\n");
    before = "\n";
  }
}

/** One JSON document: the rows of a list. */
export async function* listPieces(views: AopViews, query: AopSessionsQuery, behind: number): AsyncGenerator<string> {
  let before = '{"sessions":[';
  let left = query.limit;
  let next = query.before;
  do {
    const list = await views.sessions({
      order: query.order,
      limit: Math.min(left, PAGE_ROWS),
      ...(next === undefined ? {} : { before: next }),
    });
    next = list.next;
    left -= list.rows.length;
    if (list.rows.length > 0) {
      yield before + list.rows.map((row) => JSON.stringify(row)).join(",");
      before = ",";
      await nextTurn();
    }
  } while (next !== undefined && left > 0);
  yield `${before === "," ? "" : before}],"next":${next === undefined ? null : `"${next.value}_${next.key}"`}${behindMember(behind)}}`;
}

export function writeEventCursor({ ordinal, position }: SessionCursor): string {
  return `${ordinal}_${position}`;
}

function behindMember(behind: number): string {
  return behind > 0 ? `,"behind":${behind}` : "";
}

/** Members of an event in the official collector's order, with the value for a missing one. */
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
 * An event in the collector's format on one line: known members first in the official order, then the others. Values are copied as
 * written and not parsed, so that no digit is lost.
 */
export function toCollectorLine({ text, session, agent, sequence, type }: LedgerEntry): string {
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
    // A damaged text is replaced by the stored columns, so that other events are still shown.
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
  // Line breaks only occur between tokens, where a space is equivalent.
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, " ") : json;
}
