import { EarshotError } from "@earshot/protocol/problem";
import type { ClarificationReply, ConfirmationReply } from "../messages.ts";
import type { Prompt } from "./open-prompts.ts";

/** What a person answers. Never made up by the subscriber itself. */
export type PromptReply = ConfirmationAnswer | ClarificationAnswer;

export interface ConfirmationAnswer {
  readonly decision: "accept" | "reject";
  /** `user:ana`. */
  readonly decidedBy?: string;
  readonly rationale?: string;
  /** What is accepted instead; a producer that knows nothing of it takes the reply for a no. */
  readonly modifiedAction?: object;
}

export interface ClarificationAnswer {
  readonly response: string | number | boolean;
  readonly decidedBy?: string;
  readonly confidence?: number;
}

/** An answer as it travels, or a problem where it is none to this question. */
export function toReply(
  prompt: Pick<Prompt, "token" | "kind" | "event" | "kinds" | "choices">,
  reply: PromptReply,
  from: { readonly subscriptionId: string; readonly now: number },
): ConfirmationReply | ClarificationReply {
  const base = {
    reply_token: prompt.token,
    subscription_id: from.subscriptionId,
    timestamp: new Date(from.now).toISOString(),
    ...(reply.decidedBy === undefined ? {} : { decided_by: reply.decidedBy.slice(0, 256) }),
  };
  if (prompt.kind === "confirmation") {
    if (!("decision" in reply)) throw wrong("A confirmation takes a decision: accept or reject.");
    const { decision, rationale, modifiedAction } = reply;
    const allowed = prompt.event["allowed_replies"];
    if (Array.isArray(allowed) && !allowed.includes(decision)) throw wrong(`This confirmation does not take ${decision}.`);
    return {
      type: "confirmation.reply",
      ...base,
      decision,
      ...(rationale === undefined || rationale === "" ? {} : { decision_rationale: rationale.slice(0, 4096) }),
      ...(modifiedAction === undefined ? {} : { modified_action: modifiedAction }),
    };
  }
  if (!("response" in reply)) throw wrong("A question takes a response.");
  const { response, confidence } = reply;
  if (!fits(response, prompt)) throw wrong(`This question takes ${prompt.kinds.join(", or ")}.`);
  return { type: "clarification.reply", ...base, response, ...(confidence === undefined ? {} : { confidence }) };
}

function fits(response: string | number | boolean, { kinds, choices }: Pick<Prompt, "kinds" | "choices">): boolean {
  if (typeof response === "boolean") return kinds.includes("yes_no");
  if (typeof response === "number") return Number.isFinite(response) && kinds.includes("numeric");
  if (response === "" || response.length > 16_384) return false;
  return kinds.includes("freetext") || (kinds.includes("multiple_choice") && choices.includes(response));
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "ANSWER_INVALID", message });
}
