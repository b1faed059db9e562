import { diffArrays } from "diff";
import { tongueFor } from "../sentences/languages.ts";

export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** A line as it is shown: `skip` stands for lines that are left out. */
export interface ShownLine {
  readonly kind: DiffLine["kind"] | "skip";
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

/** Lines around a change that stay the same and are shown for orientation. */
const AROUND = 3;

/** What changed between two texts, line by line. Long unchanged stretches are left out, and counted. */
export function diffLines(before: string, after: string, language = "en"): readonly ShownLine[] {
  return shorten(compareLines(linesOf(before), linesOf(after)), tongueFor(language).catalogue.story.linesKept);
}

export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function shorten(lines: readonly DiffLine[], say: (count: number) => string): readonly ShownLine[] {
  const shown: ShownLine[] = [];
  for (let index = 0; index < lines.length; ) {
    let end = index;
    while (end < lines.length && lines[end]?.kind === "same") end++;
    if (end === index) {
      shown.push(...lines.slice(index, index + 1));
      index++;
      continue;
    }
    const isFirst = index === 0;
    const isLast = end === lines.length;
    const head = isFirst ? 0 : AROUND;
    const tail = isLast ? 0 : AROUND;
    const left = end - index - head - tail;
    if (left <= 1) shown.push(...lines.slice(index, end));
    else {
      shown.push(...lines.slice(index, index + head));
      shown.push({ kind: "skip", text: say(left) });
      shown.push(...lines.slice(end - tail, end));
    }
    index = end;
  }
  return shown;
}
