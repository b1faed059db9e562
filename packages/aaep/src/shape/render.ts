import type { JsonObject } from "@earshot/protocol";
import type { Boundary } from "../terms.ts";
import type { EventFacts } from "./event-facts.ts";
import type { StateItem } from "./item.ts";
import { BOUNDARY_LEVELS, type BoundaryLevel } from "./limits.ts";
import type { TextCut } from "./text-item.ts";

interface TextFacts {
  readonly eventId: string;
  readonly stamp: unknown;
  readonly boundaries: ReadonlySet<Boundary>;
}

/** An outgoing chunk: the latest one's envelope with the cut text. */
export function renderTextChunk(insight: EventFacts, cut: TextCut, { eventId, stamp, boundaries }: TextFacts): string {
  const { source: heard, chunk } = insight;
  const keepsHint = cut.isWhole && (chunk?.hint === undefined || boundaries.has(chunk.hint));
  if (cut.isWhole && keepsHint && eventId === heard.eventId && heard.event["sequence_number"] === undefined) return heard.text;
  const hint = keepsHint ? chunk?.hint : boundaryHintFor(cut.level, boundaries);
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
export function boundaryHintFor(level: BoundaryLevel, boundaries: ReadonlySet<Boundary>): Boundary | undefined {
  if (level === BOUNDARY_LEVELS.none) return boundaries.has("none") ? "none" : undefined;
  return COARSEST_FIRST.find((boundary) => BOUNDARY_LEVELS[boundary] <= level && boundaries.has(boundary));
}

/** The boundary that text waits for: the finest negotiated one, but at low load at least a paragraph. */
export function boundaryLevelFor(boundaries: ReadonlySet<Boundary>, load: "low" | "medium" | "high"): BoundaryLevel {
  const finest = Math.min(...[...boundaries].map((boundary) => BOUNDARY_LEVELS[boundary]), BOUNDARY_LEVELS.completion);
  const least = load === "low" ? BOUNDARY_LEVELS.paragraph : BOUNDARY_LEVELS.none;
  return toLevel(Math.max(finest, least));
}

function toLevel(value: number): BoundaryLevel {
  for (const level of Object.values(BOUNDARY_LEVELS)) if (level === value) return level;
  return BOUNDARY_LEVELS.completion;
}
