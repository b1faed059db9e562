import type { SearchHit } from "@earshot/hub";
import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";

/** What means something else in a regular expression. */
const SIGNS = /[\^$.*+?()[\]{}|/-]|\\/g;

/** Sets apart the words that were found, after the lines were broken: escapes take no room in them. */
export function highlight(lines: readonly string[], { snippet, marks }: SearchHit, { bold }: Style): readonly string[] {
  const words = new Set(marks.map(([start, end]) => plainText(snippet.slice(start, end)).trim()).filter((word) => word.length > 1));
  if (words.size === 0) return lines;
  // The longest first, since one may be the beginning of another.
  const sorted = [...words].sort((left, right) => right.length - left.length).map((word) => word.replaceAll(SIGNS, "\\$&"));
  const any = new RegExp(sorted.join("|"), "g");
  return lines.map((line) => line.replaceAll(any, (word) => bold(word)));
}
