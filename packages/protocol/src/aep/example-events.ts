import type { JsonObject, JsonValue } from "../json.ts";
import type { RuleExamples } from "../rule.ts";

// Small builders that keep each example to its point.

type Members = Readonly<Record<string, JsonValue>>;

export const SESSION: Members = { id: "sess_abc" };
export const TOOL: Members = { name: "Bash", type: "native" };

/** The shortest conforming event of a type, with members added or replaced. */
export function event(index: number, type: string, members: Members = {}): JsonObject {
  return { aep_version: "0.1", id: `evt_${index}`, type, time: timeOf(index), agent: { slug: "claude" }, ...members };
}

/** An event of the session shared by all examples. */
export function inSession(index: number, type: string, members: Members = {}): JsonObject {
  return event(index, type, { session: SESSION, ...members });
}

export function part(type: string, more: Members = {}): JsonObject {
  return { type, text: "Words for a person.", ...more };
}

/** An event about the tool call `call_1`. */
export function call(index: number, type: string, action: Members = {}, members: Members = {}): JsonObject {
  return inSession(index, type, { action: { type: "tool_call", id: "call_1", ...action }, tool: TOOL, ...members });
}

export const requested = (index: number, action: Members = { input: { command: "npm test" } }) => call(index, "action.requested", action);
export const completed = (index: number, members: Members = {}) => call(index, "action.completed", { status: "success" }, members);
export const failed = (index: number, action: Members = { status: "failure" }) => call(index, "action.failed", action);
export const denied = (index: number) => call(index, "action.denied", {}, { decision: { outcome: "denied", by: "user" } });

const OUTCOMES: Readonly<Record<string, string>> = {
  allow: "approved",
  continue: "approved",
  deny: "denied",
  block: "denied",
  stop: "denied",
};

/** A response to `evt_<request>`, about `call_1`. */
export function response(index: number, request: number, behavior: string, members: Members = {}): JsonObject {
  return {
    aep_version: "0.1",
    id: `rsp_${index}`,
    request_event_id: `evt_${request}`,
    action_id: "call_1",
    time: timeOf(index),
    control: { behavior },
    decision: { outcome: OUTCOMES[behavior] ?? "info", by: "user" },
    ...members,
  };
}

export function without(record: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== member));
}

function timeOf(index: number): string {
  return `2026-05-09T12:00:${String(index).padStart(2, "0")}.000Z`;
}

export const THOUGHT = inSession(1, "model.thought", { content: [part("thought")] });
export const PROMPT = inSession(1, "prompt.submitted", { content: [part("prompt")] });
export const RESULT = completed(2);
export const ALLOWED = [requested(1), response(2, 1, "allow"), completed(3)];
export const FIRST = requested(1);

/** An otherwise valid event with a right and a wrong value of one member. */
export function member(name: string, right: RuleExamples["passes"] | object, wrong: object | string): RuleExamples {
  return {
    passes: [{ ...THOUGHT, [name]: right } as typeof THOUGHT],
    fails: [{ ...THOUGHT, [name]: wrong } as typeof THOUGHT],
  };
}

export function spoken(type: string, right: object, wrong: object): RuleExamples {
  return { passes: [{ ...inSession(1, type), ...right }], fails: [{ ...inSession(1, type), ...wrong }] };
}

export function live(passes: string, fails: string): RuleExamples {
  return { passes: { told: passes }, fails: { told: fails } };
}
