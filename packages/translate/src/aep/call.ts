import type { JsonObject } from "@earshot/protocol/json";
import type { ActivityDetails } from "../activity.ts";
import { anything, firstText, NOTHING, object, text } from "../members.ts";
import { subjectOf } from "../subject.ts";
import type { Loose } from "../tell.ts";

type Call = Pick<ActivityDetails["tool.ended"], "callId" | "tool" | "toolTitle" | "toolKind" | "server" | "subject" | "input">;

const KINDS: ReadonlyMap<unknown, "tool" | "skill" | "subagent" | "other"> = new Map([
  ["tool_call", "tool"],
  ["skill_use", "skill"],
  ["subagent_spawn", "subagent"],
  ["other", "other"],
]);

/** The call an action event is about: the verb, and the nouns it points at. */
export function callOf(event: JsonObject): Loose<Call> {
  const action = object(event, "action") ?? NOTHING;
  const tool = object(event, "tool") ?? NOTHING;
  const server = object(event, "server") ?? NOTHING;
  const input = anything(action, "input");
  return {
    callId: text(action, "id"),
    tool: toolName(event) ?? "",
    toolTitle: text(tool, "display_name"),
    toolKind: KINDS.get(action["type"]),
    server: firstText(server, "name", "title", "url", "id"),
    subject: subjectOf(input),
    input,
  };
}

/** The tool, the skill, or the subagent that is called. */
export function toolName(event: JsonObject): string | undefined {
  const tool = object(event, "tool") ?? NOTHING;
  const skill = object(event, "skill") ?? NOTHING;
  return firstText(tool, "name", "original_name", "display_name") ?? text(skill, "name") ?? subagentName(event);
}

/** What a subagent is called by the one who calls it. */
export function subagentName(event: JsonObject): string | undefined {
  const action = object(event, "action") ?? NOTHING;
  const input = object(action, "input");
  if (action["type"] !== "subagent_spawn" || input === undefined) return undefined;
  return firstText(input, "subagent_type", "agent_type", "subagent", "agent", "agent_name", "name");
}
