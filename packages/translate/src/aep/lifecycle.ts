import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { amount, NOTHING, object, text } from "../members.ts";
import { outcomeOf } from "../outcome.ts";
import { tell, withoutSpend } from "../tell.ts";
import { toolName } from "./call.ts";
import { asides, contentOf, textOf, wordsOf } from "./content.ts";

/** Ways to begin that mean that the session was there before. */
const GOING_ON: readonly unknown[] = ["resume", "continue", "continuation", "compact"];

export function sessionStart(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const source = text(object(event, "lifecycle") ?? NOTHING, "source");
  const opened = tell(base, "session.opened", {
    version: text(object(event, "agent") ?? NOTHING, "version"),
    source,
    resumed: source === undefined ? undefined : GOING_ON.includes(source),
  });
  return [opened, ...asides(base, contentOf(event), "prompt", "notification")];
}

export function sessionEnd(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const { reason, error, code, metrics, content } = endOf(event);
  const outcome = outcomeOf(reason) ?? (error === undefined ? "unknown" : "failed");
  return [
    tell(base, "session.closed", {
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
  return [tell(base, "turn.started", { reason }), ...asides(base, contentOf(event), "prompt")];
}

/** Agents call the moment Stop at which they have answered and wait for the next prompt. */
export function agentStop(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const { reason, metrics, content } = endOf(event);
  const words = wordsOf(content, "response");
  const ended = { reason, durationMs: amount(metrics, "duration_ms") };
  if (words.text === "") return [tell(base, "turn.ended", ended)];
  return [tell(base, "response", words), tell(withoutSpend(base), "turn.ended", ended)];
}

export function agentError(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const { reason, error, code, content } = endOf(event);
  const message = textOf(content, "notification", "other", "response") ?? error ?? textOf(content) ?? reason ?? "";
  const action = object(event, "action");
  return [
    tell(base, "error", {
      message,
      code: code ?? (reason === message ? undefined : reason),
      callId: action === undefined ? undefined : text(action, "id"),
      tool: toolName(event),
    }),
  ];
}

/** What tells how something ended, whatever it was. */
function endOf(event: JsonObject) {
  const lifecycle = object(event, "lifecycle") ?? NOTHING;
  const failure = object(object(event, "action") ?? NOTHING, "error") ?? NOTHING;
  return {
    reason: text(lifecycle, "reason"),
    error: text(failure, "message"),
    code: text(failure, "code"),
    metrics: object(event, "metrics") ?? NOTHING,
    content: contentOf(event),
  };
}
