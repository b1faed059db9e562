import type { CollectorRow } from "@earshot/protocol";
import type { SessionFold } from "./aop-session.ts";
import { totalSpend } from "./tool-spend.ts";

/** The row with what the hub knows beyond it. */
export interface SessionRow extends CollectorRow {
  readonly source: string;
  readonly agent_version: string | null;
  readonly events: number;
  /** Running, and nothing heard for a while by the hub's own clock. Derived when read; never a status. */
  readonly stalled: boolean;
  readonly last_received_at: string;
  readonly first_position: number;
  readonly last_position: number;
  /** Reported by the agent, or counted from its tool calls. */
  readonly steps_from: "reported" | "counted";
  /** Reported by the agent, or added up from its tool calls; null when nothing was said about tokens. */
  readonly tokens_from: "reported" | "summed" | null;
  /** False when a call that was reported twice may have been added twice. */
  readonly tokens_exact: boolean;
  /** Said by the session itself, or by the session that spawned it. */
  readonly parent_from: "own" | "spawn" | null;
  /** Events of the session name different parents; the one with the lowest number is shown. */
  readonly parents_disagree: boolean;
}

/** Three heartbeats. */
export const STALLED_AFTER_MS = 90_000;

/** The row without what depends on the time of reading. */
export type SettledRow = Omit<SessionRow, "stalled" | "parent_from">;

export function toSettledRow(fold: SessionFold, source: string, id: string): SettledRow {
  const started = fold.started?.text ?? EPOCH;
  const spent = totalSpend(fold.spend);
  const reportedSteps = fold.endSteps ?? fold.heartbeatStep;
  const reportedTokens = fold.endTokens ?? fold.heartbeatTokens;
  return {
    id,
    agent_id: fold.agent?.text ?? "",
    parent_session_id: fold.parent?.text ?? null,
    goal: fold.goal?.text ?? null,
    status: fold.end?.text ?? "running",
    started_at: started,
    ended_at: fold.end?.at ?? null,
    total_steps: reportedSteps ?? fold.toolStarts,
    total_tokens: reportedTokens ?? spent ?? 0,
    total_cost_usd: fold.endCostUsd,
    last_seen_at: fold.lastSeen?.text ?? started,
    source,
    agent_version: fold.version?.text ?? fold.envelopeVersion?.text ?? null,
    events: fold.events,
    last_received_at: new Date(fold.lastReceivedAt).toISOString(),
    first_position: fold.firstPosition,
    last_position: fold.lastPosition,
    steps_from: reportedSteps === null ? "counted" : "reported",
    tokens_from: reportedTokens !== null ? "reported" : spent !== undefined ? "summed" : null,
    tokens_exact: reportedTokens !== null || fold.spend.uncompared === 0,
    parents_disagree: fold.parentsDisagree,
  };
}

export interface RowContext {
  /** Milliseconds since 1970, by the hub's clock. */
  readonly now: number;
  readonly lastReceivedAt: number;
  /** The session that says it spawned this one; used when the session itself names no parent. */
  readonly spawnedBy: string | null;
}

export function toSessionRow(row: SettledRow, { now, lastReceivedAt, spawnedBy }: RowContext): SessionRow {
  const own = row.parent_session_id;
  return {
    ...row,
    parent_session_id: own ?? spawnedBy,
    parent_from: own !== null ? "own" : spawnedBy !== null ? "spawn" : null,
    stalled: row.ended_at === null && now - lastReceivedAt >= STALLED_AFTER_MS,
  };
}

const EPOCH = "1970-01-01T00:00:00.000Z";
