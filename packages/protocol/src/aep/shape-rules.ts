import type { Finding } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { Shape, ShapeError } from "../schema.ts";
import type { AepRuleId } from "./rules.ts";
import { ACTION_STATUSES, DECISION_OUTCOMES, EVENT_TYPES, type EventType } from "./types.ts";

/** Keywords for what stands between members; those rules are told from the values, in plainer words. */
const BETWEEN_MEMBERS = new Set(["if", "allOf", "contains"]);

/** What is wrong with a record that does not fit its schema. Runs for broken records only, and takes its time. */
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

/** Members that are needed because of what another member says. */
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

/** For a type that is not in the vocabulary; the known ones have it in their schemas. */
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

const PLAIN: Readonly<Record<string, AepRuleId>> = {
  aep_version: "aep/version",
  id: "aep/id",
  type: "aep/type",
  time: "aep/time",
  hook: "aep/hook",
  user: "aep/user-object",
  model: "aep/model-object",
  server: "aep/server-object",
  metrics: "aep/metrics-object",
  lifecycle: "aep/lifecycle-object",
  extensions: "aep/extensions",
  request_event_id: "aep/request-event-id",
  action_id: "aep/action-id-text",
};

function ruleFor(error: ShapeError, value: JsonObject, type: EventType | "response" | undefined): AepRuleId {
  const { pointer, keyword } = error;
  const missing = keyword === "required";
  switch (error.member) {
    case "agent":
      return pointer === "/agent" || pointer === "/agent/slug" ? "aep/agent" : "aep/agent-object";
    case "session":
      return pointer === "/session/parent/relation" ? "aep/parent-relation" : "aep/session-object";
    case "workspace":
      return pointer === "/workspace" && missing ? "aep/workspace-changed-workspace" : "aep/workspace-object";
    case "action":
      return actionRule(pointer, missing, { value, type });
    case "tool":
      return pointer === "/tool/type" && !missing ? "aep/tool-type" : "aep/tool-object";
    case "skill":
      return pointer === "/skill/source" ? "aep/skill-source" : "aep/skill-object";
    case "content":
      if (pointer === "/content" && missing) return partRule(type);
      return isItemType(pointer, keyword) ? "aep/content-type" : "aep/content-object";
    case "attachments":
      return isItemType(pointer, keyword) ? "aep/attachment-type" : "aep/attachments-object";
    case "decision":
      return decisionRule(pointer, missing, { value, type });
    case "control":
      return pointer === "/control/behavior" ? "aep/control-behavior" : "aep/control-object";
    default:
      return PLAIN[error.member] ?? "aep/type";
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
