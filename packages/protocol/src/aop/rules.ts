import type { Rule } from "../rule.ts";
import { type AopType, isAopType } from "./aliases.ts";
import { ENVELOPE_RULES } from "./envelope.ts";
import { GOALS_RULES } from "./goals.ts";
import { LIFECYCLE_RULES } from "./lifecycle.ts";
import { NOTES_RULES } from "./notes.ts";
import { PAYLOADS_RULES } from "./payloads.ts";
import { SESSION_RULES } from "./session.ts";
import { TOOL_CALLS_RULES } from "./tool-calls.ts";
import { TREE_RULES } from "./tree.ts";
import { TYPE_NAME_RULES } from "./type-name.ts";

/** Every clause of AOP 1.0 that can be checked. Ids are public: add freely, never rename. */
export const AOP_RULES = {
  ...ENVELOPE_RULES,
  ...TYPE_NAME_RULES,
  ...PAYLOADS_RULES,
  ...NOTES_RULES,
  ...SESSION_RULES,
  ...LIFECYCLE_RULES,
  ...TOOL_CALLS_RULES,
  ...GOALS_RULES,
  ...TREE_RULES,
} as const satisfies Record<string, Rule>;

export type AopRuleId = keyof typeof AOP_RULES;

const PAYLOAD_RULES: Record<AopType, AopRuleId> = {
  "session.started": "aop/session-started-payload",
  "session.heartbeat": "aop/session-heartbeat-payload",
  "session.ended": "aop/session-ended-payload",
  "cognition.thought": "aop/thought-payload",
  "cognition.goal": "aop/goal-payload",
  "cognition.decision": "aop/decision-payload",
  "cognition.uncertainty": "aop/uncertainty-payload",
  "operation.tool_start": "aop/tool-start-payload",
  "operation.tool_end": "aop/tool-end-payload",
  "operation.agent_spawn": "aop/agent-spawn-payload",
  "operation.memory": "aop/memory-payload",
  "operation.external_call": "aop/external-call-payload",
};

const MEMBER_RULES: Readonly<Record<string, AopRuleId>> = {
  spec: "aop/envelope-spec",
  session_id: "aop/envelope-session-id",
  parent_session_id: "aop/envelope-parent-session-id",
  agent_id: "aop/envelope-agent-id",
  agent_version: "aop/envelope-agent-version",
  sequence: "aop/envelope-sequence",
  timestamp: "aop/envelope-timestamp",
  type: "aop/envelope-type",
};

/** The rule that owns a member of the envelope. */
export function envelopeRule(member: string): AopRuleId {
  return MEMBER_RULES[member] ?? "aop/envelope-payload";
}

/** The rule that owns the payload of a type. */
export function payloadRuleOf(type: string): AopRuleId {
  return isAopType(type) ? PAYLOAD_RULES[type] : "aop/envelope-payload";
}
