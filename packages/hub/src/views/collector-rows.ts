import type { AopCollectorRow } from "@earshot/protocol";
import type { SessionInfo } from "../ledger/ledger.ts";
import { nullableTextColumn, numberColumn, type SqliteRow, type Statements, textColumn } from "../ledger/sqlite/statements.ts";
import type { Alert } from "./api.ts";
import type { SessionState } from "./session-table.ts";
import type { ViewReading } from "./session-view.ts";

/** Sessions as clients of the official AOP collector read them. */
export interface AopViews {
  /** Newest first. `next` is present when there may be more. */
  sessions(query: AopSessionsQuery): Promise<AopSessionList>;
  /** Sessions with an id, newest activity first; several sources may use the same id. */
  find(id: string): Promise<readonly CollectorSessionRow[]>;
  /** By the events that raised them, latest first. */
  alerts(session: { readonly source: string; readonly id: string }, limit: number): Promise<readonly Alert[]>;
}

export interface AopSessionList {
  readonly rows: readonly CollectorSessionRow[];
  readonly next?: ListCursor;
}

export interface AopSessionsQuery {
  readonly order: "started" | "activity";
  readonly limit: number;
  readonly before?: ListCursor;
}

/** Where the previous page ended. */
export interface ListCursor {
  readonly value: number;
  readonly key: number;
}

/** The collector's row plus members only the hub knows. */
export interface CollectorSessionRow extends AopCollectorRow {
  readonly source: string;
  readonly agent_version: string | null;
  readonly events: number;
  /** Running without an event for a while, by the hub's clock. Derived when read, never stored. */
  readonly stalled: boolean;
  readonly last_received_at: string;
  readonly first_position: number;
  readonly last_position: number;
  /** Reported by the agent, or counted from its tool calls. */
  readonly steps_from: "reported" | "counted";
  /** Reported by the agent, or summed from its tool calls; null when no tokens were reported. */
  readonly tokens_from: "reported" | "summed" | null;
  /** Whether each call was counted once. */
  readonly tokens_exact: boolean;
  /** Named by the session itself or by the session that spawned it. */
  readonly parent_from: "own" | "spawn" | null;
  /** Events of the session name different parents; the one with the lowest number is shown. */
  readonly parents_disagree: boolean;
}

/** Three heartbeats. */
export const STALLED_AFTER_MS = 90_000;
const EPOCH = "1970-01-01T00:00:00.000Z";
/** Sorts after every row. */
const FROM_THE_TOP: ListCursor = { value: Number.MAX_VALUE, key: Number.MAX_SAFE_INTEGER };
const COLUMNS = `key, source, id, started_ms, last_position, state,
  (SELECT min(parent) FROM spawn WHERE spawn.protocol = 'aop' AND spawn.source = session.source AND spawn.child = session.id) AS spawned_by`;

export function listCollectorRows(
  sql: Statements,
  { order, limit, before = FROM_THE_TOP }: AopSessionsQuery,
  reading: ViewReading,
): AopSessionList {
  const column = order === "started" ? "started_ms" : "last_position";
  const rows = sql.all(
    `SELECT ${COLUMNS} FROM session WHERE started_ms IS NOT NULL AND (${column}, key) < (?, ?) ORDER BY ${column} DESC, key DESC LIMIT ?`,
    before.value,
    before.key,
    limit,
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    rows: rows.map((row) => toRow(row, reading)),
    ...(last === undefined ? {} : { next: { value: numberColumn(last, column), key: numberColumn(last, "key") } }),
  };
}

export function findCollectorRows(sql: Statements, id: string, reading: ViewReading): readonly CollectorSessionRow[] {
  return sql
    .all(`SELECT ${COLUMNS} FROM session WHERE id = ? AND protocol = 'aop' ORDER BY last_position DESC LIMIT 100`, id)
    .map((row) => toRow(row, reading));
}

function toRow(row: SqliteRow, reading: ViewReading): CollectorSessionRow {
  const state = JSON.parse(textColumn(row, "state")) as SessionState;
  return toCollectorRow({ source: textColumn(row, "source"), id: textColumn(row, "id") }, state, {
    ...reading,
    spawnedBy: nullableTextColumn(row, "spawned_by"),
  });
}

export function toCollectorRow(
  { source, id }: Pick<SessionInfo, "source" | "id">,
  { fold, collector: facts }: Pick<SessionState, "fold" | "collector">,
  { now, sleptUntil, spawnedBy }: ViewReading & { readonly spawnedBy: string | null },
): CollectorSessionRow {
  const started = facts?.started?.text ?? EPOCH;
  const own = facts?.parent?.text ?? null;
  const reportedSteps = facts?.endSteps ?? facts?.heartbeatStep ?? null;
  const reportedTokens = facts?.endTokens ?? facts?.heartbeatTokens ?? null;
  const callTokens = facts?.callTokens ?? null;
  const endedAt = facts?.end?.at ?? null;
  const wasDeaf = sleptUntil !== undefined && now - sleptUntil < STALLED_AFTER_MS;
  return {
    id,
    agent_id: facts?.agent?.text ?? "",
    parent_session_id: own ?? spawnedBy,
    goal: facts?.goal?.text ?? null,
    status: facts?.end?.text ?? "running",
    started_at: started,
    ended_at: endedAt,
    total_steps: reportedSteps ?? facts?.toolStarts ?? 0,
    total_tokens: reportedTokens ?? callTokens ?? 0,
    total_cost_usd: facts?.endCostUsd ?? null,
    last_seen_at: facts?.lastSeen?.text ?? started,
    source,
    agent_version: facts?.version?.text ?? facts?.envelopeVersion?.text ?? null,
    events: fold.events,
    last_received_at: new Date(fold.lastHeardAt).toISOString(),
    first_position: fold.firstPosition,
    last_position: fold.lastPosition,
    steps_from: reportedSteps === null ? "counted" : "reported",
    tokens_from: reportedTokens !== null ? "reported" : callTokens !== null ? "summed" : null,
    tokens_exact: true,
    parents_disagree: facts?.parentsDisagree ?? false,
    parent_from: own !== null ? "own" : spawnedBy !== null ? "spawn" : null,
    stalled: endedAt === null && !wasDeaf && now - fold.lastHeardAt >= STALLED_AFTER_MS,
  };
}
