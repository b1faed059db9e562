import type { JsonObject } from "../../json.ts";
import type { Activity, ActivityBase } from "../activity.ts";
import { buildActivity, withoutUsage } from "../build-activity.ts";
import { EMPTY_OBJECT, firstText, nonEmptyText, nonNegative, objectMember, readOutcome } from "../members.ts";
import { nameOfCalled } from "./actions.ts";
import { extensionText } from "./base.ts";
import { firstTextOf, groupContent, ownWordsOf, sideActivities } from "./content.ts";

/** Sources of sessions that existed before. */
const GOING_ON: readonly unknown[] = ["resume", "continue", "continuation", "compact"];

export function sessionStart(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const source = nonEmptyText(objectMember(event, "lifecycle") ?? EMPTY_OBJECT, "source");
  const opened = buildActivity(base, "session.opened", {
    version: nonEmptyText(objectMember(event, "agent") ?? EMPTY_OBJECT, "version"),
    source,
    resumed: source === undefined ? undefined : GOING_ON.includes(source),
  });
  return [opened, ...sideActivities(base, groupContent(event), "prompt", "notification")];
}

export function sessionEnd(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const { reason, error, code, metrics, content } = endOf(event);
  const outcome = readOutcome(reason) ?? (error === undefined ? "unknown" : "failed");
  return [
    buildActivity(base, "session.closed", {
      outcome,
      reason,
      error: outcome === "failed" ? (error ?? firstTextOf(content, "notification", "other")) : error,
      code,
      result: firstTextOf(content, "response"),
      calls: nonNegative(metrics, "tool_call_count"),
      durationMs: nonNegative(metrics, "duration_ms"),
    }),
  ];
}

export function agentStart(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const lifecycle = objectMember(event, "lifecycle") ?? EMPTY_OBJECT;
  const reason = nonEmptyText(lifecycle, "source") ?? nonEmptyText(lifecycle, "trigger");
  return [buildActivity(base, "turn.started", { reason }), ...sideActivities(base, groupContent(event), "prompt")];
}

/** Agents use the name Stop for the moment after an answer, when they wait for the next prompt. */
export function agentStop(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const { reason, metrics, content } = endOf(event);
  const words = ownWordsOf(content, "response");
  const ended = { reason, durationMs: nonNegative(metrics, "duration_ms") };
  if (words.text === "") return [buildActivity(base, "turn.ended", ended)];
  return [buildActivity(base, "response", words), buildActivity(withoutUsage(base), "turn.ended", ended)];
}

export function agentError(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const { reason, error, code, content } = endOf(event);
  const message = firstTextOf(content, "notification", "other", "response") ?? error ?? firstTextOf(content) ?? reason ?? "";
  const action = objectMember(event, "action");
  return [
    buildActivity(base, "error", {
      message,
      code: code ?? (reason === message ? undefined : reason),
      callId: action === undefined ? undefined : nonEmptyText(action, "id"),
      tool: nameOfCalled(event),
    }),
  ];
}

/** The members that describe an end, shared by all kinds of ends. */
function endOf(event: JsonObject) {
  const lifecycle = objectMember(event, "lifecycle") ?? EMPTY_OBJECT;
  const failure = objectMember(objectMember(event, "action") ?? EMPTY_OBJECT, "error") ?? EMPTY_OBJECT;
  return {
    reason: nonEmptyText(lifecycle, "reason"),
    error: nonEmptyText(failure, "message"),
    code: nonEmptyText(failure, "code"),
    metrics: objectMember(event, "metrics") ?? EMPTY_OBJECT,
    content: groupContent(event),
  };
}

export function subagentStart(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const input = inputOf(event);
  return [
    buildActivity(base, "subagent.started", {
      ...childOf(base, event),
      goal: firstTextOf(groupContent(event), "prompt", "other") ?? firstText(input, "task", "prompt", "goal", "description"),
      why: nonEmptyText(objectMember(event, "action") ?? EMPTY_OBJECT, "rationale"),
    }),
  ];
}

export function subagentStop(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const action = objectMember(event, "action") ?? EMPTY_OBJECT;
  return [
    buildActivity(base, "subagent.ended", {
      ...childOf(base, event),
      outcome: nonEmptyText(action, "status") ?? nonEmptyText(objectMember(event, "lifecycle") ?? EMPTY_OBJECT, "reason"),
      result: firstTextOf(groupContent(event), "response", "notification", "other"),
      durationMs: nonNegative(objectMember(event, "metrics") ?? EMPTY_OBJECT, "duration_ms"),
    }),
  ];
}

/**
 * An event that names its session's parent comes from the child. Otherwise it comes from the parent and names the child in some other
 * member.
 */
function childOf(base: ActivityBase, event: JsonObject) {
  const input = inputOf(event);
  const action = objectMember(event, "action") ?? EMPTY_OBJECT;
  const { parent } = base;
  const child =
    extensionText(event, "child-session-id", "subagent-session-id", "subagent-id") ??
    firstText(input, "child_session_id", "subagent_session_id", "subagent_id", "agent_id");
  return {
    child: parent === undefined ? child : base.session,
    childAgent:
      extensionText(event, "subagent-type", "agent-type", "subagent") ??
      nameOfCalled(event) ??
      firstText(input, "subagent_type", "agent_type", "child_agent_id", "agent_name") ??
      (parent === undefined || base.agent === "" ? undefined : base.agent),
    callId: parent?.callId ?? nonEmptyText(action, "id"),
  };
}

function inputOf(event: JsonObject): JsonObject {
  return objectMember(objectMember(event, "action") ?? EMPTY_OBJECT, "input") ?? EMPTY_OBJECT;
}

export function contextCompacted(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const lifecycle = objectMember(event, "lifecycle") ?? EMPTY_OBJECT;
  return [
    buildActivity(base, "context.compacted", {
      trigger: firstText(lifecycle, "trigger", "source", "reason"),
      summary: firstTextOf(groupContent(event)),
    }),
  ];
}

/** The draft has a member for the workspace and none for the change; extensions, the action or the text carry it. */
export function workspaceChanged(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const lifecycle = objectMember(event, "lifecycle") ?? EMPTY_OBJECT;
  return [
    buildActivity(base, "workspace.changed", {
      path:
        extensionText(event, "path", "file-path", "file") ??
        firstText(inputOf(event), "file_path", "filePath", "path") ??
        firstTextOf(groupContent(event)),
      change: extensionText(event, "change", "event") ?? firstText(lifecycle, "reason", "trigger"),
    }),
  ];
}
