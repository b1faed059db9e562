import { isObject, type JsonObject } from "../../json.ts";
import type { Activity, ActivityBase, ActivityDetails } from "../activity.ts";
import { buildActivity, type WithUndefined, withoutUsage } from "../build-activity.ts";
import { amount, anything, findCallSubject, firstText, NOTHING, object, readCallOutcome, text } from "../members.ts";
import { groupContent, sideActivities, textOf } from "./content.ts";

export function actionRequested(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = groupContent(event);
  const requested = buildActivity(base, "tool.requested", {
    ...callOf(event),
    why: text(object(event, "action") ?? NOTHING, "rationale"),
    // A prompt in an action event is not a new prompt: it led to the action, or is a dialog's text about it.
    note: textOf(content, "notification", "question", "prompt", "other"),
  });
  return [requested, ...decisionOf(base, event), ...sideActivities(base, content, "thought", "response", "plan")];
}

/** If status and type disagree, the status is more specific. */
export function actionCompleted(base: ActivityBase, event: JsonObject): readonly Activity[] {
  return ended(base, event, readCallOutcome(statusOf(event)) ?? "succeeded");
}

export function actionFailed(base: ActivityBase, event: JsonObject): readonly Activity[] {
  return ended(base, event, readCallOutcome(statusOf(event)) ?? "failed");
}

export function actionDenied(base: ActivityBase, event: JsonObject): readonly Activity[] {
  return ended(base, event, "denied");
}

function ended(base: ActivityBase, event: JsonObject, outcome: ActivityDetails["tool.ended"]["outcome"]): readonly Activity[] {
  const action = object(event, "action") ?? NOTHING;
  const failure = action["error"];
  const details = object(action, "error") ?? NOTHING;
  const output = anything(action, "output");
  const told = buildActivity(base, "tool.ended", {
    ...callOf(event),
    outcome,
    result: typeof output === "string" ? output : undefined,
    output: typeof output === "string" ? undefined : output,
    error: text(details, "message") ?? (typeof failure === "string" && failure !== "" ? failure : undefined),
    code: text(details, "code"),
    durationMs: amount(object(event, "metrics") ?? NOTHING, "duration_ms"),
  });
  const decided = decisionOf(base, event, outcome === "denied" ? "denied" : undefined);
  return [told, ...decided, ...sideActivities(base, groupContent(event), "thought", "response", "plan", "notification")];
}

function statusOf(event: JsonObject): string | undefined {
  return text(object(event, "action") ?? NOTHING, "status");
}

type Verdict = ActivityDetails["tool.decided"]["verdict"];

const BEHAVIORS: ReadonlyMap<unknown, Verdict> = new Map([
  ["allow", "approved"],
  ["continue", "approved"],
  ["deny", "denied"],
  ["block", "denied"],
  ["stop", "denied"],
  ["ask", "asked"],
  ["defer", "deferred"],
  ["abstain", "abstained"],
]);
const OUTCOMES: ReadonlyMap<unknown, Verdict> = new Map([
  ["approved", "approved"],
  ["denied", "denied"],
]);

/** The response to a hook. The agent follows the behavior; the outcome is what was recorded about it. */
export function hookResponse(base: ActivityBase, response: JsonObject): Activity {
  const control = object(response, "control") ?? NOTHING;
  const decision = object(response, "decision") ?? NOTHING;
  return buildActivity(base, "tool.decided", {
    callId: text(response, "action_id"),
    requestEventId: text(response, "request_event_id"),
    verdict: BEHAVIORS.get(control["behavior"]) ?? OUTCOMES.get(decision["outcome"]) ?? "unknown",
    behavior: text(control, "behavior"),
    ...readDecision(decision),
    message: text(control, "message") ?? text(decision, "feedback"),
    newInput: anything(control, "updated_input"),
    addedContext: text(control, "additional_context"),
  });
}

/** A decision that the event itself reports. Always present if the event means a decision. */
function decisionOf(base: ActivityBase, event: JsonObject, meant?: Verdict): readonly Activity[] {
  const { decision } = event;
  const verdict = isObject(decision) ? (OUTCOMES.get(decision["outcome"]) ?? meant) : meant;
  if (verdict === undefined) return [];
  const said = isObject(decision) ? decision : NOTHING;
  return [
    buildActivity(withoutUsage(base), "tool.decided", {
      callId: text(object(event, "action") ?? NOTHING, "id"),
      tool: toolName(event),
      verdict,
      ...readDecision(said),
      message: text(said, "feedback"),
    }),
  ];
}

function readDecision(decision: JsonObject) {
  return {
    by: text(decision, "by"),
    why: text(decision, "reason"),
    policy: text(decision, "policy_id"),
    afterMs: amount(decision, "response_time_ms"),
  };
}

type Call = Pick<ActivityDetails["tool.ended"], "callId" | "tool" | "toolTitle" | "toolKind" | "server" | "subject" | "input">;

const KINDS: ReadonlyMap<unknown, "tool" | "skill" | "subagent" | "other"> = new Map([
  ["tool_call", "tool"],
  ["skill_use", "skill"],
  ["subagent_spawn", "subagent"],
  ["other", "other"],
]);

/** The call of an action event: the verb and the nouns it refers to. */
function callOf(event: JsonObject): WithUndefined<Call> {
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
    subject: findCallSubject(input),
    input,
  };
}

/** The name of the called tool, skill or subagent. */
export function toolName(event: JsonObject): string | undefined {
  const tool = object(event, "tool") ?? NOTHING;
  const skill = object(event, "skill") ?? NOTHING;
  return firstText(tool, "name", "original_name", "display_name") ?? text(skill, "name") ?? subagentName(event);
}

/** The caller's name for a subagent. */
function subagentName(event: JsonObject): string | undefined {
  const action = object(event, "action") ?? NOTHING;
  const input = object(action, "input");
  if (action["type"] !== "subagent_spawn" || input === undefined) return undefined;
  return firstText(input, "subagent_type", "agent_type", "subagent", "agent", "agent_name", "name");
}
