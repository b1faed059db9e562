/** The families of the draft, with 5, 5, 4, 4 and 3 types. */
export type EventFamily = "lifecycle" | "prompts" | "actions" | "orchestration" | "notifications";

export interface EventTypeEntry {
  readonly family: EventFamily;
  /** Other spellings read as this type. The draft's public text names 13 of the 21; the others may turn out different. */
  readonly aliases: readonly string[];
  /** Members, as dotted paths, without which the event breaks an error rule. */
  readonly required: readonly string[];
  /** The event needs a content part of one of these types. */
  readonly part: readonly string[];
  /** Whether a missing part is an error rather than a warning. */
  readonly partIsRequired: boolean;
  /** Members that make the event useful, as dotted paths; several in one list are alternatives. */
  readonly should: readonly (readonly string[])[];
}

const NONE: readonly string[] = [];
const ACTION = ["action.type", "action.id"] as const;

/** The vocabulary in one place: a type renamed in the next draft changes one line here. */
export const EVENT_TYPES = {
  "session.start": entry("lifecycle", {
    aliases: ["session.started"],
    should: [["lifecycle.source"], ["workspace"], ["model"]],
  }),
  "session.end": entry("lifecycle", {
    aliases: ["session.ended"],
    should: [["lifecycle.reason"], ["metrics.duration_ms"]],
  }),
  "agent.start": entry("lifecycle", { aliases: ["agent.started"], should: [["session"]] }),
  "agent.stop": entry("lifecycle", {
    aliases: ["agent.end", "agent.stopped", "agent.idle"],
    should: [["session"], ["lifecycle.reason"]],
  }),
  "agent.error": entry("lifecycle", {
    aliases: ["error.occurred", "session.error", "error.raised", "error"],
    should: [["session"]],
  }),
  "prompt.submitted": entry("prompts", { part: ["prompt"], should: [["session"]] }),
  "model.thought": entry("prompts", { part: ["thought"], should: [["model"], ["metrics.duration_ms"]] }),
  "model.response": entry("prompts", {
    aliases: ["response.completed", "model.responded"],
    part: ["response"],
    should: [["model"]],
  }),
  "model.delta": entry("prompts", {
    aliases: ["model.response_delta", "response.delta"],
    part: ["response", "thought"],
    should: [["model"], ["extensions"]],
  }),
  "model.plan": entry("prompts", { aliases: ["plan.updated", "plan.proposed"], part: ["plan"], should: [["session"]] }),
  "action.requested": entry("actions", {
    required: ACTION,
    should: [["action.input"], ["tool.name", "skill.name"]],
  }),
  "action.completed": entry("actions", {
    required: [...ACTION, "action.status"],
    should: [["action.output"], ["metrics.duration_ms"]],
  }),
  "action.failed": entry("actions", { required: [...ACTION, "action.status"], should: [["action.error"]] }),
  "action.denied": entry("actions", {
    required: [...ACTION, "decision.outcome"],
    should: [["decision.by"], ["decision.reason"]],
  }),
  "subagent.start": entry("orchestration", { should: [["session"], ["session.parent"]] }),
  "subagent.stop": entry("orchestration", {
    aliases: ["subagent.end", "subagent.stopped"],
    should: [["session"], ["session.parent"], ["content"]],
  }),
  "context.compacted": entry("orchestration", { should: [["lifecycle.trigger"], ["metrics.context_tokens"]] }),
  "workspace.changed": entry("orchestration", {
    aliases: ["workspace.updated", "file.changed"],
    required: ["workspace"],
    should: [["content", "extensions"]],
  }),
  "notification.sent": entry("notifications", {
    aliases: ["notification"],
    required: ["content"],
    part: ["notification"],
    partIsRequired: true,
    should: [["lifecycle.trigger"]],
  }),
  "question.asked": entry("notifications", {
    required: ["content"],
    part: ["question"],
    partIsRequired: true,
    should: [["action.id"], ["action.input"]],
  }),
  "question.answered": entry("notifications", { part: ["answer"], should: [["action.id"]] }),
} as const satisfies Record<string, EventTypeEntry>;

export type EventType = keyof typeof EVENT_TYPES;
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as readonly EventType[];

export const ACTION_TYPES = ["tool_call", "skill_use", "subagent_spawn", "other"] as const;
export const ACTION_STATUSES = ["success", "failure", "timeout", "cancelled"] as const;
/** The draft's prose uses `custom` for what its schema calls `other`; both are accepted. */
export const AEP_TOOL_TYPES = ["native", "mcp", "connector", "extension", "other", "custom"] as const;
export const SKILL_SOURCES = ["user", "project", "builtin", "marketplace"] as const;
export const CONTENT_TYPES = ["prompt", "thought", "response", "plan", "notification", "question", "answer"] as const;
export const ATTACHMENT_TYPES = ["image", "video", "audio", "file"] as const;
export const DECISION_OUTCOMES = ["approved", "denied", "info"] as const;
export const PARENT_RELATIONS = ["subagent", "fork", "resume", "continuation"] as const;
export const BEHAVIORS = ["allow", "deny", "ask", "defer", "block", "continue", "stop", "abstain"] as const;
export type Behavior = (typeof BEHAVIORS)[number];

export const DISPLAY_STYLES = [
  "plain_text",
  "markdown",
  "indented_json",
  "key_value",
  "path",
  "url",
  "image",
  "video",
  "audio",
  "badge",
  "duration",
  "timestamp",
] as const;

/** The outcome that each behavior stands for. */
export const OUTCOME_OF_BEHAVIOR: Readonly<Record<Behavior, (typeof DECISION_OUTCOMES)[number]>> = {
  allow: "approved",
  deny: "denied",
  ask: "info",
  defer: "info",
  block: "denied",
  continue: "approved",
  stop: "denied",
  abstain: "info",
};

/** Agent names used by installers, and the slug of each. */
export const INSTALLER_ALIASES: ReadonlyMap<string, string> = new Map([
  ["claude-code", "claude"],
  ["gemini-cli", "gemini"],
  ["copilot-cli", "github"],
  ["vscode-agent", "github"],
  ["antigravity-cli", "antigravity"],
]);

const CANONICAL: ReadonlyMap<string, EventType> = new Map(
  EVENT_TYPE_NAMES.flatMap((name) => [name, ...EVENT_TYPES[name].aliases].map((spelling) => [spelling, name] as const)),
);

/** Returns the canonical name of a type as written, or undefined if it is not in the vocabulary. */
export function resolveType(written: string): EventType | undefined {
  return CANONICAL.get(written);
}

/** Maps `custom` to `other`: both are the same kind of tool. */
export function resolveToolType(written: string): string {
  return written === "custom" ? "other" : written;
}

export function resolveAgent(slug: string): string {
  return INSTALLER_ALIASES.get(slug) ?? slug;
}

function entry(family: EventFamily, details: Partial<Omit<EventTypeEntry, "family">>): EventTypeEntry {
  return { family, aliases: NONE, required: NONE, part: NONE, partIsRequired: false, should: [], ...details };
}
