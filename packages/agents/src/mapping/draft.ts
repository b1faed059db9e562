import { readToolName } from "./tool-names.ts";

/** An event under construction: plain objects, filled field by field. */
export type EventDraft = Record<string, unknown>;

export type PutValue = (draft: EventDraft, value: unknown) => void;

/** Writes a value at a dotted path and creates the objects on the way. The path was validated when the file was read. */
export function createPut(path: string): PutValue {
  const segments = path.split(".");
  const [first = "", second, third] = segments;
  if (second === undefined) {
    return (draft, value) => {
      draft[first] = value;
    };
  }
  if (first === "content" || first === "attachments") {
    const index = Number(second);
    return (draft, value) => {
      const list = listIn(draft, first);
      while (list.length <= index) list.push({});
      (list[index] as EventDraft)[third ?? ""] = value;
    };
  }
  if (third === undefined) {
    return (draft, value) => {
      const inner = draft[first];
      if (inner === undefined) draft[first] = { [second]: value };
      else (inner as EventDraft)[second] = value;
    };
  }
  return (draft, value) => {
    objectIn(objectIn(draft, first), second)[third] = value;
  };
}

export function objectIn(draft: EventDraft, name: string): EventDraft {
  draft[name] ??= {};
  return draft[name] as EventDraft;
}

export function listIn(draft: EventDraft, name: string): EventDraft[] {
  draft[name] ??= [];
  return draft[name] as EventDraft[];
}

export function isDraft(value: unknown): value is EventDraft {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reports how an event had to be completed, and where. */
type Tell = (field: string, message: string) => void;

/**
 * Fills in required members that the payload did not provide, so that every event is valid. A value that follows from the others is
 * inferred; an unknown one gets the weakest valid form. Nothing is invented: an action without a tool name becomes an action of type
 * `other`, so a gate still sees it.
 */
export function completeEvent(draft: EventDraft, type: string, tell: Tell): void {
  completeContent(draft, type, tell);
  if (type.startsWith("action.") || draft["action"] !== undefined) completeAction(draft, type, tell);
  completeCatalogue(draft, tell);
  switch (type) {
    case "action.completed":
      objectIn(draft, "action")["status"] = "success";
      break;
    case "action.failed": {
      const action = objectIn(draft, "action");
      if (action["status"] === undefined || action["status"] === "success") action["status"] = "failure";
      break;
    }
    case "action.denied":
      objectIn(draft, "decision")["outcome"] = "denied";
      break;
    case "workspace.changed":
      objectIn(draft, "workspace");
      break;
    case "agent.error":
      completeError(draft, tell);
      break;
  }
  const { decision } = draft;
  if (isDraft(decision) && decision["outcome"] === undefined) {
    delete draft["decision"];
    tell("decision.outcome", "Without an outcome there is no decision.");
  }
}

const NEEDED_PART: Readonly<Record<string, string>> = { "notification.sent": "notification", "question.asked": "question" };

/** Drops a part without text unless the type requires it. */
function completeContent(draft: EventDraft, type: string, tell: Tell): void {
  if (draft["content"] !== undefined) {
    const parts = listIn(draft, "content").filter((part) => typeof part["text"] === "string");
    if (parts.length === 0) delete draft["content"];
    else draft["content"] = parts;
  }
  const needed = NEEDED_PART[type];
  if (needed === undefined) return;
  const parts = listIn(draft, "content");
  if (parts.some((part) => part["type"] === needed)) return;
  parts.push({ type: needed });
  tell(`content[${needed}]`, "There is no text.");
}

function completeAction(draft: EventDraft, type: string, tell: Tell): void {
  const action = objectIn(draft, "action");
  const tool = draft["tool"];
  const skill = draft["skill"];
  const hasTool = isDraft(tool) && tool["name"] !== undefined;
  const hasSkill = isDraft(skill) && skill["name"] !== undefined;
  if (action["type"] === undefined) {
    // A question has only an id and no kind.
    if (type.startsWith("question.")) return;
    action["type"] = hasTool ? "tool_call" : hasSkill ? "skill_use" : "other";
  } else if (action["type"] === "tool_call" && !hasTool) {
    action["type"] = "other";
    tell("tool.name", "The tool is not named.");
  } else if (action["type"] === "skill_use" && !hasSkill) {
    action["type"] = "other";
    tell("skill.name", "The skill is not named.");
  }
}

function completeCatalogue(draft: EventDraft, tell: Tell): void {
  const { tool, skill } = draft;
  if (isDraft(skill) && skill["name"] === undefined) delete draft["skill"];
  if (!isDraft(tool)) return;
  const name = tool["name"];
  if (typeof name !== "string") {
    delete draft["tool"];
    return;
  }
  if (tool["type"] === undefined) {
    const { type, server } = readToolName(name);
    tool["type"] = type;
    if (server !== undefined && draft["server"] === undefined) draft["server"] = { name: server };
  }
  if (tool["type"] !== "mcp" || draft["server"] !== undefined) return;
  draft["server"] = {};
  tell("server", "The server is not named.");
}

function completeError(draft: EventDraft, tell: Tell): void {
  const { lifecycle, content } = draft;
  const saysReason = isDraft(lifecycle) && typeof lifecycle["reason"] === "string" && lifecycle["reason"].trim() !== "";
  const saysText =
    Array.isArray(content) && content.some((part) => isDraft(part) && typeof part["text"] === "string" && part["text"].trim() !== "");
  if (saysReason || saysText) return;
  objectIn(draft, "lifecycle")["reason"] = "unknown";
  tell("lifecycle.reason", "The agent does not say what went wrong.");
}
