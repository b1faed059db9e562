import type { JsonObject } from "@earshot/protocol";
import type { Boundary } from "../terms.ts";
import type { Insight } from "./insight.ts";
import type { StateItem } from "./item.ts";
import { LEVELS, type Level } from "./limits.ts";
import type { Cut } from "./text-item.ts";

interface TextFacts {
  readonly eventId: string;
  readonly stamp: unknown;
  readonly boundaries: ReadonlySet<Boundary>;
}

/** An outgoing chunk: the latest one's envelope with the cut text. */
export function renderText(insight: Insight, cut: Cut, { eventId, stamp, boundaries }: TextFacts): string {
  const { heard, chunk } = insight;
  const keepsHint = cut.isWhole && (chunk?.hint === undefined || boundaries.has(chunk.hint));
  if (cut.isWhole && keepsHint && eventId === heard.eventId && heard.event["sequence_number"] === undefined) return heard.text;
  const hint = keepsHint ? chunk?.hint : hintFor(cut.level, boundaries);
  const [before, after] = insight.frame;
  const { text, position, isComplete } = cut;
  const anew = JSON.stringify({ event_id: eventId, timestamp: stamp, chunk: text, position, complete: isComplete, coalesce_hint: hint });
  return `${before}${anew.slice(1, -1)}${after}`;
}

/** Merged state changes: from the first one's origin to the last one's target, in the last one's words. */
export function renderState({ step }: StateItem, eventId: string, last: JsonObject): string {
  return JSON.stringify({ ...last, event_id: eventId, from_state: step.from });
}

const COARSEST_FIRST = ["completion", "paragraph", "sentence", "word"] as const;

/** The coarsest negotiated boundary at the text's end; undefined if there is none to report. */
export function hintFor(level: Level, boundaries: ReadonlySet<Boundary>): Boundary | undefined {
  if (level === LEVELS.none) return boundaries.has("none") ? "none" : undefined;
  return COARSEST_FIRST.find((boundary) => LEVELS[boundary] <= level && boundaries.has(boundary));
}

/** The boundary that text waits for: the finest negotiated one, but at low load at least a paragraph. */
export function levelFor(boundaries: ReadonlySet<Boundary>, load: "low" | "medium" | "high"): Level {
  const finest = Math.min(...[...boundaries].map((boundary) => LEVELS[boundary]), LEVELS.completion);
  const least = load === "low" ? LEVELS.paragraph : LEVELS.none;
  return toLevel(Math.max(finest, least));
}

function toLevel(value: number): Level {
  for (const level of Object.values(LEVELS)) if (level === value) return level;
  return LEVELS.completion;
}
