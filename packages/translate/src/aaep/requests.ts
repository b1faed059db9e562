import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { amount, firstText, flag, LEVELS, NOTHING, object, objects, oneOf, text, texts } from "../members.ts";
import { tell } from "../tell.ts";

export function awaitingConfirmation(base: ActivityBase, event: JsonObject): Activity {
  // No field of the protocol links a question to its call; producers mirror the link here.
  const about = object(event, "extra_context") ?? NOTHING;
  return tell(base, "request.asked", {
    request: "confirmation",
    token: text(event, "reply_token"),
    prompt: text(event, "action") ?? "",
    consequence: text(event, "consequence"),
    choices: texts(event, "allowed_replies"),
    risk: oneOf(event, "risk_level", LEVELS),
    reversible: reversible(event),
    callId: text(about, "tool_call_id"),
    tool: text(about, "tool"),
    timeoutMs: timeoutMs(event),
    byDefault: text(event, "default_decision"),
  });
}

/** Told twice, in two ways: what cannot be undone by either of them cannot be undone. */
function reversible(event: JsonObject): boolean | undefined {
  const irreversible = flag(event, "irreversible");
  const word = text(event, "reversibility");
  if (irreversible === true || word === "irreversible") return false;
  if (irreversible === false || word === "reversible" || word === "reversible_with_effort") return true;
  return undefined;
}

export function awaitingClarification(base: ActivityBase, event: JsonObject): Activity {
  const choices = objects(event, "choices");
  const labels = choices.map((choice) => firstText(choice, "label", "value") ?? "");
  const values = choices.map((choice) => firstText(choice, "value", "label") ?? "");
  return tell(base, "request.asked", {
    request: "clarification",
    token: text(event, "reply_token"),
    prompt: text(event, "question") ?? "",
    background: text(event, "context"),
    choices: labels.length === 0 ? (texts(event, "choices") ?? texts(event, "options")) : labels,
    choiceValues: values.every((value, index) => value === labels[index]) ? undefined : values,
    accepts: texts(event, "accepted_response_kinds"),
    timeoutMs: timeoutMs(event),
    byDefault: text(event, "default_response"),
  });
}

export function handoffRequested(base: ActivityBase, event: JsonObject): Activity {
  const targetKind = text(event, "target_kind");
  return tell(base, "handoff", {
    to: firstText(event, "target_uri", "handoff_target") ?? targetKind,
    targetKind,
    reason: text(event, "reason"),
    priority: text(event, "urgency_for_handoff"),
    briefing: object(event, "packaged_context"),
  });
}

function timeoutMs(event: JsonObject): number | undefined {
  const seconds = amount(event, "timeout_seconds");
  return seconds === undefined || seconds > Number.MAX_SAFE_INTEGER ? undefined : seconds * 1000;
}
