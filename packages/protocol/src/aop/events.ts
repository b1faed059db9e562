import Type, { type TProperties, type TSchema } from "typebox";
import { TIMESTAMP_PATTERN } from "../timestamp.ts";
import { AOP_ALIASES, AOP_TYPES, type AopType, type FieldAlias } from "./aliases.ts";
import type { AopRuleId } from "./rules.ts";

type Annotation = { readonly $comment?: AopRuleId };
/** Annotates a schema with the rule it enforces. */
const enforces = ($comment: AopRuleId): Annotation => ({ $comment });

/** Ids are opaque, but they end up in URLs, file names and terminals. */
export const identifierSchema = Type.String({ minLength: 1, maxLength: 128, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" });
const id = (rule: Annotation = {}) => Type.String({ ...identifierSchema, ...rule });
const text = () => Type.String();
const maybe = Type.Optional;
const amount = (rule: Annotation = {}) => maybe(Type.Number(rule));
/** Money, tokens and steps. */
const cost = () => amount(enforces("aop/cost-is-a-number"));
const confidence = () => maybe(Type.Enum(["high", "medium", "low"]));
const metadata = (members: TProperties = {}) => maybe(Type.Object(members));

const envelopeMembers = {
  spec: Type.String({ pattern: "^aop/1(\\..*)?$", ...enforces("aop/envelope-spec") }),
  session_id: id(enforces("aop/envelope-session-id")),
  parent_session_id: maybe(Type.Union([id(), Type.Null()], enforces("aop/envelope-parent-session-id"))),
  agent_id: id(enforces("aop/envelope-agent-id")),
  agent_version: maybe(Type.Union([text(), Type.Null()], enforces("aop/envelope-agent-version"))),
  sequence: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...enforces("aop/envelope-sequence") }),
  timestamp: Type.String({ pattern: TIMESTAMP_PATTERN, ...enforces("aop/envelope-timestamp") }),
  type: id(enforces("aop/envelope-type")),
};

/** Members of every event, whatever its type. */
export const envelopeSchema = Type.Object(envelopeMembers, enforces("aop/envelope-payload"));

/** Required payload fields, by their documented names. */
export const requiredFields: Record<AopType, readonly string[]> = {
  "session.started": [],
  "session.heartbeat": ["status"],
  "session.ended": ["outcome"],
  "cognition.thought": ["content"],
  "cognition.goal": ["goal", "status"],
  "cognition.decision": ["decision"],
  "cognition.uncertainty": ["content"],
  "operation.tool_start": ["tool_name", "tool_call_id"],
  "operation.tool_end": ["tool_name", "tool_call_id", "success"],
  "operation.agent_spawn": ["child_session_id", "child_agent_id"],
  "operation.memory": ["operation"],
  "operation.external_call": ["method", "url"],
};

/** A custom type may contain any members. */
export const customPayloadSchema = Type.Object({});

export const sessionStartedPayload = payload("session.started", {
  goal: maybe(text()),
  agent_version: maybe(text()),
  metadata: metadata(),
});

export const sessionHeartbeatPayload = payload("session.heartbeat", {
  status: Type.Enum(["running", "idle", "waiting"]),
  step: cost(),
  token_spend: cost(),
  metadata: metadata(),
});

export const sessionEndedPayload = payload("session.ended", {
  outcome: maybe(Type.Enum(["completed", "failed", "cancelled", "timeout"])),
  outcome_summary: maybe(text()),
  error_message: maybe(text()),
  total_cost_usd: cost(),
  total_tokens: cost(),
  total_steps: cost(),
  metadata: metadata({ total_cost_usd: cost() }),
});

export const thoughtPayload = payload("cognition.thought", {
  content: maybe(text()),
  confidence: confidence(),
  metadata: metadata(),
});

export const goalPayload = payload("cognition.goal", {
  goal: text(),
  status: Type.Enum(["set", "in_progress", "completed", "abandoned"]),
  parent_goal: maybe(text()),
  metadata: metadata(),
});

export const decisionPayload = payload("cognition.decision", {
  decision: maybe(text()),
  alternatives: maybe(Type.Array(text())),
  reasoning: maybe(text()),
  metadata: metadata(),
});

export const uncertaintyPayload = payload("cognition.uncertainty", {
  content: maybe(text()),
  confidence: confidence(),
  metadata: metadata(),
});

export const toolStartPayload = payload("operation.tool_start", {
  tool_name: maybe(text()),
  tool_call_id: text(),
  input: maybe(Type.Unknown()),
  metadata: metadata(),
});

export const toolEndPayload = payload("operation.tool_end", {
  tool_name: maybe(text()),
  tool_call_id: text(),
  success: Type.Boolean(),
  result_summary: maybe(text()),
  duration_ms: amount(),
  token_spend_delta: cost(),
  metadata: metadata({ token_spend_delta: cost() }),
});

export const agentSpawnPayload = payload("operation.agent_spawn", {
  child_session_id: id(),
  child_agent_id: id(),
  goal: maybe(text()),
  metadata: metadata(),
});

export const memoryPayload = payload("operation.memory", {
  operation: maybe(Type.Enum(["read", "write", "delete"])),
  key: maybe(text()),
  summary: maybe(text()),
  metadata: metadata(),
});

export const externalCallPayload = payload("operation.external_call", {
  method: text(),
  url: maybe(text()),
  status_code: amount(),
  duration_ms: amount(),
  metadata: metadata(),
});

/** The payload of each type. */
export const payloadSchemas = {
  "session.started": sessionStartedPayload,
  "session.heartbeat": sessionHeartbeatPayload,
  "session.ended": sessionEndedPayload,
  "cognition.thought": thoughtPayload,
  "cognition.goal": goalPayload,
  "cognition.decision": decisionPayload,
  "cognition.uncertainty": uncertaintyPayload,
  "operation.tool_start": toolStartPayload,
  "operation.tool_end": toolEndPayload,
  "operation.agent_spawn": agentSpawnPayload,
  "operation.memory": memoryPayload,
  "operation.external_call": externalCallPayload,
} as const satisfies Record<AopType, TSchema>;

/** The schema of one whole event, used by the fast path and published. */
export function aopEventSchemaOf(type: AopType): TSchema {
  return Type.Object({ ...envelopeMembers, type: Type.Literal(type), payload: payloadSchemas[type] });
}

export const customEventSchema: TSchema = Type.Object({ ...envelopeMembers, payload: customPayloadSchema });

/** Every schema under its published name. */
export const aopSchemas: Record<string, TSchema> = {
  envelope: envelopeSchema,
  custom: customEventSchema,
  ...Object.fromEntries(AOP_TYPES.map((type) => [type, aopEventSchemaOf(type)])),
};

/**
 * A payload in which a required field may have another spelling. An alias is validated only while the documented member is missing;
 * beside it, the alias is an unknown member and may hold any value.
 */
function payload<Members extends TProperties>(type: AopType, members: Members) {
  const choices = AOP_ALIASES[type]
    .filter(({ home }) => home === "payload")
    .map((entry) => choice(entry, members, requiredFields[type].includes(entry.field)));
  // Each type has a payload rule named after it.
  const rule = `aop/${type.replace(/^(?:cognition|operation)\./, "").replace(/[._]/g, "-")}-payload` as AopRuleId;
  return Type.Object(members, { ...enforces(rule), ...(choices.length === 0 ? {} : { allOf: choices }) });
}

function choice(entry: FieldAlias, members: TProperties, required: boolean) {
  const schema = members[entry.field] as TSchema;
  const others = entry.others
    // Errors have no fixed form, so any `error` value is accepted.
    .filter(({ names }) => required || names[0] !== "error")
    .map(({ names }) => ({
      ...(required ? { required: names } : {}),
      properties: Object.fromEntries(names.map((name) => [name, schema])),
    }));
  return { anyOf: [{ required: [entry.field], properties: { [entry.field]: {} } }, ...others] };
}
