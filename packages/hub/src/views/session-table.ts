import type { SQLInputValue } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import type { Watch } from "./alerts/watch.ts";
import type { CollectorFacts } from "./collector-facts.ts";
import type { Family } from "./family.ts";
import type { SessionName } from "./heard.ts";
import type { Joining } from "./joining.ts";
import type { SessionFold } from "./session-fold.ts";
import { laneOf, type Reading, type SettledView, silentSince, statusAt, toSettledView } from "./session-view.ts";
import { maybeTextIn, numberIn, type Row, type Statements, textIn } from "./statements.ts";
import type { Listed, Parentage, SessionStatus, SessionsQuery, SessionView } from "./views.ts";

/** All that is needed to take a session up again. */
export interface SessionState {
  readonly fold: SessionFold;
  readonly joining: Joining;
  readonly watch: Watch;
  /** Of AOP sessions. */
  readonly collector?: CollectorFacts;
}

/** What of a session decides who its relatives are. */
interface Ties {
  readonly conversation: string | null;
  readonly parentSaid: string | null;
}

/** A list looks at no more rows than this, whatever is asked for: the page may be short then, and `next` goes on. */
const MOST_LOOKED_AT = 2000;
/** Children are counted up to here. */
const MOST_COUNTED = 1000;
const MOST_FOUND = 100;
const PROTOCOLS: readonly ProtocolName[] = ["aaep", "aep", "aop"];

const COLUMNS = `session.key, session.view, session.last_heard_at, session.parent_key, parent.id AS parent_id,
  (SELECT count(*) FROM (SELECT 1 FROM session AS child WHERE child.parent_key = session.key LIMIT ${MOST_COUNTED})) AS children,
  CASE WHEN session.parent_said IS NULL AND session.parent_key IS NOT NULL THEN
    (SELECT because FROM spawn WHERE spawn.parent_key = session.parent_key AND spawn.child IN (session.id, session.conversation)
      AND spawn.protocol = session.protocol AND spawn.source = session.source LIMIT 1) END AS because`;
const JOINED = "session LEFT JOIN session AS parent ON parent.key = session.parent_key";

/** The sessions, as rows that can be listed. Each call is bounded. */
export class SessionTable {
  readonly #sql: Statements;
  readonly #family: Family;

  constructor(sql: Statements, family: Family) {
    this.#sql = sql;
    this.#family = family;
  }

  load(key: number): { readonly name: SessionName; readonly state: SessionState } | undefined {
    const row = this.#sql.get("SELECT key, protocol, source, id, state FROM session WHERE key = ?", key);
    if (row === undefined) return undefined;
    return { name: nameOf(row), state: JSON.parse(textIn(row, "state")) as SessionState };
  }

  save(name: SessionName, state: SessionState, dueAt: number | undefined): void {
    const { fold } = state;
    const view = toSettledView(fold, name);
    const ties: Ties = { conversation: fold.conversation, parentSaid: fold.parent?.id ?? null };
    const before = this.#sql.get("SELECT conversation, parent_said FROM session WHERE key = ?", name.key);
    this.#sql.run(
      `INSERT INTO session (key, protocol, source, id, agent, lane, last_heard_at, last_position, conversation, parent_said, cost, tokens, due_at, started_ms, view, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET agent = excluded.agent, lane = excluded.lane, last_heard_at = excluded.last_heard_at,
         last_position = excluded.last_position, conversation = excluded.conversation, parent_said = excluded.parent_said,
         cost = excluded.cost, tokens = excluded.tokens, due_at = excluded.due_at, started_ms = excluded.started_ms, view = excluded.view, state = excluded.state`,
      name.key,
      name.protocol,
      name.source,
      name.id,
      view.agent,
      laneOf(view.status, name.protocol, view.beats),
      fold.lastHeardAt,
      fold.lastPosition,
      ties.conversation,
      ties.parentSaid,
      fold.spend.cost?.sum ?? null,
      fold.spend.total?.sum ?? addUp(fold.spend.input?.sum, fold.spend.output?.sum),
      dueAt === undefined ? null : Math.ceil(dueAt),
      state.collector === undefined ? null : (state.collector.started?.ms ?? 0),
      JSON.stringify(view),
      JSON.stringify(state),
    );
    const changed = before === undefined || before["conversation"] !== ties.conversation || before["parent_said"] !== ties.parentSaid;
    if (changed) this.#family.settle(name.key);
  }

  remove(key: number): void {
    this.#sql.run("DELETE FROM session WHERE key = ?", key);
    this.#family.forget(key);
  }

  get(key: number, reading: Reading): SessionView | undefined {
    const row = this.#sql.get(`SELECT ${COLUMNS} FROM ${JOINED} WHERE session.key = ?`, key);
    return row === undefined ? undefined : toView(row, reading);
  }

  keyOf(protocol: ProtocolName, source: string, id: string): number | undefined {
    const key = this.#sql.get("SELECT key FROM session WHERE protocol = ? AND source = ? AND id = ?", protocol, source, id)?.["key"];
    return typeof key === "number" ? key : undefined;
  }

  /** What is kept of a session, without who its relatives are. */
  settled(key: number): SettledView | undefined {
    const row = this.#sql.get("SELECT view FROM session WHERE key = ?", key);
    return row === undefined ? undefined : (JSON.parse(textIn(row, "view")) as SettledView);
  }

  find(id: string, protocol: ProtocolName | undefined, reading: Reading): readonly SessionView[] {
    return this.#sql
      .all(`SELECT ${COLUMNS} FROM ${JOINED} WHERE session.id = ? ORDER BY session.last_position DESC LIMIT ?`, id, MOST_FOUND)
      .map((row) => toView(row, reading))
      .filter((view) => protocol === undefined || view.protocol === protocol);
  }

  childrenOf(key: number, limit: number): readonly number[] {
    return this.#sql
      .all("SELECT key FROM session WHERE parent_key = ? ORDER BY key LIMIT ?", key, limit)
      .map((row) => numberIn(row, "key"));
  }

  parentOf(key: number): number | undefined {
    const parent = this.#sql.get("SELECT parent_key FROM session WHERE key = ?", key)?.["parent_key"];
    return typeof parent === "number" ? parent : undefined;
  }

  /** Sessions about which the passing of time may have something to say, and when it may next. */
  dueBy(now: number, after: { readonly dueAt: number; readonly key: number }, limit: number): readonly { dueAt: number; key: number }[] {
    return this.#sql
      .all(
        "SELECT due_at, key FROM session WHERE due_at <= ? AND (due_at, key) > (?, ?) ORDER BY due_at, key LIMIT ?",
        now,
        after.dueAt,
        after.key,
        limit,
      )
      .map((row) => ({ dueAt: numberIn(row, "due_at"), key: numberIn(row, "key") }));
  }

  nextDueAfter(now: number): number | undefined {
    const due = this.#sql.get("SELECT min(due_at) AS due FROM session WHERE due_at > ?", now)?.["due"];
    return typeof due === "number" ? due : undefined;
  }

  /** Those heard last come first. */
  list(query: SessionsQuery, reading: Reading): Listed<SessionView> {
    const before = readCursor(query.after);
    const { status, limit } = query;
    const ranges = status === undefined ? [EVERYTHING] : rangesOf(status, query.protocol ?? PROTOCOLS, reading);
    const read = ranges.map((range) => this.#range(range, query, before));
    const found = read.flat();
    found.sort(
      (left, right) => numberIn(right, "last_heard_at") - numberIn(left, "last_heard_at") || numberIn(right, "key") - numberIn(left, "key"),
    );
    const looked = found.slice(0, MOST_LOOKED_AT);
    const items: SessionView[] = [];
    let last: Row | undefined;
    for (const row of looked) {
      if (items.length >= limit) break;
      last = row;
      if (!fits(row, query)) continue;
      const view = this.get(numberIn(row, "key"), reading);
      if (view !== undefined) items.push(view);
    }
    const most = this.#lookedAt(query);
    const isLast = last === undefined || (last === found.at(-1) && read.every((rows) => rows.length < most));
    return isLast || last === undefined ? { items } : { items, next: `${numberIn(last, "last_heard_at")}_${numberIn(last, "key")}` };
  }

  /** What the indexes cannot tell apart is looked at row by row. */
  #lookedAt({ limit, status, agent, protocol, roots }: SessionsQuery): number {
    const isExact = [status, agent, protocol, roots === true ? true : undefined].filter((one) => one !== undefined).length < 2;
    const severalProtocols = protocol !== undefined && protocol.length > 1 && status === undefined;
    return isExact && !severalProtocols ? limit + 1 : MOST_LOOKED_AT;
  }

  #range(range: Range, query: SessionsQuery, before: Cursor): readonly Row[] {
    const { since, agent, protocol, roots } = query;
    const where: string[] = ["(last_heard_at, key) < (?, ?)"];
    const values: SQLInputValue[] = [before.heardAt, before.key];
    const oldest = Math.max(range.after, since === undefined ? Number.NEGATIVE_INFINITY : since - 1);
    if (oldest > Number.NEGATIVE_INFINITY) {
      where.push("last_heard_at > ?");
      values.push(oldest);
    }
    if (range.upTo < Number.POSITIVE_INFINITY) {
      where.push("last_heard_at <= ?");
      values.push(range.upTo);
    }
    let index = "session_heard";
    if (range.lane !== undefined) {
      index = "session_lane";
      where.push("lane = ?");
      values.push(range.lane);
    } else if (agent !== undefined) {
      index = "session_agent";
      where.push("agent = ?");
      values.push(agent);
    } else if (protocol?.length === 1 && protocol[0] !== undefined) {
      index = "session_protocol";
      where.push("protocol = ?");
      values.push(protocol[0]);
    } else if (roots === true) {
      index = "session_roots";
      where.push("parent_key IS NULL");
    }
    return this.#sql.all(
      `SELECT key, last_heard_at, agent, protocol, parent_key FROM session INDEXED BY ${index} WHERE ${where.join(" AND ")} ORDER BY last_heard_at DESC, key DESC LIMIT ?`,
      ...values,
      this.#lookedAt(query),
    );
  }
}

interface Cursor {
  readonly heardAt: number;
  readonly key: number;
}

/** Sessions of one lane that were heard last after one moment and not after another. */
interface Range {
  readonly lane?: string;
  readonly after: number;
  readonly upTo: number;
}

const EVERYTHING: Range = { after: Number.NEGATIVE_INFINITY, upTo: Number.POSITIVE_INFINITY };

function rangesOf(statuses: readonly SessionStatus[], protocols: readonly ProtocolName[], reading: Reading): readonly Range[] {
  const ranges: Range[] = [];
  for (const status of new Set(statuses)) {
    for (const protocol of new Set(protocols)) {
      for (const beats of [true, false]) {
        const silent = silentSince(reading, beats);
        const lane = laneOf(status === "stalled" ? "running" : status, protocol, beats);
        if (status === "running") ranges.push({ lane, after: silent, upTo: Number.POSITIVE_INFINITY });
        else if (status !== "stalled") ranges.push({ ...EVERYTHING, lane });
        else if (silent > Number.NEGATIVE_INFINITY) ranges.push({ lane, after: Number.NEGATIVE_INFINITY, upTo: silent });
      }
    }
  }
  return ranges;
}

function fits(row: Row, { agent, protocol, roots }: SessionsQuery): boolean {
  if (agent !== undefined && row["agent"] !== agent) return false;
  if (protocol !== undefined && !protocol.some((one) => one === row["protocol"])) return false;
  return roots !== true || row["parent_key"] === null;
}

function toView(row: Row, reading: Reading): SessionView {
  const settled = JSON.parse(textIn(row, "view")) as SettledView;
  const { beats: _beats, parentSaid, ...view } = settled;
  const key = row["parent_key"];
  const parentId = maybeTextIn(row, "parent_id");
  const known = typeof key === "number" ? { key } : {};
  const spawned: Parentage | undefined =
    parentId === null
      ? undefined
      : {
          id: parentId,
          ...known,
          relation: "subagent",
          inferred: true,
          because: `the ${maybeTextIn(row, "because") ?? "event"} of that session names it`,
        };
  const parent = parentSaid === undefined ? spawned : { ...parentSaid, ...known };
  return {
    ...view,
    status: statusAt(settled, reading),
    ...(parent === undefined ? {} : { parent }),
    children: numberIn(row, "children"),
  };
}

function nameOf(row: Row): SessionName {
  return {
    key: numberIn(row, "key"),
    protocol: textIn(row, "protocol") as ProtocolName,
    source: textIn(row, "source"),
    id: textIn(row, "id"),
  };
}

function readCursor(text: string | undefined): Cursor {
  const match = /^(\d{1,16})_(\d{1,16})$/.exec(text ?? "");
  return match === null
    ? { heardAt: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER }
    : { heardAt: Number(match[1]), key: Number(match[2]) };
}

function addUp(left: number | undefined, right: number | undefined): number | null {
  return left === undefined && right === undefined ? null : Math.min((left ?? 0) + (right ?? 0), Number.MAX_SAFE_INTEGER);
}
