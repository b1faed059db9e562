/** Points of asking, answering and releasing at which a hub is killed. */
export const POINTS = [
  "before it is asked",
  "asked, and nobody told",
  "before more time",
  "more time, and nobody told",
  "before it is decided",
  "while it is decided",
  "decided, and nobody told",
] as const;
export type Point = (typeof POINTS)[number];

export function isPoint(text: string): text is Point {
  return (POINTS as readonly string[]).includes(text);
}

/** The line a hub prints at the point. */
export function arrivalOf(point: Point): string {
  return `standing still: ${point}`;
}
