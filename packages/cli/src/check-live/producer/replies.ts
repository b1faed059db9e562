import { randomBytes } from "node:crypto";
import type { JsonObject, JsonValue } from "@earshot/protocol";
import type { Line } from "./line.ts";
import type { Question } from "./question.ts";

export function confirmation(line: Line, question: Pick<Question, "token">, decision: string): JsonObject {
  return { type: "confirmation.reply", reply_token: question.token, decision, ...from(line), decided_by: "user:earshot-check" };
}

export function clarification(line: Line, question: Pick<Question, "token">, response: JsonValue): JsonObject {
  return { type: "clarification.reply", reply_token: question.token, response, ...from(line), decided_by: "user:earshot-check" };
}

export function inventedToken(): string {
  return `rpl_${randomBytes(16).toString("hex")}`;
}

/** The same token with its last character changed: well-formed, and never issued. */
export function alteredToken(token: string): string {
  return token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
}

/** A response that fits one of the accepted kinds, and one that fits none; undefined where every one fits. */
export function responses({ item }: Question): { readonly right: JsonValue; readonly wrong: JsonValue | undefined } {
  const listed = item.value["accepted_response_kinds"];
  const kinds = Array.isArray(listed) ? listed : ["freetext"];
  const choices = item.value["choices"];
  const [first] = Array.isArray(choices) ? choices : [];
  const value = typeof first === "object" && first !== null && "value" in first ? first["value"] : undefined;
  const right = kinds.includes("freetext")
    ? "The small one, please."
    : kinds.includes("multiple_choice") && typeof value === "string"
      ? value
      : kinds.includes("yes_no")
        ? true
        : 3;
  const wrong = !kinds.includes("numeric")
    ? 7
    : !kinds.includes("yes_no")
      ? true
      : !kinds.includes("freetext")
        ? "none of these, and no number either"
        : undefined;
  return { right, wrong };
}

function from(line: Line): JsonObject {
  // Without a handshake there is no subscription to name; the form asks for one all the same.
  return { subscription_id: line.subscriptionId ?? `sub_${randomBytes(16).toString("hex")}`, timestamp: new Date().toISOString() };
}
