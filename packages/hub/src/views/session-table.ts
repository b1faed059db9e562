import type { SQLInputValue } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import type { SessionInfo } from "../ledger/ledger.ts";
import { numberIn, type Row, type Statements, textIn } from "../ledger/sqlite/statements.ts";
import type { Watch } from "./alerts/watch.ts";
import type { Listed, SessionStatus, SessionView, Tree } from "./api.ts";
import type { CollectorFacts } from "./collector-facts.ts";
import type { Family } from "./family.ts";
import type { Joining } from "./joining.ts";
import type { SessionFold } from "./session-fold.ts";
import { laneOf, type Reading, type SettledView, settledStatus, silentSince, statusAt, toSettledView } from "./session-view.ts";
import type { SessionsQuery } from "./views.ts";

/** Everything needed to continue folding a session. */
export interface SessionState {
  readonly fold: SessionFold;
  readonly joining: Joining;
  readonly watch: Watch;
  /** For AOP sessions. */
  readonly collector?: CollectorFacts;
}

interface StoredSession {
  readonly name: SessionInfo;
  readonly state: SessionState;
}

/** Maximum rows read per list; with a selective filter a page may be short, and `next` continues. */
const MAX_LISTED_ROWS = 2000;
const MAX_COUNTED_CHILDREN = 1000;
const MAX_FOUND_SESSIONS = 100;
const PROTOCOLS: readonly ProtocolName[] = ["aaep", "aep", "aop"];

const STATE = "key, protocol, source, id, state";

/** Table of sessions. Each call is bounded. */
export class SessionTable {
  readonly #sql: Statements;
  readonly #family: Family;

  constructor(sql: Statements, family: Family) {
    this.#sql = sql;
    this.#family = family;
  }

  load(key: number): StoredSession | undefined {
    const row = this.#sql.get(`SELECT ${STATE} FROM session WHERE key = ?`, key);
    return row === undefined ? undefined : toStored(row);
  }

  save(name: SessionInfo, state: SessionState, dueAt: number | undefined): void {
    const { fold, watch, collector } = state;
    const row: Readonly<Record<string, SQLInputValue>> = {
      ...{ key: name.key, protocol: name.protocol, source: name.source, id: name.id },
      agent: fold.agents[0] ?? "",
      lane: laneOf(settledStatus(fold, watch.questions), name.protocol, fold.beats),
      last_heard_at: fold.lastHeardAt,
      last_position: fold.lastPosition,
      conversation: fold.conversation,
      parent_said: fold.parent?.id ?? null,
      due_at: dueAt === undefined ? null : Math.ceil(dueAt),
      started_ms: collector === undefined ? null : (collector.started?.ms ?? 0),
      state: JSON.stringify(state),
    };
    const columns = Object.keys(row);
    const changes = columns.slice(4).map((column) => `${column} = excluded.${column}`);
    this.#sql.run(
      `INSERT INTO session (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
       ON CONFLICT (key) DO UPDATE SET ${changes.join(", ")}`,
      ...Object.values(row),
    );
  }

  remove(key: number): void {
    this.#sql.run("DELETE FROM session WHERE key = ?", key);
  }

  get(key: number, reading: Reading): SessionView | undefined {
    const stored = this.load(key);
    return stored === undefined ? undefined : this.#view(stored, reading);
  }

  keyOf(protocol: ProtocolName, source: string, id: string): number | undefined {
    const key = this.#sql.get("SELECT key FROM session WHERE protocol = ? AND source = ? AND id = ?", protocol, source, id)?.["key"];
    return typeof key === "number" ? key : undefined;
  }

  /** A session without its relatives and independent of the time of reading. */
  settled(key: number): SettledView | undefined {
    const stored = this.load(key);
    return stored === undefined ? undefined : settle(stored);
  }

  find(id: string, protocol: ProtocolName | undefined, reading: Reading): readonly SessionView[] {
    return this.#sql
      .all(`SELECT ${STATE} FROM session WHERE id = ? ORDER BY last_position DESC LIMIT ?`, id, MAX_FOUND_SESSIONS)
      .map((row) => this.#view(toStored(row), reading))
      .filter((view) => protocol === undefined || view.protocol === protocol);
  }

  tree(key: number, reading: Reading): Tree {
    const { nodes, cut } = this.#family.tree(key);
    return {
      nodes: nodes.flatMap(({ key: of, depth }) => {
        const view = this.get(of, reading);
        return view === undefined ? [] : [{ ...view, depth }];
      }),
      cut,
    };
  }

  /** Sessions for which the passing of time may raise an alert, ordered by that time. */
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

  list(query: SessionsQuery, reading: Reading): Listed<SessionView> {
    const before = readCursor(query.after);
    const { status, limit } = query;
    const ranges = status === undefined ? [EVERYTHING] : rangesOf(status, query.protocol ?? PROTOCOLS, reading);
    const read = ranges.map((range) => this.#range(range, query, before));
    const found = read.flat();
    found.sort(
      (left, right) => numberIn(right, "last_heard_at") - numberIn(left, "last_heard_at") || numberIn(right, "key") - numberIn(left, "key"),
    );
    const looked = found.slice(0, MAX_LISTED_ROWS);
    const items: SessionView[] = [];
    let last: Row | undefined;
    for (const row of looked) {
      if (items.length >= limit) break;
      last = row;
      if (!this.#fits(row, query)) continue;
      const view = this.get(numberIn(row, "key"), reading);
      if (view !== undefined && hasText(view, query.text)) items.push(view);
    }
    const most = this.#lookedAt(query);
    const isLast = last === undefined || (last === found.at(-1) && read.every((rows) => rows.length < most));
    return isLast || last === undefined ? { items } : { items, next: `${numberIn(last, "last_heard_at")}_${numberIn(last, "key")}` };
  }

  /** Rows to read for one page. Filters without a common index are checked row by row. */
  #lookedAt({ limit, status, agent, protocol, roots, text }: SessionsQuery): number {
    const isExact = roots !== true && text === undefined && [status, agent, protocol].filter((one) => one !== undefined).length < 2;
    const severalProtocols = protocol !== undefined && protocol.length > 1 && status === undefined;
    return isExact && !severalProtocols ? limit + 1 : MAX_LISTED_ROWS;
  }

  #fits(row: Row, { agent, protocol, roots }: SessionsQuery): boolean {
    if (agent !== undefined && row["agent"] !== agent) return false;
    if (protocol !== undefined && !protocol.some((one) => one === row["protocol"])) return false;
    return roots !== true || this.#family.parentOf(numberIn(row, "key")) === undefined;
  }

  #view({ name, state }: StoredSession, reading: Reading): SessionView {
    const settled = settle({ name, state });
    const { beats: _beats, parentSaid, ...view } = settled;
    const known = this.#family.parentOf(name.key);
    const key = known === undefined ? {} : { key: known.key };
    const parent =
      parentSaid !== undefined
        ? { ...parentSaid, ...key }
        : known !== undefined
          ? {
              ...{ id: known.id, ...key, relation: "subagent" as const, inferred: true },
              because: `the ${known.because ?? "event"} of that session names it`,
            }
          : undefined;
    return {
      ...view,
      status: statusAt(settled, reading),
      ...(parent === undefined ? {} : { parent }),
      children: this.#family.childrenOf(name.key, MAX_COUNTED_CHILDREN).length,
    };
  }

  #range(range: Range, query: SessionsQuery, before: Cursor): readonly Row[] {
    const { since, agent, protocol } = query;
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
    }
    return this.#sql.all(
      `SELECT key, last_heard_at, agent, protocol FROM session INDEXED BY ${index} WHERE ${where.join(" AND ")} ORDER BY last_heard_at DESC, key DESC LIMIT ?`,
      ...values,
      this.#lookedAt(query),
    );
  }
}

function hasText({ agent, agents, workspace, goal, model, id }: SessionView, text: string | undefined): boolean {
  if (text === undefined) return true;
  const wanted = text.toLowerCase();
  return [agent, ...agents, workspace, goal, model, id].some((one) => one?.toLowerCase().includes(wanted) === true);
}

interface Cursor {
  readonly heardAt: number;
  readonly key: number;
}

/** Sessions of one lane whose last activity lies in a time range. */
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

function toStored(row: Row): StoredSession {
  const name = {
    key: numberIn(row, "key"),
    protocol: textIn(row, "protocol") as ProtocolName,
    source: textIn(row, "source"),
    id: textIn(row, "id"),
  };
  return { name, state: JSON.parse(textIn(row, "state")) as SessionState };
}

function settle({ name, state: { fold, watch } }: StoredSession): SettledView {
  return toSettledView(name, fold, watch.questions);
}

function readCursor(text: string | undefined): Cursor {
  const match = /^(\d{1,16})_(\d{1,16})$/.exec(text ?? "");
  return match === null
    ? { heardAt: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER }
    : { heardAt: Number(match[1]), key: Number(match[2]) };
}
