import type { SQLInputValue } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import type { SessionInfo } from "../ledger/ledger.ts";
import { numberColumn, type SqliteRow, type Statements, textColumn } from "../ledger/sqlite/statements.ts";
import type { SessionWatch } from "./alerts/watch.ts";
import type { Listed, SessionTree, SessionView } from "./api.ts";
import type { CollectorFacts } from "./collector-facts.ts";
import { PARENT, type SessionFamilies } from "./family.ts";
import type { JoinState } from "./joining.ts";
import type { SessionFold } from "./session-fold.ts";
import { type SilenceLimits, settledStatus, silentSince, toSessionView, type ViewReading } from "./session-view.ts";
import type { SessionsQuery } from "./views.ts";

/** Everything needed to continue folding a session. */
export interface SessionState {
  readonly fold: SessionFold;
  readonly joining: JoinState;
  readonly watch: SessionWatch;
  /** For AOP sessions. */
  readonly collector?: CollectorFacts;
}

interface StoredSession {
  readonly name: SessionInfo;
  readonly state: SessionState;
}

/** Maximum sessions per page in which a text is looked for; such a page may be short, and `next` continues. */
const MAX_SEARCHED_ROWS = 2000;
const MAX_COUNTED_CHILDREN = 1000;
const MAX_FOUND_SESSIONS = 100;
/** As in `toSessionView`. */
const STATUS = "CASE WHEN status = 'running' AND last_heard_at <= iif(beats, ?, ?) THEN 'stalled' ELSE status END";

const STATE = "key, protocol, source, id, state";

/** Table of sessions. */
export class SessionViewTable {
  readonly #sql: Statements;
  readonly #family: SessionFamilies;
  readonly #limits: SilenceLimits;

  constructor(sql: Statements, family: SessionFamilies, limits: SilenceLimits) {
    this.#sql = sql;
    this.#family = family;
    this.#limits = limits;
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
      status: settledStatus(fold, watch.questions),
      beats: fold.beats ? 1 : 0,
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

  get(key: number, reading: ViewReading): SessionView | undefined {
    const stored = this.load(key);
    return stored === undefined ? undefined : this.#view(stored, reading);
  }

  keyOf(protocol: ProtocolName, source: string, id: string): number | undefined {
    const key = this.#sql.get("SELECT key FROM session WHERE protocol = ? AND source = ? AND id = ?", protocol, source, id)?.["key"];
    return typeof key === "number" ? key : undefined;
  }

  find(id: string, protocol: ProtocolName | undefined, reading: ViewReading): readonly SessionView[] {
    return this.#sql
      .all(`SELECT ${STATE} FROM session WHERE id = ? ORDER BY last_position DESC LIMIT ?`, id, MAX_FOUND_SESSIONS)
      .map((row) => this.#view(toStored(row), reading))
      .filter((view) => protocol === undefined || view.protocol === protocol);
  }

  tree(key: number, reading: ViewReading): SessionTree {
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
      .map((row) => ({ dueAt: numberColumn(row, "due_at"), key: numberColumn(row, "key") }));
  }

  nextDueAfter(now: number): number | undefined {
    const due = this.#sql.get("SELECT min(due_at) AS due FROM session WHERE due_at > ?", now)?.["due"];
    return typeof due === "number" ? due : undefined;
  }

  list({ after, limit, status, protocol, agent, since, roots, text }: SessionsQuery, reading: ViewReading): Listed<SessionView> {
    const before = readCursor(after);
    const wanted: readonly (readonly [condition: string, ...values: SQLInputValue[]])[] = [
      ["(last_heard_at, key) < (?, ?)", before.heardAt, before.key],
      ...(since === undefined ? [] : [["last_heard_at >= ?", since] as const]),
      ...(agent === undefined ? [] : [["agent = ?", agent] as const]),
      ...(protocol === undefined ? [] : [["protocol IN (SELECT value FROM json_each(?))", JSON.stringify(protocol)] as const]),
      ...(status === undefined
        ? []
        : [
            [
              `${STATUS} IN (SELECT value FROM json_each(?))`,
              silentSince(reading, this.#limits, true),
              silentSince(reading, this.#limits, false),
              JSON.stringify(status),
            ] as const,
          ]),
      ...(roots === true ? [[`${PARENT} IS NULL`] as const] : []),
    ];
    const rows = this.#sql.iterate(
      `SELECT ${STATE}, last_heard_at FROM session AS child WHERE ${wanted.map(([condition]) => condition).join(" AND ")}
       ORDER BY last_heard_at DESC, key DESC LIMIT ?`,
      ...wanted.flatMap(([, ...values]) => values),
      (text === undefined ? limit : MAX_SEARCHED_ROWS) + 1,
    );
    const items: SessionView[] = [];
    let looked = 0;
    let last: SqliteRow | undefined;
    for (const row of rows) {
      if (last !== undefined && (items.length >= limit || looked >= MAX_SEARCHED_ROWS)) {
        return { items, next: `${numberColumn(last, "last_heard_at")}_${numberColumn(last, "key")}` };
      }
      const view = this.#view(toStored(row), reading);
      if (hasText(view, text)) items.push(view);
      looked++;
      last = row;
    }
    return { items };
  }

  #view({ name, state }: StoredSession, reading: ViewReading): SessionView {
    const { key } = name;
    const children = this.#family.childrenOf(key, MAX_COUNTED_CHILDREN).length;
    const { lastHeardAt, beats } = state.fold;
    const isSilent = lastHeardAt <= silentSince(reading, this.#limits, beats);
    return toSessionView(name, state, isSilent, { parent: this.#family.parentOf(key), children });
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

function toStored(row: SqliteRow): StoredSession {
  const name = {
    key: numberColumn(row, "key"),
    protocol: textColumn(row, "protocol") as ProtocolName,
    source: textColumn(row, "source"),
    id: textColumn(row, "id"),
  };
  return { name, state: JSON.parse(textColumn(row, "state")) as SessionState };
}

function readCursor(text: string | undefined): Cursor {
  const match = /^(\d{1,16})_(\d{1,16})$/.exec(text ?? "");
  return match === null
    ? { heardAt: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER }
    : { heardAt: Number(match[1]), key: Number(match[2]) };
}
