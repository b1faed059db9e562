import type { Finding } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import { defineRule } from "../rule.ts";
import { ruleEnforced, type Shape, type ShapeError } from "../schema.ts";
import { aepEventSchema, responseSchema } from "./events.ts";
import { FIRST, inSession, member, SESSION, spoken, TOOL, without } from "./example-events.ts";
import type { AepRuleId } from "./rules.ts";
import { ACTION_STATUSES, DECISION_OUTCOMES, EVENT_TYPES, type EventType } from "./types.ts";

export const OBJECTS_RULES = {
  "aep/error-says-something": defineRule(["error", "event", 2, "Event types", ["agent.error"]], {
    title: "`agent.error` says what went wrong, in `lifecycle.reason` or in the text of a content part.",
    hint: "Fill `lifecycle.reason`, or add one part with `text` to `content`.",
    examples: () => spoken("agent.error", { lifecycle: { reason: "rate limit" } }, { lifecycle: { reason: "" } }),
  }),
  "aep/workspace-changed-workspace": defineRule(["error", "event", 2, "Event types", ["workspace.changed"]], {
    title: "`workspace.changed` carries `workspace`.",
    hint: "Add `workspace` with what is known of it, such as `cwd`.",
    examples: () => spoken("workspace.changed", { workspace: { cwd: "/project" } }, {}),
  }),
  "aep/tool-call-tool": defineRule(["error", "event", 2, "Event types", ["*/action"]], {
    title: "An action of type `tool_call` names its `tool`.",
    hint: "Add `tool` with at least `name` and `type`.",
    examples: () => ({ passes: [FIRST], fails: [without(FIRST, "tool")] }),
  }),
  "aep/skill-use-skill": defineRule(["error", "event", 2, "Event types", ["*/action"]], {
    title: "An action of type `skill_use` names its `skill`.",
    hint: "Add `skill` with at least `name`.",
    examples: () => ({
      passes: [inSession(1, "action.requested", { action: { type: "skill_use", id: "call_1" }, skill: { name: "review" } })],
      fails: [inSession(1, "action.requested", { action: { type: "skill_use", id: "call_1" } })],
    }),
  }),
  "aep/mcp-server": defineRule(["error", "event", 2, "Event types", ["*/tool"]], {
    title: "A tool of type `mcp` comes with its `server`.",
    hint: "Add `server` with the name of the MCP server that supplies the tool.",
    examples: () => ({
      passes: [{ ...FIRST, tool: { name: "search", type: "mcp" }, server: { name: "docs" } }],
      fails: [{ ...FIRST, tool: { name: "search", type: "mcp" } }],
    }),
  }),
  "aep/agent-object": defineRule(["error", "event", 1, "Objects in detail", ["*/agent"]], {
    title: "The members of `agent` have the right types.",
    hint: "`display_name`, `version`, `instance_id` and `surface` are strings.",
    examples: () => member("agent", { slug: "claude", version: "1.4.2" }, { slug: "claude", version: 1 }),
  }),
  "aep/session-object": defineRule(["error", "event", 2, "Objects in detail", ["*/session"]], {
    title: "`session` is an object whose members have the right types.",
    hint: "All members of `session` are strings, except the object `parent`; `id` is not empty.",
    examples: () => member("session", SESSION, { id: "sess_abc", turn_id: 4 }),
  }),
  "aep/user-object": defineRule(["error", "event", 2, "Objects in detail", ["*/user"]], {
    title: "`user` is an object whose members have the right types.",
    hint: "`id`, `email`, `login` and `display_name` are strings.",
    examples: () => member("user", { email: "user@example.com" }, { email: ["user@example.com"] }),
  }),
  "aep/workspace-object": defineRule(["error", "event", 2, "Objects in detail", ["*/workspace"]], {
    title: "`workspace` is an object whose members have the right types.",
    hint: "`cwd` and `project_path` are strings, `roots` is a list of strings.",
    examples: () => member("workspace", { roots: ["/project"] }, { roots: "/project" }),
  }),
  "aep/model-object": defineRule(["error", "event", 2, "Objects in detail", ["*/model"]], {
    title: "`model` is an object whose members have the right types.",
    hint: "`id`, `provider`, `display_name` and `effort` are strings.",
    examples: () => member("model", { id: "claude-sonnet-4-6" }, "claude-sonnet-4-6"),
  }),
  "aep/tool-object": defineRule(["error", "event", 1, "Objects in detail", ["*/tool"]], {
    title: "`tool` is an object with `name` and `type`, and its members have the right types.",
    hint: "A tool has a `name` and a `type`; `schema` and `icon` are objects; everything else is a string.",
    examples: () => member("tool", TOOL, { type: "native" }),
  }),
  "aep/server-object": defineRule(["error", "event", 1, "Objects in detail", ["*/server"]], {
    title: "`server` is an object whose members have the right types.",
    hint: "All members of `server` are strings, except the object `icon`.",
    examples: () => member("server", { name: "docs" }, { name: 1 }),
  }),
  "aep/skill-object": defineRule(["error", "event", 1, "Objects in detail", ["*/skill"]], {
    title: "`skill` is an object with a `name`, and its members have the right types.",
    hint: "A skill has a `name`; all of its members are strings.",
    examples: () => member("skill", { name: "review" }, { path: "skills/review" }),
  }),
  "aep/decision-object": defineRule(["error", "event", 2, "Objects in detail", ["*/decision", "response"]], {
    title: "`decision` is an object with an `outcome`, and its members have the right types.",
    hint: "A decision has an `outcome`; `response_time_ms` is a number, `time` an RFC 3339 instant, everything else a string.",
    examples: () => member("decision", { outcome: "info" }, { by: "user" }),
  }),
  "aep/metrics-object": defineRule(["error", "event", 2, "Objects in detail", ["*/metrics"]], {
    title: "`metrics` is an object whose values are numbers.",
    hint: "Write numbers without quotes and without units; the unit belongs into the name, as in `duration_ms`.",
    examples: () => member("metrics", { duration_ms: 12.5 }, { duration_ms: "12.5" }),
  }),
  "aep/lifecycle-object": defineRule(["error", "event", 2, "Objects in detail", ["*/lifecycle"]], {
    title: "`lifecycle` is an object whose members have the right types.",
    hint: "`source`, `reason` and `trigger` are strings.",
    examples: () => member("lifecycle", { source: "startup" }, { source: 1 }),
  }),
  "aep/tool-type": defineRule(["error", "event", 2, "Objects in detail", ["*/tool"]], {
    title: "`tool.type` is `native`, `mcp`, `connector`, `extension` or `other`.",
    hint: "Use one of the five kinds; `custom` is read as `other`.",
    examples: () => member("tool", { name: "Bash", type: "custom" }, { name: "Bash", type: "builtin" }),
  }),
  "aep/skill-source": defineRule(["error", "event", 2, "Objects in detail", ["*/skill"]], {
    title: "`skill.source` is `user`, `project`, `builtin` or `marketplace`.",
    hint: "Use one of the four sources, or leave the member out.",
    examples: () => member("skill", { name: "review", source: "project" }, { name: "review", source: "internet" }),
  }),
  "aep/decision-outcome": defineRule(["error", "event", 2, "Objects in detail", ["*/decision", "response"]], {
    title: "`decision.outcome` is `approved`, `denied` or `info`.",
    hint: "Use `info` where nothing was approved or denied.",
    examples: () => member("decision", { outcome: "approved" }, { outcome: "yes" }),
  }),
  "aep/parent-relation": defineRule(["error", "event", 2, "Objects in detail", ["*/session"]], {
    title: "`session.parent.relation` is `subagent`, `fork`, `resume` or `continuation`.",
    hint: "Use one of the four relations, or leave the member out.",
    examples: () =>
      member("session", { id: "sess_abc", parent: { relation: "subagent" } }, { id: "sess_abc", parent: { relation: "child" } }),
  }),
} as const;

/** Keywords for constraints between members; those rules are checked from the values, with clearer messages. */
const BETWEEN_MEMBERS = new Set(["if", "allOf", "contains"]);

/** Returns the findings for a record that does not fit its schema. Runs only for broken records, so it is not optimized. */
export function findShapeErrors(shape: Shape, value: JsonObject, type: EventType | "response" | undefined): Finding[] {
  const findings: Finding[] = [];
  for (const error of shape.errors(value)) {
    if (isBetweenMembers(error, type)) continue;
    findings.push({ rule: ruleFor(error, value, type), pointer: error.pointer, message: error.message });
  }
  if (type !== "response") findMissingPartners(value, type, findings);
  return findings;
}

function isBetweenMembers({ pointer, keyword }: ShapeError, type: EventType | "response" | undefined): boolean {
  if (BETWEEN_MEMBERS.has(keyword)) return true;
  if (type === "agent.error" && pointer === "/content") return keyword === "required";
  return keyword === "required" && (pointer === "/tool" || pointer === "/skill" || pointer === "/server");
}

/** Reports missing members that another member's value requires. */
function findMissingPartners(value: JsonObject, type: EventType | undefined, findings: Finding[]): void {
  const { action, tool, server, skill, content, lifecycle } = value;
  const add = (rule: AepRuleId, pointer: string, message: string) => findings.push({ rule, pointer, message });
  if (isObject(tool) && tool["type"] === "mcp" && server === undefined) {
    add("aep/mcp-server", "/server", "The tool is of type `mcp`, and `server` is missing.");
  }
  if (isObject(action) && action["type"] === "tool_call" && tool === undefined) {
    add("aep/tool-call-tool", "/tool", "The action is of type `tool_call`, and `tool` is missing.");
  }
  if (isObject(action) && action["type"] === "skill_use" && skill === undefined) {
    add("aep/skill-use-skill", "/skill", "The action is of type `skill_use`, and `skill` is missing.");
  }
  if (type === undefined) {
    findMissingAction(value, findings);
    return;
  }
  if (type === "agent.error" && !says(lifecycle, "reason") && !(Array.isArray(content) && content.some((part) => says(part, "text")))) {
    add("aep/error-says-something", "", "The event has neither a `lifecycle.reason` nor a content part with text.");
  }
  const entry = EVENT_TYPES[type];
  if (entry.partIsRequired && Array.isArray(content) && !hasPart(content, entry.part)) {
    add(partRule(type), "/content", `\`content\` has no part of type \`${entry.part.join("` or `")}\`.`);
  }
}

/** Reports a missing action for types outside the vocabulary; the schemas of the known types require it. */
function findMissingAction({ type: written, action }: JsonObject, findings: Finding[]): void {
  if (typeof written !== "string" || !written.startsWith("action.")) return;
  const rule: AepRuleId = "aep/action-identified";
  if (action === undefined) findings.push({ rule, pointer: "/action", message: "`action` is missing." });
  if (!isObject(action)) return;
  for (const member of ["type", "id"]) {
    if (action[member] === undefined) findings.push({ rule, pointer: `/action/${member}`, message: `\`${member}\` is missing.` });
  }
}

function says(object: unknown, member: string): boolean {
  const text = isObject(object) ? object[member] : undefined;
  return typeof text === "string" && /\S/.test(text);
}

export function hasPart(content: readonly unknown[], types: readonly string[]): boolean {
  for (const part of content) {
    if (isObject(part) && typeof part["type"] === "string" && types.includes(part["type"])) return true;
  }
  return false;
}

function ruleFor(error: ShapeError, value: JsonObject, type: EventType | "response" | undefined): AepRuleId {
  const { pointer, keyword } = error;
  const missing = keyword === "required";
  switch (error.member) {
    case "agent":
      return pointer === "/agent" || pointer === "/agent/slug" ? "aep/agent" : "aep/agent-object";
    case "workspace":
      return pointer === "/workspace" && missing ? "aep/workspace-changed-workspace" : "aep/workspace-object";
    case "action":
      return actionRule(pointer, missing, { value, type });
    case "tool":
      return pointer === "/tool/type" && !missing ? "aep/tool-type" : "aep/tool-object";
    case "content":
      if (pointer === "/content" && missing) return partRule(type);
      return isItemType(pointer, keyword) ? "aep/content-type" : "aep/content-object";
    case "attachments":
      return isItemType(pointer, keyword) ? "aep/attachment-type" : "aep/attachments-object";
    case "decision":
      return decisionRule(pointer, missing, { value, type });
    default:
      return (ruleEnforced(type === "response" ? responseSchema : aepEventSchema, pointer) as AepRuleId | undefined) ?? "aep/type";
  }
}

interface Place {
  readonly value: JsonObject;
  readonly type: EventType | "response" | undefined;
}

function actionRule(pointer: string, missing: boolean, { value, type }: Place): AepRuleId {
  if (missing && (pointer === "/action" || pointer === "/action/type" || pointer === "/action/id")) return "aep/action-identified";
  if (pointer === "/action/type") return "aep/action-type";
  if (pointer !== "/action/status") return "aep/action-object";
  const status = isObject(value["action"]) ? value["action"]["status"] : undefined;
  if (!missing && !(ACTION_STATUSES as readonly unknown[]).includes(status)) return "aep/action-status";
  return type === "action.completed" ? "aep/completed-status" : "aep/failed-status";
}

function decisionRule(pointer: string, missing: boolean, { value, type }: Place): AepRuleId {
  if (pointer === "/decision" && missing) return type === "response" ? "aep/response-decision" : "aep/denied-outcome";
  if (pointer !== "/decision/outcome") return "aep/decision-object";
  const outcome = isObject(value["decision"]) ? value["decision"]["outcome"] : undefined;
  if (!missing && !(DECISION_OUTCOMES as readonly unknown[]).includes(outcome)) return "aep/decision-outcome";
  return type === "action.denied" ? "aep/denied-outcome" : "aep/decision-object";
}

function partRule(type: EventType | "response" | undefined): AepRuleId {
  return type === "question.asked" ? "aep/question-part" : "aep/notification-part";
}

function isItemType(pointer: string, keyword: string): boolean {
  return pointer.endsWith("/type") && keyword === "enum";
}
