import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { Activity, ActivityBase, ActivityDetails } from "../activity.ts";
import { amount, firstText, NOTHING, object, text } from "../members.ts";
import { given, tell, withoutSpend } from "../tell.ts";
import { asides, contentOf, planIn, textOf, wordsOf } from "./content.ts";
import { extensionText } from "./extensions.ts";

export function promptSubmitted(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = contentOf(event);
  return [tell(base, "prompt", wordsOf(content, "prompt")), ...asides(base, content, "thought", "response", "plan", "notification")];
}

export function modelThought(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = contentOf(event);
  const durationMs = amount(object(event, "metrics") ?? NOTHING, "duration_ms");
  return [
    tell(base, "thought", { ...wordsOf(content, "thought"), durationMs }),
    ...asides(base, content, "prompt", "response", "plan", "notification"),
  ];
}

export function modelResponse(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = contentOf(event);
  return [tell(base, "response", wordsOf(content, "response")), ...asides(base, content, "prompt", "thought", "plan", "notification")];
}

/** Pieces of an answer, of a thought, or of both. The draft has no place for a stream's id: extensions do. */
export function modelDelta(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = contentOf(event);
  const outputId = extensionText(event, "stream-id", "stream", "message-id", "output-id");
  const extensions = object(event, "extensions") ?? NOTHING;
  const last = extensions["x-final"] === true || extensions["x-last"] === true;
  const thought = textOf(content, "thought");
  const response = textOf(content, "response", "other");
  if (thought === undefined) return [tell(base, "output.chunk", { outputId, text: response ?? "", last, of: "response" })];
  const told = tell(base, "output.chunk", { outputId, text: thought, last, of: "thought" });
  if (response === undefined) return [told];
  return [told, tell(withoutSpend(base), "output.chunk", { outputId, text: response, last, of: "response" })];
}

export function modelPlan(base: ActivityBase, event: JsonObject): readonly Activity[] {
  const content = contentOf(event);
  const plan = planIn(content);
  const items = itemsOf(object(event, "action")?.["input"]);
  return [
    tell(base, "plan", items.length === 0 ? plan : { ...plan, items }),
    ...asides(base, content, "prompt", "thought", "response", "notification"),
  ];
}

/** What agents call the list of things to do. */
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
  return [given<Item>({ text: words, status: text(item, "status") })];
}
