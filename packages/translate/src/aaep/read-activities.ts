import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import type { Place } from "../place.ts";
import { tell } from "../tell.ts";
import { readAaepBase } from "./base.ts";
import { clarificationReply, confirmationReply, otherMessage } from "./messages.ts";
import { awaitingClarification, awaitingConfirmation, handoffRequested } from "./requests.ts";
import { sessionCancelled, sessionCompleted, sessionErrored, sessionStarted } from "./session.ts";
import { outputStreaming, progressUpdated, stateChanged, toolCompleted, toolInvoked } from "./work.ts";

type AaepReader = (base: ActivityBase, event: JsonObject) => Activity;

const EVENTS: ReadonlyMap<string, AaepReader> = new Map([
  ["agent.session.started", sessionStarted],
  ["agent.session.completed", sessionCompleted],
  ["agent.session.errored", sessionErrored],
  ["agent.session.cancelled", sessionCancelled],
  ["agent.state.changed", stateChanged],
  ["agent.progress.updated", progressUpdated],
  ["agent.tool.invoked", toolInvoked],
  ["agent.tool.completed", toolCompleted],
  ["agent.output.streaming", outputStreaming],
  ["agent.awaiting.confirmation", awaitingConfirmation],
  ["agent.awaiting.clarification", awaitingClarification],
  ["agent.handoff.requested", handoffRequested],
]);

const MESSAGES: ReadonlyMap<string, AaepReader> = new Map([
  ["confirmation.reply", confirmationReply],
  ["clarification.reply", clarificationReply],
]);

export function readAaepActivities(event: JsonObject, place: Place): readonly Activity[] {
  const base = readAaepBase(event, place);
  const [readers, fallback] = place.kind === "message" ? [MESSAGES, otherMessage] : [EVENTS, custom];
  return [(readers.get(place.type) ?? fallback)(base, event)];
}

/** A type of an extension, or of a later version: its announcement is in the base, if it has any. */
function custom(base: ActivityBase, event: JsonObject): Activity {
  return tell(base, "custom", { data: event });
}
