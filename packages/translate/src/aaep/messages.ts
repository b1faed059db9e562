import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { firstText, object, text } from "../members.ts";
import { tell } from "../tell.ts";

export function confirmationReply(base: ActivityBase, reply: JsonObject): Activity {
  return tell(base, "request.answered", {
    request: "confirmation",
    token: text(reply, "reply_token"),
    answer: text(reply, "decision") ?? "",
    by: text(reply, "decided_by"),
    reason: firstText(reply, "decision_rationale", "decision_reason"),
    change: object(reply, "modified_action"),
  });
}

export function clarificationReply(base: ActivityBase, reply: JsonObject): Activity {
  return tell(base, "request.answered", {
    request: "clarification",
    token: text(reply, "reply_token"),
    answer: answerOf(reply["response"]),
    by: text(reply, "decided_by"),
    reason: firstText(reply, "decision_rationale", "decision_reason"),
  });
}

/** Yes and no and numbers are answers too. */
function answerOf(response: JsonValue | undefined): string {
  if (typeof response === "string") return response;
  return typeof response === "boolean" || typeof response === "number" ? String(response) : "";
}

/** The handshake, a manifest, or a message of an extension. */
export function otherMessage(base: ActivityBase, message: JsonObject): Activity {
  const summary = base.summary ?? firstText(message, "reason_message", "negotiation_notes");
  return tell(base, "custom", { summary, data: message });
}
