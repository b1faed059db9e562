import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase, ActivityDetails } from "../activity.ts";
import { amount, anything, NOTHING, object, text } from "../members.ts";
import { callOutcomeOf } from "../outcome.ts";
import { tell } from "../tell.ts";
import { callOf } from "./call.ts";
import { asides, contentOf, textOf } from "./content.ts";
import { decisionOf } from "./response.ts";

export function actionRequested(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = contentOf(event);
  const requested = tell(base, "tool.requested", {
    ...callOf(event),
    why: text(object(event, "action") ?? NOTHING, "rationale"),
    // A prompt beside an action is not a new one: it is what led to it, or what a dialog says about it.
    note: textOf(content, "notification", "question", "prompt", "other"),
  });
  return [requested, ...decisionOf(base, event), ...asides(base, content, "thought", "response", "plan")];
}

/** The status tells more than the type where the two disagree. */
export function actionCompleted(base: ActivityBase, event: JsonObject): readonly Activity[] {
  return ended(base, event, callOutcomeOf(statusOf(event)) ?? "succeeded");
}

export function actionFailed(base: ActivityBase, event: JsonObject): readonly Activity[] {
  return ended(base, event, callOutcomeOf(statusOf(event)) ?? "failed");
}

export function actionDenied(base: ActivityBase, event: JsonObject): readonly Activity[] {
  return ended(base, event, "denied");
}

function ended(base: ActivityBase, event: JsonObject, outcome: ActivityDetails["tool.ended"]["outcome"]): readonly Activity[] {
  const action = object(event, "action") ?? NOTHING;
  const failure = action["error"];
  const details = object(action, "error") ?? NOTHING;
  const output = anything(action, "output");
  const told = tell(base, "tool.ended", {
    ...callOf(event),
    outcome,
    result: typeof output === "string" ? output : undefined,
    output: typeof output === "string" ? undefined : output,
    error: text(details, "message") ?? (typeof failure === "string" && failure !== "" ? failure : undefined),
    code: text(details, "code"),
    durationMs: amount(object(event, "metrics") ?? NOTHING, "duration_ms"),
  });
  const decided = decisionOf(base, event, outcome === "denied" ? "denied" : undefined);
  return [told, ...decided, ...asides(base, contentOf(event), "thought", "response", "plan", "notification")];
}

function statusOf(event: JsonObject): string | undefined {
  return text(object(event, "action") ?? NOTHING, "status");
}
