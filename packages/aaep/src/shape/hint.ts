import type { Boundary } from "../terms.ts";
import { LEVELS, type Level } from "./limits.ts";

const COARSEST_FIRST = ["completion", "paragraph", "sentence", "word"] as const;

/** The coarsest boundary that was negotiated and that the text does end at; undefined when there is none to tell. */
export function hintFor(level: Level, boundaries: ReadonlySet<Boundary>): Boundary | undefined {
  if (level === LEVELS.none) return boundaries.has("none") ? "none" : undefined;
  return COARSEST_FIRST.find((boundary) => LEVELS[boundary] <= level && boundaries.has(boundary));
}

/** The boundary that text waits for: the finest that was negotiated, but with a low load no less than a paragraph. */
export function levelFor(boundaries: ReadonlySet<Boundary>, load: "low" | "medium" | "high"): Level {
  const finest = Math.min(...[...boundaries].map((boundary) => LEVELS[boundary]), LEVELS.completion);
  const least = load === "low" ? LEVELS.paragraph : LEVELS.none;
  return toLevel(Math.max(finest, least));
}

function toLevel(value: number): Level {
  for (const level of Object.values(LEVELS)) if (level === value) return level;
  return LEVELS.completion;
}
