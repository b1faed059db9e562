import type { JsonObject } from "../../json.ts";
import type { Activity, ActivityBase } from "../activity.ts";
import { buildActivity, withoutUsage } from "../build-activity.ts";
import { amount, firstText, NOTHING, object, readOutcome, text } from "../members.ts";
import { toolName } from "./actions.ts";
import { extensionText } from "./base.ts";
import { groupContent, sideActivities, textOf, wordsOf } from "./content.ts";

/** Sources of sessions that existed before. */
const GOING_ON: readonly unknown[] = ["resume", "continue", "continuation", "compact"];

export function sessionStart(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const source = text(object(event, "lifecycle") ?? NOTHING, "source");
  const opened = buildActivity(base, "session.opened", {
    version: text(object(event, "agent") ?? NOTHING, "version"),
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
      error: outcome === "failed" ? (error ?? textOf(content, "notification", "other")) : error,
      code,
      result: textOf(content, "response"),
      calls: amount(metrics, "tool_call_count"),
      durationMs: amount(metrics, "duration_ms"),
    }),
  ];
}

export function agentStart(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const lifecycle = object(event, "lifecycle") ?? NOTHING;
  const reason = text(lifecycle, "source") ?? text(lifecycle, "trigger");
  return [buildActivity(base, "turn.started", { reason }), ...sideActivities(base, groupContent(event), "prompt")];
}

/** Agents use the name Stop for the moment after an answer, when they wait for the next prompt. */
export function agentStop(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const { reason, metrics, content } = endOf(event);
  const words = wordsOf(content, "response");
  const ended = { reason, durationMs: amount(metrics, "duration_ms") };
  if (words.text === "") return [buildActivity(base, "turn.ended", ended)];
  return [buildActivity(base, "response", words), buildActivity(withoutUsage(base), "turn.ended", ended)];
}

export function agentError(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const { reason, error, code, content } = endOf(event);
  const message = textOf(content, "notification", "other", "response") ?? error ?? textOf(content) ?? reason ?? "";
  const action = object(event, "action");
  return [
    buildActivity(base, "error", {
      message,
      code: code ?? (reason === message ? undefined : reason),
      callId: action === undefined ? undefined : text(action, "id"),
      tool: toolName(event),
    }),
  ];
}

/** The members that describe an end, shared by all kinds of ends. */
function endOf(event: JsonObject) {
  const lifecycle = object(event, "lifecycle") ?? NOTHING;
  const failure = object(object(event, "action") ?? NOTHING, "error") ?? NOTHING;
  return {
    reason: text(lifecycle, "reason"),
    error: text(failure, "message"),
    code: text(failure, "code"),
    metrics: object(event, "metrics") ?? NOTHING,
    content: groupContent(event),
  };
}

export function subagentStart(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const input = inputOf(event);
  return [
    buildActivity(base, "subagent.started", {
      ...childOf(base, event),
      goal: textOf(groupContent(event), "prompt", "other") ?? firstText(input, "task", "prompt", "goal", "description"),
      why: text(object(event, "action") ?? NOTHING, "rationale"),
    }),
  ];
}

export function subagentStop(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const action = object(event, "action") ?? NOTHING;
  return [
    buildActivity(base, "subagent.ended", {
      ...childOf(base, event),
      outcome: text(action, "status") ?? text(object(event, "lifecycle") ?? NOTHING, "reason"),
      result: textOf(groupContent(event), "response", "notification", "other"),
      durationMs: amount(object(event, "metrics") ?? NOTHING, "duration_ms"),
    }),
  ];
}

/**
 * An event that names its session's parent comes from the child. Otherwise it comes from the parent and names the child in some other
 * member.
 */
function childOf(base: ActivityBase, event: JsonObject) {
  const input = inputOf(event);
  const action = object(event, "action") ?? NOTHING;
  const { parent } = base;
  const child =
    extensionText(event, "child-session-id", "subagent-session-id", "subagent-id") ??
    firstText(input, "child_session_id", "subagent_session_id", "subagent_id", "agent_id");
  return {
    child: parent === undefined ? child : base.session,
    childAgent:
      extensionText(event, "subagent-type", "agent-type", "subagent") ??
      toolName(event) ??
      firstText(input, "subagent_type", "agent_type", "child_agent_id", "agent_name") ??
      (parent === undefined || base.agent === "" ? undefined : base.agent),
    callId: parent?.callId ?? text(action, "id"),
  };
}

function inputOf(event: JsonObject): JsonObject {
  return object(object(event, "action") ?? NOTHING, "input") ?? NOTHING;
}

export function contextCompacted(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const lifecycle = object(event, "lifecycle") ?? NOTHING;
  return [
    buildActivity(base, "context.compacted", {
      trigger: firstText(lifecycle, "trigger", "source", "reason"),
      summary: textOf(groupContent(event)),
    }),
  ];
}

/** The draft has a member for the workspace and none for the change; extensions, the action or the text carry it. */
export function workspaceChanged(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const lifecycle = object(event, "lifecycle") ?? NOTHING;
  return [
    buildActivity(base, "workspace.changed", {
      path:
        extensionText(event, "path", "file-path", "file") ??
        firstText(inputOf(event), "file_path", "filePath", "path") ??
        textOf(groupContent(event)),
      change: extensionText(event, "change", "event") ?? firstText(lifecycle, "reason", "trigger"),
    }),
  ];
}
