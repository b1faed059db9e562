import {
  ACTION_STATUSES,
  ACTION_TYPES,
  AEP_TOOL_TYPES,
  ATTACHMENT_TYPES,
  CONTENT_TYPES,
  DECISION_OUTCOMES,
  PARENT_RELATIONS,
  SKILL_SOURCES,
} from "@earshot/protocol/aep";

/**
 * The kind of value an envelope field takes: `id` is a text copied into other records; `any` is agent data, kept as it is; a list of
 * words allows only those.
 */
export type FieldKind = "text" | "id" | "number" | "boolean" | "time" | "texts" | "map" | "any" | readonly string[];

const ICON = { "icon.src": "text", "icon.mime_type": "text" } as const;

/** Every field that a rule may fill, by dotted path. `N` stands for an index, `*` for any name. */
export const FIELD_KINDS: Readonly<Record<string, FieldKind>> = {
  id: "id",
  time: "time",
  hook: "text",
  ...members("agent", { slug: "id", display_name: "text", version: "text", instance_id: "text", surface: "text" }),
  ...members("session", {
    id: "id",
    conversation_id: "text",
    turn_id: "text",
    permission_mode: "text",
    root_conversation_id: "text",
    "parent.conversation_id": "text",
    "parent.relation": PARENT_RELATIONS,
    "parent.spawning_action_id": "text",
  }),
  ...members("user", { id: "text", email: "text", login: "text", display_name: "text" }),
  ...members("workspace", { cwd: "text", roots: "texts", project_path: "text" }),
  ...members("model", { id: "text", provider: "text", display_name: "text", effort: "text" }),
  ...members("action", {
    type: ACTION_TYPES,
    id: "id",
    input: "any",
    output: "any",
    status: ACTION_STATUSES,
    "error.code": "text",
    "error.message": "text",
    rationale: "text",
  }),
  ...members("tool", {
    name: "id",
    type: AEP_TOOL_TYPES,
    id: "text",
    description: "text",
    version: "text",
    schema: "map",
    display_name: "text",
    original_name: "text",
    ...ICON,
  }),
  ...members("server", {
    name: "text",
    url: "text",
    id: "text",
    title: "text",
    description: "text",
    ...ICON,
    version: "text",
    transport: "text",
    command: "text",
    repository_url: "text",
    website_url: "text",
  }),
  ...members("skill", { name: "id", id: "text", source: SKILL_SOURCES, version: "text", path: "text", description: "text" }),
  ...members("content.N", { type: CONTENT_TYPES, text: "text", style: "text", truncated: "boolean", original_length: "number" }),
  ...members("attachments.N", {
    type: ATTACHMENT_TYPES,
    mime_type: "text",
    url: "text",
    data_uri: "text",
    thumbnail_url: "text",
    thumbnail_data_uri: "text",
    width: "number",
    height: "number",
    duration_ms: "number",
    size_bytes: "number",
    name: "text",
  }),
  ...members("decision", {
    outcome: DECISION_OUTCOMES,
    by: "text",
    reason: "text",
    response_time_ms: "number",
    feedback: "text",
    policy_id: "text",
    time: "time",
  }),
  "metrics.*": "number",
  ...members("lifecycle", { source: "text", reason: "text", trigger: "text" }),
  "extensions.*": "any",
};

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const EXTENSION = /^x-[A-Za-z0-9_-]{1,64}$/;
const MAX_PARTS = 64;

/** The kind of a field, or undefined for an invalid path. */
export function fieldKindOf(path: string): FieldKind | undefined {
  const segments = path.split(".");
  const [first = "", second = ""] = segments;
  if (first === "metrics") return segments.length === 2 && NAME.test(second) ? "number" : undefined;
  if (first === "extensions") return segments.length === 2 && EXTENSION.test(second) ? "any" : undefined;
  if (first !== "content" && first !== "attachments") return Object.hasOwn(FIELD_KINDS, path) ? FIELD_KINDS[path] : undefined;
  if (segments.length !== 3 || !/^\d{1,2}$/.test(second) || Number(second) >= MAX_PARTS) return undefined;
  const general = `${first}.N.${segments[2]}`;
  return Object.hasOwn(FIELD_KINDS, general) ? FIELD_KINDS[general] : undefined;
}

function members(object: string, kinds: Readonly<Record<string, FieldKind>>): Record<string, FieldKind> {
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [`${object}.${name}`, kind]));
}

/** The default style of a field, which events need not repeat. */
export function defaultStyle(path: string): string {
  if (path === "action.input" || path === "action.output") return "indented_json";
  if (path.startsWith("workspace.")) return "path";
  if (path.endsWith("url")) return "url";
  if (path.startsWith("metrics.") && path.endsWith("_ms")) return "duration";
  if (path === "time") return "timestamp";
  return path === "action.status" || path === "decision.outcome" ? "badge" : "plain_text";
}
