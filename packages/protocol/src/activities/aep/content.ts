import { isObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { Activity, ActivityBase, ActivityDetails } from "../activity.ts";
import { buildActivity, type WithUndefined, withoutUsage } from "../build-activity.ts";
import { amount, flag, oneOf, text } from "../members.ts";

const PART_TYPES = ["prompt", "thought", "response", "plan", "notification", "question", "answer"] as const;
/** `other`: without a type, or with one nobody knows. */
type PartType = (typeof PART_TYPES)[number] | "other";

/** All parts of one type. Those belong together, so that an event is few activities, whatever the number of its parts. */
interface Part {
  readonly texts: string[];
  style: string | undefined;
  truncated: boolean | undefined;
  originalLength: number | undefined;
}

type Content = ReadonlyMap<PartType, Part>;

const EMPTY: Content = new Map();
const BETWEEN_PARTS = "\n\n";

export function groupContent(event: JsonObject): Content {
  const { content } = event;
  if (!Array.isArray(content)) return EMPTY;
  const found = new Map<PartType, Part>();
  for (const part of content as readonly JsonValue[]) {
    const words = isObject(part) ? text(part, "text") : undefined;
    if (!isObject(part) || words === undefined) continue;
    const type = oneOf(part, "type", PART_TYPES) ?? "other";
    const before = found.get(type);
    if (before === undefined) {
      const [style, truncated] = [text(part, "style"), flag(part, "truncated")];
      found.set(type, { texts: [words], style, truncated, originalLength: amount(part, "original_length") });
    } else {
      before.texts.push(words);
      before.truncated = before.truncated === true || flag(part, "truncated");
      // Of all of them together nobody said it.
      before.originalLength = undefined;
    }
  }
  return found;
}

/** The words of an event's own type, or those of no type; empty when there are none. */
export function wordsOf(content: Content, type: PartType): WithUndefined<ActivityDetails["prompt"]> {
  const part = content.get(type) ?? content.get("other");
  if (part === undefined) return { text: "" };
  const { texts, style, truncated, originalLength } = part;
  return { text: texts.join(BETWEEN_PARTS), style, truncated, originalLength };
}

/** The first text of any of these types; of any at all, when none is given. */
export function textOf(content: Content, ...types: readonly PartType[]): string | undefined {
  for (const type of types.length === 0 ? content.keys() : types) {
    const part = content.get(type);
    if (part !== undefined) return part.texts.join(BETWEEN_PARTS);
  }
  return undefined;
}

type Aside = "prompt" | "thought" | "response" | "plan" | "notification";

/** Parts that are not what the event is about, as activities of their own; what it spent is told elsewhere. */
export function sideActivities(base: ActivityBase, content: Content, ...kinds: readonly Aside[]): readonly Activity[] {
  const found: Activity[] = [];
  for (const kind of kinds) {
    if (!content.has(kind)) continue;
    const rest = withoutUsage(base);
    found.push(kind === "plan" ? buildActivity(rest, "plan", readPlan(content)) : buildActivity(rest, kind, wordsOf(content, kind)));
  }
  return found;
}

/** Several parts are several items; one is a text that only a person can take apart. */
export function readPlan(content: Content): WithUndefined<ActivityDetails["plan"]> {
  const texts = (content.get("plan") ?? content.get("other"))?.texts ?? [];
  return { text: textOf(content, "plan", "other"), items: texts.length < 2 ? [] : texts.map((text) => ({ text })) };
}
