import { diffArrays } from "diff";
import { languageWordsFor } from "../sentences/languages.ts";

export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** A displayed line; `skip` stands for omitted lines. */
export interface ShownLine {
  readonly kind: DiffLine["kind"] | "skip";
  readonly text: string;
}

/** The search time is quadratic in the number of edits. */
const MAX_EDITS = 2000;

/**
 * Aligns the lines of two texts into kept, removed and added ones. Texts with more than MAX_EDITS edits between their common start and
 * end are not aligned: all old lines are removed, all new ones added.
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

/** Context lines around a change. */
const AROUND = 3;

/** The line differences of two texts, with long unchanged parts omitted and counted. */
export function diffLines(before: string, after: string, language = "en"): readonly ShownLine[] {
  return shorten(compareLines(splitLines(before), splitLines(after)), languageWordsFor(language).catalogue.story.linesKept);
}

export function splitLines(text: string): readonly string[] {
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
