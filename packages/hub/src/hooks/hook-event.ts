import type { PolicyMoment } from "@earshot/policy";
import { readToolInput, type ToolInput } from "@earshot/policy/hook";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { RuleInput } from "../policy/rules.ts";
import { isListOfQuestions } from "../requests/question-form.ts";

/** The moment of a hook's event, and what the rules see of it. */
export interface HookEvent {
  readonly moment: PolicyMoment;
  readonly put: RuleInput;
  /** The arguments do not fully describe the action, so the rules see only part of it. */
  readonly isUnreadable: boolean;
}

const MOMENTS: Readonly<Record<string, PolicyMoment>> = {
  "action.requested": "action",
  "prompt.submitted": "prompt",
  "action.completed": "outcome",
  "action.failed": "outcome",
  "agent.stop": "stop",
  "subagent.start": "subagent-start",
  "subagent.stop": "subagent-stop",
  "context.compacted": "compaction",
  "session.start": "session-start",
  "question.asked": "question",
};

/** The action in an AEP event, as the rules see it; undefined for events no hook waits on. `raw` is unmasked. */
export function readHookEvent(
  type: string,
  raw: JsonObject,
  options: { readonly asksItself: boolean; readonly attended: boolean; readonly expectsInput?: boolean },
): HookEvent | undefined {
  const known = MOMENTS[type];
  if (known === undefined) return undefined;
  const moment = known !== "action" ? known : asksOnly(raw) ? "question" : options.asksItself ? "permission" : known;
  const tool = memberObject(raw, "tool");
  const server = memberObject(raw, "server");
  const workspace = memberObject(raw, "workspace");
  const action = memberObject(raw, "action");
  const input = action["input"];
  const roots = workspace["roots"];
  const cwd = memberString(workspace["cwd"]);
  // Agents use different member names: commands and files are searched in the input of any agent.
  const name = memberString(tool["name"]) ?? "";
  const serverName = memberString(server["name"]) ?? memberString(server["id"]);
  const found = readToolInput(memberString(tool["original_name"]) ?? name, input, cwd);
  const put = {
    ...found,
    moment,
    agent: memberString(memberObject(raw, "agent")["slug"]),
    session: memberString(memberObject(raw, "session")["id"]),
    tool: memberString(tool["name"]),
    originalTool: memberString(tool["original_name"]) ?? mcpName(toolType(tool["type"]), serverName, name),
    toolType: toolType(tool["type"]),
    server: serverName,
    skill: memberString(memberObject(raw, "skill")["name"]),
    cwd,
    roots: Array.isArray(roots) ? roots.filter((one): one is string => typeof one === "string") : undefined,
    attended: options.attended,
    input,
    said: memberString(action["rationale"]),
  };
  const isOwnTool = put.toolType !== "mcp" && serverName === undefined;
  const { expectsInput = false } = options;
  const isUnreadable = known === "action" && hidesSomething(name, input, found, { expectsInput, isOwnTool });
  return { moment, put: withoutUndefined(put) as unknown as RuleInput, isUnreadable };
}

/**
 * Arguments must be an object or a patch. A command must be a text or a list of texts, without NUL, which shells drop. An agent's own
 * tools for commands and edits must name a command or a file.
 */
function hidesSomething(tool: string, input: JsonValue | undefined, found: ToolInput, options: HidingOptions): boolean {
  if (input === undefined) return options.expectsInput;
  if (!isObject(input)) return found.paths === undefined;
  if (found.command !== undefined) return found.command.includes("\0");
  if (found.unread !== undefined && options.isOwnTool) return true;
  return Object.entries(input).some(([name, value]) => value !== null && value !== "" && isCommandName(tool, name));
}

interface HidingOptions {
  readonly expectsInput: boolean;
  /** The agent's own tool, rather than an MCP tool with a similar name. */
  readonly isOwnTool: boolean;
}

/** Whether a text in this member would be read as a command. */
function isCommandName(tool: string, member: string): boolean {
  return readToolInput(tool, { [member]: "-" }).command !== undefined;
}

/** A tool that only asks the person: it takes an answer, not a permission. */
function asksOnly(value: JsonObject): boolean {
  return (
    isListOfQuestions(memberObject(value, "action")["input"]) &&
    /ask|question/i.test(memberString(memberObject(value, "tool")["name"]) ?? "")
  );
}

/** Server and tool sent separately are joined into the name that rules use. */
function mcpName(type: RuleInput["toolType"], server: string | undefined, tool: string): string | undefined {
  return type === "mcp" && server !== undefined && tool !== "" ? `mcp__${server}__${tool}` : undefined;
}

const TYPES = ["native", "mcp", "connector", "extension", "other"] as const;

function toolType(value: JsonValue | undefined): RuleInput["toolType"] {
  return TYPES.find((type) => type === value);
}

function withoutUndefined(value: object): object {
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) if (member !== undefined) kept[name] = member;
  return kept;
}

/** The object in a member; empty if there is none. */
export function memberObject(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  return isObject(found) ? found : {};
}

/** A text that is not empty. */
export function memberString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
