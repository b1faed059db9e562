import { isObject, type JsonObject } from "../../json.ts";
import type { Activity, ActivityBase, ActivityDetails } from "../activity.ts";
import { buildActivity, type WithUndefined, withoutUsage } from "../build-activity.ts";
import {
  EMPTY_OBJECT,
  findCallSubject,
  firstText,
  nonEmptyText,
  nonNegative,
  nonNullMember,
  objectMember,
  readCallOutcome,
} from "../members.ts";
import { firstTextOf, groupContent, sideActivities } from "./content.ts";

export function actionRequested(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = groupContent(event);
  const requested = buildActivity(base, "tool.requested", {
    ...callOf(event),
    why: nonEmptyText(objectMember(event, "action") ?? EMPTY_OBJECT, "rationale"),
    // A prompt in an action event is not a new prompt: it led to the action, or is a dialog's text about it.
    note: firstTextOf(content, "notification", "question", "prompt", "other"),
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
  const action = objectMember(event, "action") ?? EMPTY_OBJECT;
  const failure = action["error"];
  const details = objectMember(action, "error") ?? EMPTY_OBJECT;
  const output = nonNullMember(action, "output");
  const told = buildActivity(base, "tool.ended", {
    ...callOf(event),
    outcome,
    result: typeof output === "string" ? output : undefined,
    output: typeof output === "string" ? undefined : output,
    error: nonEmptyText(details, "message") ?? (typeof failure === "string" && failure !== "" ? failure : undefined),
    code: nonEmptyText(details, "code"),
    durationMs: nonNegative(objectMember(event, "metrics") ?? EMPTY_OBJECT, "duration_ms"),
  });
  const decided = decisionOf(base, event, outcome === "denied" ? "denied" : undefined);
  return [told, ...decided, ...sideActivities(base, groupContent(event), "thought", "response", "plan", "notification")];
}

function statusOf(event: JsonObject): string | undefined {
  return nonEmptyText(objectMember(event, "action") ?? EMPTY_OBJECT, "status");
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
  const control = objectMember(response, "control") ?? EMPTY_OBJECT;
  const decision = objectMember(response, "decision") ?? EMPTY_OBJECT;
  return buildActivity(base, "tool.decided", {
    callId: nonEmptyText(response, "action_id"),
    requestEventId: nonEmptyText(response, "request_event_id"),
    verdict: BEHAVIORS.get(control["behavior"]) ?? OUTCOMES.get(decision["outcome"]) ?? "unknown",
    behavior: nonEmptyText(control, "behavior"),
    ...readDecision(decision),
    message: nonEmptyText(control, "message") ?? nonEmptyText(decision, "feedback"),
    newInput: nonNullMember(control, "updated_input"),
    addedContext: nonEmptyText(control, "additional_context"),
  });
}

/** A decision that the event itself reports. Always present if the event means a decision. */
function decisionOf(base: ActivityBase, event: JsonObject, meant?: Verdict): readonly Activity[] {
  const { decision } = event;
  const verdict = isObject(decision) ? (OUTCOMES.get(decision["outcome"]) ?? meant) : meant;
  if (verdict === undefined) return [];
  const said = isObject(decision) ? decision : EMPTY_OBJECT;
  return [
    buildActivity(withoutUsage(base), "tool.decided", {
      callId: nonEmptyText(objectMember(event, "action") ?? EMPTY_OBJECT, "id"),
      tool: nameOfCalled(event),
      verdict,
      ...readDecision(said),
      message: nonEmptyText(said, "feedback"),
    }),
  ];
}

function readDecision(decision: JsonObject) {
  return {
    by: nonEmptyText(decision, "by"),
    why: nonEmptyText(decision, "reason"),
    policy: nonEmptyText(decision, "policy_id"),
    afterMs: nonNegative(decision, "response_time_ms"),
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
  const action = objectMember(event, "action") ?? EMPTY_OBJECT;
  const tool = objectMember(event, "tool") ?? EMPTY_OBJECT;
  const server = objectMember(event, "server") ?? EMPTY_OBJECT;
  const input = nonNullMember(action, "input");
  return {
    callId: nonEmptyText(action, "id"),
    tool: nameOfCalled(event) ?? "",
    toolTitle: nonEmptyText(tool, "display_name"),
    toolKind: KINDS.get(action["type"]),
    server: firstText(server, "name", "title", "url", "id"),
    subject: findCallSubject(input),
    input,
  };
}

/** The name of the called tool, skill or subagent. */
export function nameOfCalled(event: JsonObject): string | undefined {
  const tool = objectMember(event, "tool") ?? EMPTY_OBJECT;
  const skill = objectMember(event, "skill") ?? EMPTY_OBJECT;
  return firstText(tool, "name", "original_name", "display_name") ?? nonEmptyText(skill, "name") ?? subagentName(event);
}

/** The caller's name for a subagent. */
function subagentName(event: JsonObject): string | undefined {
  const action = objectMember(event, "action") ?? EMPTY_OBJECT;
  const input = objectMember(action, "input");
  if (action["type"] !== "subagent_spawn" || input === undefined) return undefined;
  return firstText(input, "subagent_type", "agent_type", "subagent", "agent", "agent_name", "name");
}
