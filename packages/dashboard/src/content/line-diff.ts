import { type DiffLine as ComparedLine, compareLines } from "@earshot/narrate";

export interface DiffLine {
  readonly kind: ComparedLine["kind"] | "skip";
  readonly text: string;
}

/** What is done to one file. */
export interface FileChange {
  /** Empty where nobody says which. */
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

/** Lines around a change that stay the same and are shown for orientation. */
const AROUND = 3;

/** What changed between two texts, line by line. Long stretches that stay the same are left out, and counted. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  return shorten(compareLines(linesOf(before), linesOf(after)));
}

export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function shorten(lines: readonly DiffLine[]): readonly DiffLine[] {
  const shown: DiffLine[] = [];
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
      shown.push({ kind: "skip", text: `${left} lines that stay` });
      shown.push(...lines.slice(end - tail, end));
    }
    index = end;
  }
  return shown;
}
