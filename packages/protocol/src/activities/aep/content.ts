import { isObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { Activity, ActivityBase, ActivityDetails } from "../activity.ts";
import { buildActivity, type WithUndefined, withoutUsage } from "../build-activity.ts";
import { booleanMember, nonEmptyText, nonNegative, oneOfWords } from "../members.ts";

const PART_TYPES = ["prompt", "thought", "response", "plan", "notification", "question", "answer"] as const;
/** `other`: no type, or an unknown one. */
type PartType = (typeof PART_TYPES)[number] | "other";

/** All parts of one type. Joining them keeps the number of activities small, whatever the number of parts. */
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
    const words = isObject(part) ? nonEmptyText(part, "text") : undefined;
    if (!isObject(part) || words === undefined) continue;
    const type = oneOfWords(part, "type", PART_TYPES) ?? "other";
    const before = found.get(type);
    if (before === undefined) {
      const [style, truncated] = [nonEmptyText(part, "style"), booleanMember(part, "truncated")];
      found.set(type, { texts: [words], style, truncated, originalLength: nonNegative(part, "original_length") });
    } else {
      before.texts.push(words);
      before.truncated = before.truncated === true || booleanMember(part, "truncated");
      // The event gives no original length for the joined text.
      before.originalLength = undefined;
    }
  }
  return found;
}

/** The text of an event's own type, or of untyped parts; empty if there is none. */
export function ownWordsOf(content: Content, type: PartType): WithUndefined<ActivityDetails["prompt"]> {
  const part = content.get(type) ?? content.get("other");
  if (part === undefined) return { text: "" };
  const { texts, style, truncated, originalLength } = part;
  return { text: texts.join(BETWEEN_PARTS), style, truncated, originalLength };
}

/** The first text of any of the given types; of any type if none is given. */
export function firstTextOf(content: Content, ...types: readonly PartType[]): string | undefined {
  for (const type of types.length === 0 ? content.keys() : types) {
    const part = content.get(type);
    if (part !== undefined) return part.texts.join(BETWEEN_PARTS);
  }
  return undefined;
}

type Aside = "prompt" | "thought" | "response" | "plan" | "notification";

/** Activities for secondary parts of an event, without token usage and cost, which the main activity carries. */
export function sideActivities(base: ActivityBase, content: Content, ...kinds: readonly Aside[]): readonly Activity[] {
  const found: Activity[] = [];
  for (const kind of kinds) {
    if (!content.has(kind)) continue;
    const rest = withoutUsage(base);
    found.push(kind === "plan" ? buildActivity(rest, "plan", readPlan(content)) : buildActivity(rest, kind, ownWordsOf(content, kind)));
  }
  return found;
}

/** Several parts are several items. A single text cannot be split reliably. */
export function readPlan(content: Content): WithUndefined<ActivityDetails["plan"]> {
  const texts = (content.get("plan") ?? content.get("other"))?.texts ?? [];
  return { text: firstTextOf(content, "plan", "other"), items: texts.length < 2 ? [] : texts.map((text) => ({ text })) };
}
