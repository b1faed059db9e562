import { isObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { Activity, ActivityBase, ActivityDetails } from "../activity.ts";
import { buildActivity, omitUndefined, withoutUsage } from "../build-activity.ts";
import { EMPTY_OBJECT, firstText, nonEmptyText, nonNegative, objectMember } from "../members.ts";
import { extensionText } from "./base.ts";
import { firstTextOf, groupContent, ownWordsOf, readPlan, sideActivities } from "./content.ts";

export function promptSubmitted(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = groupContent(event);
  return [
    buildActivity(base, "prompt", ownWordsOf(content, "prompt")),
    ...sideActivities(base, content, "thought", "response", "plan", "notification"),
  ];
}

export function modelThought(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = groupContent(event);
  const durationMs = nonNegative(objectMember(event, "metrics") ?? EMPTY_OBJECT, "duration_ms");
  return [
    buildActivity(base, "thought", { ...ownWordsOf(content, "thought"), durationMs }),
    ...sideActivities(base, content, "prompt", "response", "plan", "notification"),
  ];
}

export function modelResponse(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = groupContent(event);
  return [
    buildActivity(base, "response", ownWordsOf(content, "response")),
    ...sideActivities(base, content, "prompt", "thought", "plan", "notification"),
  ];
}

/** Pieces of a response, a thought, or both. The draft has no member for a stream id; extensions carry it. */
export function modelDelta(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = groupContent(event);
  const outputId = extensionText(event, "stream-id", "stream", "message-id", "output-id");
  const extensions = objectMember(event, "extensions") ?? EMPTY_OBJECT;
  const last = extensions["x-final"] === true || extensions["x-last"] === true;
  const thought = firstTextOf(content, "thought");
  const response = firstTextOf(content, "response", "other");
  if (thought === undefined) return [buildActivity(base, "output.chunk", { outputId, text: response ?? "", last, of: "response" })];
  const told = buildActivity(base, "output.chunk", { outputId, text: thought, last, of: "thought" });
  if (response === undefined) return [told];
  return [told, buildActivity(withoutUsage(base), "output.chunk", { outputId, text: response, last, of: "response" })];
}

export function modelPlan(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = groupContent(event);
  const plan = readPlan(content);
  const items = itemsOf(objectMember(event, "action")?.["input"]);
  return [
    buildActivity(base, "plan", items.length === 0 ? plan : { ...plan, items }),
    ...sideActivities(base, content, "prompt", "thought", "response", "notification"),
  ];
}

/** Agents' names for a todo list. */
const LISTS = ["todos", "plan", "items", "tasks", "steps"] as const;

type Item = ActivityDetails["plan"]["items"][number];

function itemsOf(input: JsonValue | undefined): readonly Item[] {
  if (!isObject(input)) return [];
  for (const name of LISTS) {
    const list = input[name];
    if (!Array.isArray(list)) continue;
    const found = (list as readonly JsonValue[]).flatMap(itemOf);
    if (found.length > 0) return found;
  }
  return [];
}

function itemOf(item: JsonValue): readonly Item[] {
  if (typeof item === "string") return [{ text: item }];
  const words = isObject(item) ? firstText(item, "content", "text", "title", "step", "task") : undefined;
  if (!isObject(item) || words === undefined) return [];
  return [omitUndefined<Item>({ text: words, status: nonEmptyText(item, "status") })];
}

export function notificationSent(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = groupContent(event);
  return [
    buildActivity(base, "notification", {
      ...ownWordsOf(content, "notification"),
      topic: nonEmptyText(objectMember(event, "lifecycle") ?? EMPTY_OBJECT, "trigger"),
      level: extensionText(event, "level", "severity"),
    }),
    ...sideActivities(base, content, "prompt", "thought", "response", "plan"),
  ];
}

/** The action id joins question and answer, if there is one. */
export function questionAsked(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const action = objectMember(event, "action") ?? EMPTY_OBJECT;
  const content = groupContent(event);
  return [
    buildActivity(base, "request.asked", {
      request: "clarification",
      token: nonEmptyText(action, "id"),
      prompt: firstTextOf(content, "question", "other") ?? firstTextOf(content) ?? "",
      choices: choicesOf(action["input"]),
      callId: nonEmptyText(action, "id"),
    }),
  ];
}

export function questionAnswered(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const decision = objectMember(event, "decision") ?? EMPTY_OBJECT;
  return [
    buildActivity(base, "request.answered", {
      request: "clarification",
      token: nonEmptyText(objectMember(event, "action") ?? EMPTY_OBJECT, "id"),
      answer: firstTextOf(groupContent(event), "answer", "response", "other") ?? "",
      by: nonEmptyText(decision, "by"),
      reason: nonEmptyText(decision, "reason"),
    }),
  ];
}

/** Agents ask one question or several at once; choices can be attributed only if there is one question. */
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
