import { isObject, type JsonObject } from "@earshot/protocol/json";

export interface SenderClues {
  /** The agent for which the hook was registered. */
  readonly registered?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Sender {
  readonly slug: string;
  /** What told it. */
  readonly by: "payload" | "environment" | "registration" | "shape";
}

/**
 * Who really sent a payload. Agents run hooks that were registered for another one (the settings of Claude Code are read by
 * Cursor, Copilot, VS Code and Devin), with payloads of their own; whoever answers must speak to the one that asks. Signs that
 * only one agent has count before the registration; what many agents have in common does not.
 */
export function recogniseSender(payload: JsonObject, { registered, env = {} }: SenderClues = {}): Sender {
  const slug = PAYLOAD_SIGNS.find(({ shows }) => shows(payload))?.slug;
  if (slug !== undefined) {
    if (registered !== undefined && ALIKE.includes(slug) && ALIKE.includes(registered)) return { slug: registered, by: "registration" };
    return { slug: slug === "goose" && isCrush(payload, env) ? "crush" : slug, by: "payload" };
  }
  if (registered !== undefined && registered !== "claude") return { slug: registered, by: "registration" };
  const byEnvironment = ENVIRONMENT_SIGNS.find(({ shows }) => shows(payload, env))?.slug;
  if (byEnvironment !== undefined) return { slug: byEnvironment, by: "environment" };
  // Claude Code itself never says when: what is shaped like its payloads and does, is Copilot or VS Code reading its settings.
  if (isClaudeShaped(payload) && has(payload, "timestamp")) return { slug: "github", by: "payload" };
  return registered === undefined ? { slug: "claude", by: "shape" } : { slug: registered, by: "registration" };
}

/** Agents whose payloads are alike: between them the registration decides. */
const ALIKE: readonly string[] = ["goose", "crush"];

interface Sign {
  readonly slug: string;
  readonly shows: (payload: JsonObject, env: Readonly<Record<string, string | undefined>>) => boolean;
}

const GEMINI_HOOKS: ReadonlySet<unknown> = new Set([
  "BeforeTool",
  "AfterTool",
  "BeforeAgent",
  "AfterAgent",
  "BeforeModel",
  "AfterModel",
  "BeforeToolSelection",
  "PreCompress",
]);

/** In this order: the first that shows counts. */
const PAYLOAD_SIGNS: readonly (Sign & { readonly shows: (payload: JsonObject) => boolean })[] = [
  {
    slug: "antigravity",
    shows: (payload) => has(payload, "conversationId", "workspacePaths") || has(payload, "toolCall", "conversationId"),
  },
  { slug: "windsurf", shows: (payload) => has(payload, "agent_action_name") },
  {
    slug: "github",
    shows: (payload) => has(payload, "toolArgs") || has(payload, "sessionId", "timestamp"),
  },
  { slug: "cline", shows: (payload) => has(payload, "clineVersion") || has(payload, "hookName", "taskId") },
  { slug: "cursor", shows: (payload) => has(payload, "cursor_version") || has(payload, "generation_id", "workspace_roots") },
  { slug: "gemini", shows: (payload) => has(payload, "llm_request") || GEMINI_HOOKS.has(payload["hook_event_name"]) },
  { slug: "hermes", shows: ({ extra }) => isObject(extra) && has(extra, "telemetry_schema_version") },
  {
    slug: "goose",
    shows: (payload) => typeof payload["event"] === "string" && has(payload, "session_id") && !has(payload, "hook_event_name"),
  },
  { slug: "openhands", shows: (payload) => has(payload, "event_type") },
  {
    slug: "auggie",
    shows: (payload) =>
      has(payload, "conversation_id", "workspace_roots") && (has(payload, "is_mcp_tool") || has(payload, "agent_stop_cause")),
  },
  { slug: "codex", shows: (payload) => has(payload, "turn_id", "model") && /^[A-Z]/.test(String(payload["hook_event_name"] ?? "")) },
];

const ENVIRONMENT_SIGNS: readonly Sign[] = [
  { slug: "devin", shows: (payload, env) => isSet(env, "DEVIN_PROJECT_DIR") && has(payload, "prompt_id") && !has(payload, "cwd") },
  { slug: "qwen", shows: (_, env) => isSet(env, "QWEN_PROJECT_DIR") },
  { slug: "droid", shows: (_, env) => isSet(env, "FACTORY_PROJECT_DIR") },
];

function isCrush(payload: JsonObject, env: Readonly<Record<string, string | undefined>>): boolean {
  return env["CRUSH"] === "1" || (has(payload, "cwd") && !has(payload, "working_dir") && !has(payload, "matcher_context"));
}

function isClaudeShaped(payload: JsonObject): boolean {
  return has(payload, "hook_event_name") || has(payload, "hookEventName");
}

function has(payload: JsonObject, ...names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(payload, name));
}

function isSet(env: Readonly<Record<string, string | undefined>>, name: string): boolean {
  return (env[name] ?? "") !== "";
}
