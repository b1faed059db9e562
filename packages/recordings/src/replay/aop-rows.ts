import { type CollectorRow, isAopType, type JsonObject, payloadOf, readAmount, readText } from "@earshot/protocol";
import type { Playable } from "./recorded.ts";

const MAX_SESSIONS = 10_000;
const LISTED = 100;

/** The sessions played so far. Those without events for the longest time are evicted. */
export class AopRows {
  readonly #rows = new Map<string, CollectorRow>();

  hear({ session, value }: Playable): void {
    const row = hear(this.#rows.get(session) ?? newRow(session, value), value);
    this.#rows.delete(session);
    this.#rows.set(session, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > MAX_SESSIONS && oldest !== undefined) this.#rows.delete(oldest);
  }

  get(session: string): CollectorRow | undefined {
    return this.#rows.get(session);
  }

  /** Most recently started sessions first. */
  list(): readonly CollectorRow[] {
    return [...this.#rows.values()]
      .sort((a, b) => (a.started_at < b.started_at ? 1 : a.started_at > b.started_at ? -1 : 0))
      .slice(0, LISTED);
  }
}

function newRow(id: string, value: JsonObject): CollectorRow {
  return {
    id,
    agent_id: textOf(value["agent_id"]) ?? "",
    parent_session_id: null,
    goal: null,
    status: "running",
    started_at: textOf(value["timestamp"]) ?? "",
    ended_at: null,
    total_steps: 0,
    total_tokens: 0,
    total_cost_usd: null,
    last_seen_at: "",
  };
}

function hear(row: CollectorRow, value: JsonObject): CollectorRow {
  const { type } = value;
  const payload = payloadOf(value);
  const at = textOf(value["timestamp"]) ?? row.last_seen_at;
  const seen = { ...row, last_seen_at: at, parent_session_id: row.parent_session_id ?? textOf(value["parent_session_id"]) ?? null };
  if (typeof type !== "string" || !isAopType(type)) return seen;
  const amount = (field: string) => readAmount(type, payload, field);
  switch (type) {
    case "session.started":
      return { ...seen, goal: readText(type, payload, "goal") ?? seen.goal };
    case "session.heartbeat":
      return { ...seen, total_steps: amount("step") ?? seen.total_steps, total_tokens: amount("token_spend") ?? seen.total_tokens };
    case "session.ended":
      return {
        ...seen,
        status: readText(type, payload, "outcome") ?? "completed",
        ended_at: at,
        total_steps: amount("total_steps") ?? seen.total_steps,
        total_tokens: amount("total_tokens") ?? seen.total_tokens,
        total_cost_usd: amount("total_cost_usd") ?? seen.total_cost_usd,
      };
    default:
      return seen;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
