import { diffArrays } from "diff";

export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** The time of the search grows with the square of the edits. */
const MAX_EDITS = 2000;

/**
 * Every line of two texts, in order: what stays, what goes and what comes. Texts with more than MAX_EDITS edits between their common
 * beginning and end are not aligned: all lines of the one go, all lines of the other come.
 */
export function compareLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let top = 0;
  while (top < shorter && before[top] === after[top]) top++;
  let bottom = 0;
  while (bottom < shorter - top && before[before.length - 1 - bottom] === after[after.length - 1 - bottom]) bottom++;
  const gone = before.slice(top, before.length - bottom);
  const fresh = after.slice(top, after.length - bottom);
  const changes = diffArrays(gone, fresh, { maxEditLength: MAX_EDITS });
  return [
    ...mark("same", before.slice(0, top)),
    ...(changes?.flatMap(({ added, removed, value }) => mark(added ? "new" : removed ? "gone" : "same", value)) ?? [
      ...mark("gone", gone),
      ...mark("new", fresh),
    ]),
    ...mark("same", before.slice(before.length - bottom)),
  ];
}

function mark(kind: DiffLine["kind"], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}
