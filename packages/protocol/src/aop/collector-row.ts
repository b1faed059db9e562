/** A session as the official collector lists it: names and types are the collector's own. */
export interface AopCollectorRow {
  readonly id: string;
  readonly agent_id: string;
  readonly parent_session_id: string | null;
  readonly goal: string | null;
  readonly status: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly total_steps: number;
  readonly total_tokens: number;
  readonly total_cost_usd: number | null;
  readonly last_seen_at: string;
}
