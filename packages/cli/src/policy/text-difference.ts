import { compareLines } from "@earshot/narrate";
import { visibleText } from "../inbox/visible-text.ts";

const CONTEXT_LINES = 2;
const MARKS = { same: " ", gone: "-", new: "+" } as const;

/** Every differing line of two texts, `-` removed and `+` added, with a few lines of context. */
export function textDifference(before: string, after: string): readonly string[] {
  const lines = compareLines(before.split("\n"), after.split("\n"));
  const isNear = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    for (let near = index - CONTEXT_LINES; near <= index + CONTEXT_LINES; near++) isNear.add(near);
  }
  return lines.flatMap(({ kind, text }, index) => (isNear.has(index) ? [`${MARKS[kind]} ${visibleText(text)}`] : []));
}
