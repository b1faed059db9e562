import { setImmediate } from "node:timers/promises";
import type { ProtocolName } from "@earshot/protocol";
import type {
  Alert,
  CallView,
  CostTable,
  Listed,
  SearchHit,
  SessionCourse,
  SessionGrade,
  SessionLane,
  SessionTree,
  SessionView,
  StoryPage,
} from "./api.ts";
import { toCallView, toLaneSpans } from "./call-fold.ts";
import {
  type AopSessionList,
  type AopSessionsQuery,
  type CollectorSessionRow,
  findCollectorRows,
  listCollectorRows,
} from "./collector-rows.ts";
import { CourseBuckets } from "./course-buckets.ts";
import type { LedgerReading } from "./ledger-reading.ts";
import { sessionEndOf } from "./session-fold.ts";
import { toGrade, type ViewReading } from "./session-view.ts";
import { readStory } from "./story.ts";
import type { ViewTables } from "./view-tables.ts";
import type { AlertsQuery, CallsQuery, CostsQuery, CourseQuery, LanesQuery, SearchQuery, SessionsQuery, ViewsStoryQuery } from "./views.ts";

const MAX_LANE_CALLS = 300;
/** Calls read in one turn of the event loop. */
const MAX_COURSE_CALLS = 500;

/** Queries of the tables, one page at a time, each a few milliseconds. */
export class ViewQuestions {
  readonly #ledger: LedgerReading;
  readonly #tables: ViewTables;

  constructor(ledger: LedgerReading, tables: ViewTables) {
    this.#ledger = ledger;
    this.#tables = tables;
  }

  async sessions(query: SessionsQuery, reading: ViewReading): Promise<Listed<SessionView>> {
    return this.#tables.sessions.list(query, reading);
  }

  async session(key: number, reading: ViewReading): Promise<SessionView | undefined> {
    return this.#tables.sessions.get(key, reading);
  }

  async find(id: string, protocol: ProtocolName | undefined, reading: ViewReading): Promise<readonly SessionView[]> {
    return this.#tables.sessions.find(id, protocol, reading);
  }

  async tree(key: number, reading: ViewReading): Promise<SessionTree> {
    return this.#tables.sessions.tree(key, reading);
  }

  story(query: ViewsStoryQuery): Promise<StoryPage> {
    return readStory(query, this.#ledger, this.#tables);
  }

  async calls({ session, after, limit }: CallsQuery): Promise<Listed<CallView>> {
    const { calls, sessions } = this.#tables;
    const match = /^(\d{1,16})_(.*)$/s.exec(after ?? "");
    const from = match === null ? { position: 0, name: "" } : { position: Number(match[1]), name: match[2] ?? "" };
    const stored = sessions.load(session);
    const ended = stored !== undefined && sessionEndOf(stored.state.fold) !== null;
    const rows = calls.calls(session, from, limit + 1);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const items = rows.slice(0, limit).map(({ fold }) => toCallView(fold, session, ended));
    return last === undefined ? { items } : { items, next: `${last.position}_${last.name}` };
  }

  async course({ session, buckets }: CourseQuery, reading: ViewReading): Promise<SessionCourse | undefined> {
    const { calls, sessions } = this.#tables;
    const view = sessions.get(session, reading);
    if (view === undefined) return undefined;
    const course = new CourseBuckets(view.firstEventAt, view.lastEventAt, buckets);
    for (let after = { position: 0, name: "" }; ; ) {
      const rows = calls.calls(session, after, MAX_COURSE_CALLS);
      for (const { fold } of rows) for (const span of toLaneSpans(fold)) course.add(span);
      const last = rows.at(-1);
      if (last === undefined || rows.length < MAX_COURSE_CALLS) return course.toCourse();
      after = last;
      await setImmediate(); // other questions have their turn
    }
  }

  async lanes({ since, limit }: LanesQuery, reading: ViewReading): Promise<Listed<SessionLane>> {
    const { sessions, calls } = this.#tables;
    const { items, next } = sessions.list({ since, limit }, reading);
    const lanes = items
      .filter(({ lastEventAt }) => lastEventAt >= since)
      .map((session): SessionLane => {
        const spans = calls.lastCalls(session.key, MAX_LANE_CALLS).flatMap(toLaneSpans);
        return { session, spans: spans.filter(({ to }) => (to ?? since) >= since).sort((one, other) => one.from - other.from) };
      });
    return next === undefined ? { items: lanes } : { items: lanes, next };
  }

  async costs(query: CostsQuery): Promise<CostTable> {
    const { costs, sessions } = this.#tables;
    return costs.read(query, (key) => sessions.load(key)?.name.id);
  }

  async alerts(query: AlertsQuery): Promise<Listed<Alert>> {
    return this.#tables.alerts.list(query);
  }

  async search(query: SearchQuery): Promise<Listed<SearchHit>> {
    const { search, sessions } = this.#tables;
    const { items, next, cut } = search.search(query);
    const found = items.flatMap((hit): readonly SearchHit[] => {
      const name = sessions.load(hit.session)?.name;
      return name === undefined ? [] : [{ ...hit, sessionId: name.id, protocol: name.protocol }];
    });
    return { items: found, ...(next === undefined ? {} : { next }), ...(cut ? { cut } : {}) };
  }

  async grade(key: number): Promise<SessionGrade | undefined> {
    const loaded = this.#tables.sessions.load(key);
    return loaded === undefined ? undefined : toGrade(loaded.state.fold);
  }

  async aopSessions(query: AopSessionsQuery, reading: ViewReading): Promise<AopSessionList> {
    return listCollectorRows(this.#tables.sql, query, reading);
  }

  async aopFind(id: string, reading: ViewReading): Promise<readonly CollectorSessionRow[]> {
    return findCollectorRows(this.#tables.sql, id, reading);
  }

  async aopAlerts({ source, id }: { readonly source: string; readonly id: string }, limit: number): Promise<readonly Alert[]> {
    const key = this.#tables.sessions.keyOf("aop", source, id);
    return key === undefined ? [] : this.#tables.alerts.newestOf(key, limit);
  }
}
