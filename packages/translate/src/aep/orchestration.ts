import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { amount, firstText, NOTHING, object, text } from "../members.ts";
import { tell } from "../tell.ts";
import { toolName } from "./call.ts";
import { contentOf, textOf } from "./content.ts";
import { extensionText } from "./extensions.ts";

export function subagentStart(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const input = inputOf(event);
  return [
    tell(base, "subagent.started", {
      ...childOf(base, event),
      goal: textOf(contentOf(event), "prompt", "other") ?? firstText(input, "task", "prompt", "goal", "description"),
      why: text(object(event, "action") ?? NOTHING, "rationale"),
    }),
  ];
}

export function subagentStop(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const action = object(event, "action") ?? NOTHING;
  return [
    tell(base, "subagent.ended", {
      ...childOf(base, event),
      outcome: text(action, "status") ?? text(object(event, "lifecycle") ?? NOTHING, "reason"),
      result: textOf(contentOf(event), "response", "notification", "other"),
      durationMs: amount(object(event, "metrics") ?? NOTHING, "duration_ms"),
    }),
  ];
}

/** An event that names its session's parent is the child's own; otherwise the parent speaks, and names the child somewhere. */
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
    tell(base, "context.compacted", {
      trigger: firstText(lifecycle, "trigger", "source", "reason"),
      summary: textOf(contentOf(event)),
    }),
  ];
}

/** The draft has a place for the workspace and none for what changed in it: extensions, the action or the words say so. */
export function workspaceChanged(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const lifecycle = object(event, "lifecycle") ?? NOTHING;
  return [
    tell(base, "workspace.changed", {
      path:
        extensionText(event, "path", "file-path", "file") ??
        firstText(inputOf(event), "file_path", "filePath", "path") ??
        textOf(contentOf(event)),
      change: extensionText(event, "change", "event") ?? firstText(lifecycle, "reason", "trigger"),
    }),
  ];
}
