import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import type { Place } from "../place.ts";
import { tell } from "../tell.ts";
import { actionCompleted, actionDenied, actionFailed, actionRequested } from "./actions.ts";
import { readAepBase } from "./base.ts";
import { contentOf, textOf } from "./content.ts";
import { agentError, agentStart, agentStop, sessionEnd, sessionStart } from "./lifecycle.ts";
import { notificationSent, questionAnswered, questionAsked } from "./notifications.ts";
import { contextCompacted, subagentStart, subagentStop, workspaceChanged } from "./orchestration.ts";
import { hookResponse } from "./response.ts";
import { modelDelta, modelPlan, modelResponse, modelThought, promptSubmitted } from "./speech.ts";

/** What the event spent is in the base, and told with the first activity. */
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

export function readAepActivities(event: JsonObject, place: Place): readonly Activity[] {
  const base = readAepBase(event, place);
  if (place.kind === "message") return [hookResponse(base, event)];
  return (EVENTS.get(place.type) ?? custom)(base, event);
}

/** The vocabulary is open: what nobody knows still has its words. */
function custom(base: ActivityBase, event: JsonObject): readonly Activity[] {
  return [tell(base, "custom", { summary: textOf(contentOf(event)), data: event })];
}
