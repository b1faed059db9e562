import type { JsonObject } from "../../json.ts";
import type { Activity, ActivityBase } from "../activity.ts";
import { buildActivity, type EventIdentity } from "../build-activity.ts";
import { actionCompleted, actionDenied, actionFailed, actionRequested, hookResponse } from "./actions.ts";
import { readAepBase } from "./base.ts";
import { firstTextOf, groupContent } from "./content.ts";
import {
  agentError,
  agentStart,
  agentStop,
  contextCompacted,
  sessionEnd,
  sessionStart,
  subagentStart,
  subagentStop,
  workspaceChanged,
} from "./lifecycle.ts";
import {
  modelDelta,
  modelPlan,
  modelResponse,
  modelThought,
  notificationSent,
  promptSubmitted,
  questionAnswered,
  questionAsked,
} from "./messages.ts";

/** The base carries the event's token usage and cost; the first activity reports them. */
type AepReader = (base: ActivityBase, event: JsonObject) => readonly Activity[];

const EVENTS: ReadonlyMap<string, AepReader> = new Map<string, AepReader>([
  ["session.start", sessionStart],
  ["session.end", sessionEnd],
  ["agent.start", agentStart],
  ["agent.stop", agentStop],
  ["agent.error", agentError],
  ["prompt.submitted", promptSubmitted],
  ["model.thought", modelThought],
  ["model.response", modelResponse],
  ["model.delta", modelDelta],
  ["model.plan", modelPlan],
  ["action.requested", actionRequested],
  ["action.completed", actionCompleted],
  ["action.failed", actionFailed],
  ["action.denied", actionDenied],
  ["subagent.start", subagentStart],
  ["subagent.stop", subagentStop],
  ["context.compacted", contextCompacted],
  ["workspace.changed", workspaceChanged],
  ["notification.sent", notificationSent],
  ["question.asked", questionAsked],
  ["question.answered", questionAnswered],
]);

export function readAepActivities(event: JsonObject, identity: EventIdentity): readonly Activity[] {
  const base = readAepBase(event, identity);
  if (identity.kind === "message") return [hookResponse(base, event)];
  return (EVENTS.get(identity.type) ?? custom)(base, event);
}

/** The vocabulary is open: an unknown type still has its text. */
function custom(base: ActivityBase, event: JsonObject): readonly Activity[] {
  return [buildActivity(base, "custom", { summary: firstTextOf(groupContent(event)), data: event })];
}
