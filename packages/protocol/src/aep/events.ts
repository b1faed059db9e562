import Type, { type Static, type TObject, type TProperties, type TSchema } from "typebox";
import { TIMESTAMP_PATTERN } from "../timestamp.ts";
import type { AepRuleId } from "./rules.ts";
import {
  ACTION_STATUSES,
  ACTION_TYPES,
  AEP_TOOL_TYPES,
  ATTACHMENT_TYPES,
  BEHAVIORS,
  CONTENT_TYPES,
  DECISION_OUTCOMES,
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  type EventType,
  PARENT_RELATIONS,
  SKILL_SOURCES,
} from "./types.ts";

/** A semantic version with an optional third number, as in the draft's own `0.1`. */
export const AEP_VERSION_PATTERN = "^\\d+\\.\\d+(\\.\\d+)?(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$";
/** Text with at least one non-space character. */
const SAYING = { pattern: "\\S" };

type Annotation = { readonly $comment?: AepRuleId };
/** Annotates a schema with the rule it enforces. */
const enforces = ($comment: AepRuleId): Annotation => ({ $comment });

const text = (rule: Annotation = {}) => Type.Optional(Type.String(rule));
const number = () => Type.Optional(Type.Number());
const name = (rule: Annotation = {}) => Type.String({ minLength: 1, ...rule });
const timestamp = (rule: Annotation = {}) => Type.String({ pattern: TIMESTAMP_PATTERN, ...rule });
const version = () => Type.String({ pattern: AEP_VERSION_PATTERN, ...enforces("aep/version") });
const icon = () => Type.Optional(Type.Object({ src: text(), mime_type: text() }));

export const agentSchema = Type.Object({
  slug: name(),
  display_name: text(),
  version: text(),
  instance_id: text(),
  surface: text(),
});

export const sessionSchema = Type.Object(
  {
    id: Type.Optional(name()),
    conversation_id: text(),
    turn_id: text(),
    permission_mode: text(),
    root_conversation_id: text(),
    parent: Type.Optional(
      Type.Object({
        conversation_id: text(),
        relation: Type.Optional(Type.Enum([...PARENT_RELATIONS], enforces("aep/parent-relation"))),
        spawning_action_id: text(),
      }),
    ),
  },
  enforces("aep/session-object"),
);

export const userSchema = Type.Object({ id: text(), email: text(), login: text(), display_name: text() }, enforces("aep/user-object"));

export const workspaceSchema = Type.Object({ cwd: text(), roots: Type.Optional(Type.Array(Type.String())), project_path: text() });

export const modelSchema = Type.Object(
  { id: text(), provider: text(), display_name: text(), effort: text() },
  enforces("aep/model-object"),
);

const actionMembers = {
  type: Type.Optional(Type.Enum([...ACTION_TYPES])),
  id: Type.Optional(name()),
  input: Type.Optional(Type.Unknown()),
  output: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.Enum([...ACTION_STATUSES])),
  error: Type.Optional(Type.Object({ code: text(), message: text() })),
  rationale: text(),
};
export const actionSchema = Type.Object(actionMembers);

export const toolSchema = Type.Object({
  name: name(),
  type: Type.Enum([...AEP_TOOL_TYPES]),
  id: text(),
  description: text(),
  version: text(),
  schema: Type.Optional(Type.Object({})),
  display_name: text(),
  original_name: text(),
  icon: icon(),
});

export const serverSchema = Type.Object(
  {
    name: text(),
    url: text(),
    id: text(),
    title: text(),
    description: text(),
    icon: icon(),
    version: text(),
    transport: text(),
    command: text(),
    repository_url: text(),
    website_url: text(),
  },
  enforces("aep/server-object"),
);

export const skillSchema = Type.Object(
  {
    name: name(),
    id: text(),
    source: Type.Optional(Type.Enum([...SKILL_SOURCES], enforces("aep/skill-source"))),
    version: text(),
    path: text(),
    description: text(),
  },
  enforces("aep/skill-object"),
);

export const contentPartSchema = Type.Object({
  type: Type.Optional(Type.Enum([...CONTENT_TYPES])),
  text: text(),
  style: text(),
  truncated: Type.Optional(Type.Boolean()),
  original_length: number(),
});
export type AepContentPart = Static<typeof contentPartSchema>;

export const attachmentSchema = Type.Object({
  type: Type.Optional(Type.Enum([...ATTACHMENT_TYPES])),
  mime_type: text(),
  url: text(),
  data_uri: text(),
  thumbnail_url: text(),
  thumbnail_data_uri: text(),
  width: number(),
  height: number(),
  duration_ms: number(),
  size_bytes: number(),
  name: text(),
});

const decisionMembers = {
  outcome: Type.Enum([...DECISION_OUTCOMES]),
  by: text(),
  reason: text(),
  response_time_ms: number(),
  feedback: text(),
  policy_id: text(),
  time: Type.Optional(timestamp()),
};
export const decisionSchema = Type.Object(decisionMembers);

export const metricsSchema = Type.Object({}, { additionalProperties: Type.Number(), ...enforces("aep/metrics-object") });

export const lifecycleSchema = Type.Object({ source: text(), reason: text(), trigger: text() }, enforces("aep/lifecycle-object"));

/** The only closed object: its keys begin with `x-`, so they cannot collide with a member of a later draft. */
export const extensionsSchema = Type.Record(Type.String({ pattern: "^x-" }), Type.Unknown(), {
  additionalProperties: false,
  ...enforces("aep/extensions"),
});

const coreMembers = {
  aep_version: version(),
  id: name(enforces("aep/id")),
  type: name(enforces("aep/type")),
  time: timestamp(enforces("aep/time")),
  agent: agentSchema,
};

const eventMembers = {
  ...coreMembers,
  hook: text(enforces("aep/hook")),
  session: Type.Optional(sessionSchema),
  user: Type.Optional(userSchema),
  workspace: Type.Optional(workspaceSchema),
  model: Type.Optional(modelSchema),
  action: Type.Optional(actionSchema),
  tool: Type.Optional(toolSchema),
  server: Type.Optional(serverSchema),
  skill: Type.Optional(skillSchema),
  content: Type.Optional(Type.Array(contentPartSchema)),
  attachments: Type.Optional(Type.Array(attachmentSchema)),
  decision: Type.Optional(decisionSchema),
  metrics: Type.Optional(metricsSchema),
  lifecycle: Type.Optional(lifecycleSchema),
  extensions: Type.Optional(extensionsSchema),
};

/** Matches where `member.inner` equals `value`, written so that any JSON Schema validator supports it. */
function where(member: string, inner: string, value: string): TSchema {
  return Type.Object({ [member]: Type.Object({ [inner]: Type.Literal(value) }) });
}

/** Requires a member under a condition. */
function whenNeeds(condition: TSchema, member: string): object {
  // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's word; nobody awaits a schema
  return { if: condition, then: Type.Object({ [member]: Type.Unknown() }) };
}

/** Conditions for every event type: an action may also accompany a question or an error. */
const NEEDS = [
  whenNeeds(where("action", "type", "tool_call"), "tool"),
  whenNeeds(where("action", "type", "skill_use"), "skill"),
  whenNeeds(where("tool", "type", "mcp"), "server"),
];
const ACTION_EVENT_NEEDS_ACTION = {
  if: Type.Object({ type: Type.String({ pattern: "^action\\." }) }),
  // biome-ignore lint/suspicious/noThenProperty: as above
  then: Type.Object({ action: Type.Object({ type: Type.Unknown(), id: Type.Unknown() }) }),
};

/** An event of any type, known or unknown. The name of an unknown type still shows whether it is about an action. */
export const aepEventSchema = Type.Object(eventMembers, { allOf: [...NEEDS, ACTION_EVENT_NEEDS_ACTION] });
export type AepEvent = Static<typeof aepEventSchema>;

export const responseSchema = Type.Object({
  aep_version: version(),
  id: name(enforces("aep/id")),
  request_event_id: name(enforces("aep/request-event-id")),
  action_id: Type.Optional(name(enforces("aep/action-id-text"))),
  time: timestamp(enforces("aep/time")),
  control: Type.Object(
    {
      behavior: Type.Enum([...BEHAVIORS], enforces("aep/control-behavior")),
      message: text(),
      updated_input: Type.Optional(Type.Unknown()),
      additional_context: text(),
    },
    enforces("aep/control-object"),
  ),
  decision: decisionSchema,
  extensions: Type.Optional(extensionsSchema),
});
export type AepResponse = Static<typeof responseSchema>;

const startedAction = { ...actionMembers, type: Type.Enum([...ACTION_TYPES]), id: name() };

/** Requirements of a type beyond the envelope: members that replace the envelope's own, and conditions. */
interface Beyond {
  readonly members?: TProperties;
  readonly allOf?: readonly object[];
}

const BEYOND: Partial<Record<EventType, Beyond>> = {
  "agent.error": {
    allOf: [
      {
        if: Type.Object({ lifecycle: Type.Object({ reason: Type.String(SAYING) }) }),
        else: Type.Object({ content: Type.Array(Type.Unknown(), { contains: Type.Object({ text: Type.String(SAYING) }) }) }),
      },
    ],
  },
  "action.requested": { members: { action: Type.Object(startedAction) } },
  "action.completed": { members: { action: Type.Object({ ...startedAction, status: Type.Literal("success") }) } },
  "action.failed": {
    members: { action: Type.Object({ ...startedAction, status: Type.Enum(["failure", "timeout", "cancelled"]) }) },
  },
  "action.denied": {
    members: {
      action: Type.Object(startedAction),
      decision: Type.Object({ ...decisionMembers, outcome: Type.Literal("denied") }),
    },
  },
  "workspace.changed": { members: { workspace: workspaceSchema } },
  "notification.sent": { members: { content: contentWith("notification") } },
  "question.asked": { members: { content: contentWith("question") } },
};

/** The schema of each type, including its aliases. */
export const eventSchemas = Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, schemaOf(type)])) as Readonly<
  Record<EventType, TObject>
>;

/** Every schema by its published name. */
export const aepSchemas: Readonly<Record<string, TSchema>> = { event: aepEventSchema, response: responseSchema, ...eventSchemas };

function contentWith(type: string): TSchema {
  return Type.Array(contentPartSchema, { contains: Type.Object({ type: Type.Literal(type) }) });
}

function schemaOf(type: EventType): TObject {
  const beyond = BEYOND[type];
  const members = { ...eventMembers, type: Type.Enum([type, ...EVENT_TYPES[type].aliases]), ...beyond?.members };
  return Type.Object(members, { allOf: [...NEEDS, ...(beyond?.allOf ?? [])] });
}
