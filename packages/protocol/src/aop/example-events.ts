import type { JsonObject, JsonValue } from "../json.ts";
import type { RuleExamples } from "../rule.ts";

type Members = Readonly<Record<string, JsonValue>>;

/** One event of the session `s1`, with the given sequence number and a timestamp derived from it. */
export function event(sequence: number, type: string, payload: Members = {}, envelope: Members = {}): JsonObject {
  const second = String(sequence % 60).padStart(2, "0");
  const timestamp = `2026-03-01T10:00:${second}.000Z`;
  return { spec: "aop/1.0", session_id: "s1", agent_id: "researcher", sequence, timestamp, type, payload, ...envelope };
}

export const without = (value: JsonObject, member: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== member)) as JsonObject;

export const started = (sequence = 1, payload: Members = { goal: "Compare two prices" }) => event(sequence, "session.started", payload);
export const ended = (sequence: number) => event(sequence, "session.ended", { outcome: "completed" });
export const thought = (sequence: number, envelope: Members = {}) =>
  event(sequence, "cognition.thought", { content: "The second shop may be cheaper." }, envelope);
export const toolStart = (sequence: number, id = "c1", tool = "search") =>
  event(sequence, "operation.tool_start", { tool_name: tool, tool_call_id: id, input: { query: "price" } });
export const toolEnd = (sequence: number, id = "c1", tool = "search") =>
  event(sequence, "operation.tool_end", { tool_name: tool, tool_call_id: id, success: true, duration_ms: 120 });
export const goal = (sequence: number, status: string) => event(sequence, "cognition.goal", { goal: "Find the price", status });
export const spawn = (sequence: number) =>
  event(sequence, "operation.agent_spawn", { child_session_id: "s2", child_agent_id: "reader", goal: "Read the page" });
export const child = (value: JsonObject, envelope: Members = {}): JsonObject => ({
  ...value,
  session_id: "s2",
  agent_id: "reader",
  parent_session_id: "s1",
  ...envelope,
});

/** A whole session around the given events, which are numbered from 2. */
export const run = (...middle: readonly JsonObject[]): readonly JsonObject[] => [started(), ...middle, ended(middle.length + 2)];

export const CALL = run(thought(2), toolStart(3), toolEnd(4));
export const FAMILY = [started(), spawn(2), child(started(1, { goal: "Read the page" })), child(ended(2)), ended(3)];

/** The same session twice: valid, and with one defect in its second event. */
export function envelopePair(wrong: Members | string): RuleExamples {
  const second = typeof wrong === "string" ? without(thought(2), wrong) : thought(2, wrong);
  return { passes: run(thought(2)), fails: run(second) };
}

export function payloadPair(type: string, right: Members, wrong: Members): RuleExamples {
  return { passes: run(event(2, type, right)), fails: run(event(2, type, wrong)) };
}

export const told = (passes: string, fails: string): RuleExamples => ({ passes: { told: passes }, fails: { told: fails } });
