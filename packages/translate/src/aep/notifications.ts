import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { firstText, NOTHING, object, text } from "../members.ts";
import { tell } from "../tell.ts";
import { asides, contentOf, textOf, wordsOf } from "./content.ts";
import { extensionText } from "./extensions.ts";

export function notificationSent(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = contentOf(event);
  return [
    tell(base, "notification", {
      ...wordsOf(content, "notification"),
      topic: text(object(event, "lifecycle") ?? NOTHING, "trigger"),
      level: extensionText(event, "level", "severity"),
    }),
    ...asides(base, content, "prompt", "thought", "response", "plan"),
  ];
}

/** Question and answer are joined by the id of the action where there is one. */
export function questionAsked(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const action = object(event, "action") ?? NOTHING;
  const content = contentOf(event);
  return [
    tell(base, "request.asked", {
      request: "clarification",
      token: text(action, "id"),
      prompt: textOf(content, "question", "other") ?? textOf(content) ?? "",
      choices: choicesOf(action["input"]),
      callId: text(action, "id"),
    }),
  ];
}

export function questionAnswered(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const decision = object(event, "decision") ?? NOTHING;
  return [
    tell(base, "request.answered", {
      request: "clarification",
      token: text(object(event, "action") ?? NOTHING, "id"),
      answer: textOf(contentOf(event), "answer", "response", "other") ?? "",
      by: text(decision, "by"),
      reason: text(decision, "reason"),
    }),
  ];
}

/** Agents ask one question, or several at once; only for one of them are choices its choices. */
function choicesOf(input: JsonValue | undefined): readonly string[] | undefined {
  if (!isObject(input)) return undefined;
  const { questions } = input;
  const [only, second] = Array.isArray(questions) ? (questions as readonly JsonValue[]) : [];
  const asked = second === undefined && isObject(only) ? only : input;
  const options = asked["options"] ?? asked["choices"];
  if (!Array.isArray(options)) return undefined;
  const found: string[] = [];
  for (const option of options as readonly JsonValue[]) {
    const words = typeof option === "string" ? option : isObject(option) ? firstText(option, "label", "text", "value") : undefined;
    if (words !== undefined) found.push(words);
  }
  return found.length === 0 ? undefined : found;
}
