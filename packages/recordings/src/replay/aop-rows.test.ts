import { expect, it } from "vitest";
import { AopRows } from "./aop-rows.ts";
import { readRecorded } from "./recorded.ts";

function heard(...events: readonly (readonly [string, number, string, object, object?])[]): AopRows {
  const rows = new AopRows();
  for (const [session, second, type, payload, more] of events) {
    const timestamp = `2026-01-01T00:00:0${second}.000Z`;
    const event = { spec: "aop/1.0", session_id: session, agent_id: "a", sequence: second, timestamp, type, payload, ...more };
    const read = readRecorded(JSON.stringify(event), 1, undefined);
    if (read !== undefined && "text" in read) rows.hear(read);
  }
  return rows;
}

it("shows sessions as a collector does, the one that started last first, in either spelling", () => {
  const rows = heard(
    ["a", 1, "session.started", { goal: "Find it." }],
    ["b", 2, "session.started", {}, { parent_session_id: "a" }],
    ["a", 3, "session.heartbeat", { status: "running", step: 4, token_spend: 90 }],
    ["b", 4, "own.type", {}],
    ["a", 5, "session.ended", { status: "failed", metadata: { total_cost_usd: 0.5 } }],
  );
  expect(rows.list().map(({ id }) => id)).toEqual(["b", "a"]);
  expect(rows.get("a")).toEqual({
    id: "a",
    agent_id: "a",
    parent_session_id: null,
    goal: "Find it.",
    status: "failed",
    started_at: "2026-01-01T00:00:01.000Z",
    ended_at: "2026-01-01T00:00:05.000Z",
    total_steps: 4,
    total_tokens: 90,
    total_cost_usd: 0.5,
    last_seen_at: "2026-01-01T00:00:05.000Z",
  });
  expect(rows.get("b")).toMatchObject({
    parent_session_id: "a",
    status: "running",
    ended_at: null,
    last_seen_at: "2026-01-01T00:00:04.000Z",
  });
  expect(rows.get("c")).toBeUndefined();
});
