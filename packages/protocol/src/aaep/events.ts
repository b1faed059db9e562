import Type, { type TProperties, type TSchema } from "typebox";
import { URI_PATTERN } from "../schema.ts";
import { TIMESTAMP_PATTERN } from "../timestamp.ts";
import { CORE_CONTEXT, CORE_TYPES, type CoreType, FULL_FORMS } from "./names.ts";
import type { AaepRuleId } from "./rules.ts";

type Annotation = { readonly $comment?: AaepRuleId };
/** Annotates a schema with the rule it enforces. */
export const enforces = ($comment: AaepRuleId): Annotation => ({ $comment });

export const LANGUAGE_PATTERN = "^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$";
export const AAEP_VERSION_PATTERN = "^[0-9]+\\.[0-9]+\\.[0-9]+(-[A-Za-z0-9.-]+)?$";
const TOOL_PATTERN = "^[A-Za-z_][A-Za-z0-9_.-]{0,255}$";

export const identifier = (prefix: string, rule: Annotation = {}) => Type.String({ pattern: `^${prefix}_[A-Za-z0-9]{1,64}$`, ...rule });
export const uri = Type.String({ pattern: URI_PATTERN });
export const language = Type.String({ pattern: LANGUAGE_PATTERN });
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const textOrEmpty = (maxLength: number) => Type.String({ maxLength });
/** Durations are at most one day; longer ones are omitted or clamped. */
const durationMs = Type.Integer({ minimum: 0, maximum: 86_400_000 });
const risk = Type.Enum(["low", "medium", "high"]);

export const producerSchema = Type.Object(
  {
    agent_id: Type.String({ minLength: 1 }),
    agent_version: Type.Optional(Type.String()),
    agent_name: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
    manifest_uri: Type.Optional(uri),
  },
  { additionalProperties: false, ...enforces("aaep/producer") },
);

export const localizationHintsSchema = Type.Object(
  {
    primary_language: Type.Optional(language),
    text_direction: Type.Optional(Type.Enum(["ltr", "rtl", "auto"])),
    available_languages: Type.Optional(Type.Array(language, { maxItems: 32, uniqueItems: true })),
    fallback_chain: Type.Optional(Type.Array(language, { maxItems: 16 })),
    script: Type.Optional(Type.String({ pattern: "^[A-Z][a-z]{3}$" })),
    calendar: Type.Optional(Type.String()),
  },
  { additionalProperties: false, ...enforces("aaep/localization-hints") },
);

/** The core URI alone, or a list that begins with it. */
const contextSchema = Type.Unsafe<string | string[]>({
  ...enforces("aaep/context"),
  anyOf: [
    { const: CORE_CONTEXT },
    { type: "array", minItems: 1, prefixItems: [{ const: CORE_CONTEXT }], items: { type: "string", pattern: URI_PATTERN } },
  ],
});

const TYPE_FORM = enforces("aaep/type-form");
const envelope = {
  "@context": contextSchema,
  type: Type.String({ minLength: 1, ...TYPE_FORM }),
  event_id: identifier("evt", enforces("aaep/event-id")),
  session_id: identifier("sess", enforces("aaep/session-id")),
  timestamp: Type.String({ pattern: TIMESTAMP_PATTERN, ...enforces("aaep/timestamp") }),
  producer: producerSchema,
  aaep_version: Type.Optional(Type.String({ pattern: AAEP_VERSION_PATTERN, ...enforces("aaep/version") })),
  sequence_number: Type.Optional(Type.Integer({ minimum: 0, ...enforces("aaep/sequence-number") })),
  verbosity: Type.Optional(Type.Enum(["terse", "normal", "detailed"], enforces("aaep/verbosity"))),
  urgency: Type.Optional(Type.Enum(["background", "normal", "critical"], enforces("aaep/urgency"))),
  localization_hints: Type.Optional(localizationHintsSchema),
  correlation_id: Type.Optional(Type.String(enforces("aaep/correlation-id"))),
  extensions: Type.Optional(Type.Record(Type.String(), Type.Object({}), enforces("aaep/extensions-objects"))),
} satisfies TProperties;

export const ENVELOPE_FIELDS: readonly string[] = Object.keys(envelope);

const summaries = {
  summary_terse: Type.Optional(text(4096)),
  summary_normal: Type.Optional(text(16_384)),
  summary_detailed: Type.Optional(text(16_384)),
};
const toldSummaries = { ...summaries, summary_normal: text(16_384) };
/** Four types require `critical`: an omitted urgency means `normal`, so the member is required there. */
const critical = (rule: AaepRuleId) => ({ urgency: Type.Literal("critical", enforces(rule)) });

/** An action that is irreversible in either spelling and not explicitly of low risk: silence must not start it. */
const safeDefault = {
  if: {
    type: "object",
    anyOf: [
      { type: "object", required: ["irreversible"], properties: { irreversible: { const: true } } },
      { type: "object", required: ["reversibility"], properties: { reversibility: { const: "irreversible" } } },
    ],
    not: { type: "object", required: ["risk_level"], properties: { risk_level: { const: "low" } } },
  },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  then: { type: "object", properties: { default_decision: { const: "reject" } } },
};

const choicesWhenMultiple = {
  if: {
    type: "object",
    required: ["accepted_response_kinds"],
    properties: { accepted_response_kinds: { type: "array", contains: { const: "multiple_choice" } } },
  },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  then: { type: "object", required: ["choices"] },
};

const payloads = {
  "agent.session.started": {
    ...toldSummaries,
    expected_duration_ms: Type.Optional(durationMs),
    requested_by: Type.Optional(text(256)),
    request_text: Type.Optional(textOrEmpty(16_384)),
    tools_available: Type.Optional(Type.Array(text(256), { maxItems: 256, uniqueItems: true })),
  },
  "agent.session.completed": {
    ...toldSummaries,
    duration_ms: Type.Optional(durationMs),
    tool_invocations_count: Type.Optional(Type.Integer({ minimum: 0 })),
    output_summary: Type.Optional(textOrEmpty(16_384)),
    result_uri: Type.Optional(uri),
  },
  "agent.session.errored": {
    ...toldSummaries,
    ...critical("aaep/errored-is-critical"),
    error_category: Type.Enum(["transient", "permanent", "requires_user", "unknown"]),
    error_code: Type.Optional(Type.String({ pattern: "^[A-Z][A-Z0-9_]{1,63}$" })),
    error_uri: Type.Optional(uri),
    recoverable: Type.Optional(Type.Boolean()),
    remediation_hint: Type.Optional(text(4096)),
  },
  "agent.session.cancelled": {
    ...toldSummaries,
    cancelled_by: Type.Enum(["user", "producer", "timeout", "system"]),
    cancellation_reason: Type.Optional(Type.String({ pattern: "^[a-z][a-z0-9_]{1,63}$" })),
    partial_result: Type.Optional(textOrEmpty(16_384)),
  },
  "agent.state.changed": {
    ...summaries,
    from_state: text(64),
    to_state: text(64),
    expected_duration_ms: Type.Optional(durationMs),
  },
  "agent.progress.updated": {
    ...summaries,
    progress: Type.Object(
      {
        percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
        step: Type.Optional(Type.Integer({ minimum: 1 })),
        total_steps: Type.Optional(Type.Integer({ minimum: 1 })),
        description: Type.Optional(text(4096)),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    eta_ms: Type.Optional(durationMs),
  },
  "agent.tool.invoked": {
    ...toldSummaries,
    tool: Type.String({ pattern: TOOL_PATTERN }),
    description: Type.Optional(text(4096)),
    args_summary: Type.Optional(textOrEmpty(16_384)),
    expected_duration_ms: Type.Optional(durationMs),
    risk_level: Type.Optional(risk),
    irreversible: Type.Optional(Type.Boolean()),
    tool_call_id: Type.Optional(identifier("call")),
  },
  "agent.tool.completed": {
    ...summaries,
    tool: Type.String({ pattern: TOOL_PATTERN }),
    status: Type.Enum(["success", "error", "timeout"]),
    tool_call_id: Type.Optional(identifier("call")),
    duration_ms: Type.Optional(durationMs),
    error_message: Type.Optional(text(4096)),
  },
  "agent.output.streaming": {
    chunk: textOrEmpty(16_384),
    position: Type.Integer({ minimum: 0 }),
    complete: Type.Boolean(),
    coalesce_hint: Type.Optional(Type.Enum(["none", "word", "sentence", "paragraph", "completion"])),
    output_id: Type.Optional(identifier("out")),
    content_type: Type.Optional(Type.String({ pattern: "^[a-zA-Z][a-zA-Z0-9.+_-]*/[a-zA-Z][a-zA-Z0-9.+_-]*$" })),
    language: Type.Optional(language),
  },
  "agent.awaiting.confirmation": {
    ...summaries,
    ...critical("aaep/confirmation-is-critical"),
    action: text(16_384),
    consequence: text(16_384),
    reply_token: identifier("rpl"),
    timeout_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    default_decision: Type.Enum(["accept", "reject"]),
    risk_level: Type.Optional(risk),
    irreversible: Type.Optional(Type.Boolean()),
    reversibility: Type.Optional(Type.Enum(["reversible", "reversible_with_effort", "irreversible"])),
    allowed_replies: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 32, uniqueItems: true })),
    extra_context: Type.Optional(Type.Object({})),
  },
  "agent.awaiting.clarification": {
    ...summaries,
    ...critical("aaep/clarification-is-critical"),
    question: text(16_384),
    reply_token: identifier("rpl"),
    timeout_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    accepted_response_kinds: Type.Optional(
      Type.Array(Type.Enum(["freetext", "yes_no", "multiple_choice", "numeric"]), { minItems: 1, maxItems: 4, uniqueItems: true }),
    ),
    choices: Type.Optional(
      Type.Array(Type.Object({ value: text(256), label: text(1024) }, { additionalProperties: false }), {
        minItems: 2,
        maxItems: 32,
        uniqueItems: true,
      }),
    ),
    context: Type.Optional(text(4096)),
    default_response: Type.Optional(textOrEmpty(4096)),
  },
  "agent.handoff.requested": {
    ...summaries,
    ...critical("aaep/handoff-is-critical"),
    reason: text(16_384),
    target_kind: Type.Enum(["human", "specialist_agent", "escalation_queue"]),
    target_uri: Type.Optional(uri),
    packaged_context: Type.Optional(Type.Object({})),
    urgency_for_handoff: Type.Optional(risk),
  },
} satisfies Record<CoreType, TProperties>;

const conditions: Partial<Record<CoreType, TSchema>> = {
  "agent.awaiting.confirmation": safeDefault,
  "agent.awaiting.clarification": choicesWhenMultiple,
};

/** Any AAEP event by its envelope alone, including extension types and types of later versions. */
export const aaepEventSchema = Type.Object(envelope, enforces("aaep/required-fields"));

export const aaepEventSchemas: Readonly<Record<CoreType, TSchema>> = forEachType((type) => {
  const condition = conditions[type];
  const forms = [`aaep:${type}`, ...FULL_FORMS.map((full) => full + type)];
  const properties: TProperties = { ...envelope, ...payloads[type], type: Type.Enum(forms, TYPE_FORM) };
  return Type.Object(properties, { ...enforces(payloadRule(type)), ...(condition === undefined ? {} : { allOf: [condition] }) });
});

/** Returns the payload rule of a core type, which is named after the type. */
function payloadRule(type: CoreType): AaepRuleId {
  return `aaep/${type.slice("agent.".length).replace(".", "-")}-payload` as AaepRuleId;
}

/** The top-level members that a core event must have. */
export const REQUIRED_FIELDS: Readonly<Record<CoreType, ReadonlySet<string>>> = forEachType((type) => {
  const { required = [] } = aaepEventSchemas[type] as { readonly required?: readonly string[] };
  return new Set(required);
});

/** All top-level members that a core event may have. */
export const CORE_FIELDS: Readonly<Record<CoreType, ReadonlySet<string>>> = forEachType(
  (type) => new Set([...ENVELOPE_FIELDS, ...Object.keys(payloads[type])]),
);

function forEachType<Value>(make: (type: CoreType) => Value): Record<CoreType, Value> {
  const table: Partial<Record<CoreType, Value>> = {};
  for (const type of CORE_TYPES) table[type] = make(type);
  return table as Record<CoreType, Value>;
}
