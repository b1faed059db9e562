import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ledger, SessionCursor, SessionInfo } from "../ledger/ledger.ts";
import type { SessionRow } from "../views/aop-session-row.ts";
import type { AopSessionsQuery, AopViews } from "../views/aop-views.ts";
import { readBack } from "./aop-read-back.ts";

/** As much as is read and written in one turn of the event loop. */
const PAGE_EVENTS = 100;
const PAGE_ROWS = 50;

export interface EventsQuery {
  readonly session: SessionInfo;
  /** All of them when left out. */
  readonly limit?: number;
  readonly after?: SessionCursor;
}

/** Events of a session as a collector's clients read them, page by page; returns where to go on, if there is more. */
export async function* eventPages(ledger: Ledger, query: EventsQuery): AsyncGenerator<readonly string[], SessionCursor | undefined> {
  const { session, limit = Number.POSITIVE_INFINITY } = query;
  let { after } = query;
  let left = limit;
  for (;;) {
    const page = await ledger.readSession({ session, limit: Math.min(left, PAGE_EVENTS), ...(after === undefined ? {} : { after }) });
    const events = page.entries.filter(({ kind }) => kind === "event").map(readBack);
    left -= page.entries.length;
    after = page.next;
    if (events.length > 0) yield events;
    if (after === undefined || left <= 0) return after;
    await nextTurn(); // others have their turn between two pages
  }
}

export interface SessionDocument {
  readonly row: SessionRow;
  readonly sources: readonly string[];
  readonly alerts: readonly object[];
  readonly events: EventsQuery;
  /** How many entries the row does not know of yet. */
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

/** One event per line, without a line break at the end. */
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
