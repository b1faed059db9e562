import { type Cutting, type Passage, toPassage, UNCUT } from "./passage.ts";
import { plainText } from "./plain-text.ts";
import { type Style, wrap } from "./style.ts";

/**
 * One thing that is said: what it is, what is remarkable about it, and the agent's own words. Names and words may be
 * untrusted: whatever is laid out goes through `plainText`.
 */
export interface Saying {
  /** What it is, the most important word first: `Thought`, `Call bash failed after 2 seconds`. */
  readonly what: string;
  readonly tone?: Tone;
  /** Short, on the same line, after commas. */
  readonly remarks?: readonly string[];
  /** What was said in words. */
  readonly words?: string;
  /** On the same line while they are short. */
  readonly parts?: readonly Labelled[];
  /** On lines of their own. */
  readonly below?: readonly Labelled[];
}

/** Only ever repeats what the words say. */
export type Tone = "heading" | "plain" | "good" | "warning" | "bad";

export interface Labelled {
  /** Empty for a sentence of its own. */
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone;
}

/** How lines are laid out for whoever reads. */
export interface Layout {
  readonly width: number;
  readonly style: Style;
  /** Nothing is cut. */
  readonly full: boolean;
}

const WORDS: Cutting = { characters: 1000, lines: 12 };
const PART: Cutting = { characters: 160, lines: 3 };
const BELOW: Cutting = { characters: 400, lines: 6 };

/**
 * One saying as lines: its own, then what belongs to it, indented. A text of several lines is announced with their number,
 * so that a listener knows where the agent's words end and no line of theirs can pass for one of ours.
 */
export function layOut(saying: Saying, position: number | undefined, layout: Layout): readonly string[] {
  const { what, tone = "plain", remarks = [], words, parts = [], below = [] } = saying;
  const head = [what, ...remarks].map(plainText).join(", ");
  const spoken = words === undefined ? undefined : toPassage(words, layout.full ? UNCUT : WORDS);
  const cut = parts.map(({ label, text }) => ({ label, passage: toPassage(text, layout.full ? UNCUT : PART) }));
  const number = position === undefined ? "" : `  #${position}`;
  const isOneLine = spoken === undefined || spoken.lines.length <= 1;
  const isShort = ({ passage }: { readonly passage: Passage }) => isOneLine && (!layout.full || passage.lines.length <= 1);
  const sentences = [
    isOneLine ? lineOf(head, spoken) : `${head}, ${spoken.lines.length} lines`,
    ...cut.filter(isShort).map(({ label, passage }) => lineOf(plainText(label), passage)),
  ];
  const line = `${sentences.length === 1 ? sentences[0] : sentences.map(toSentence).join(" ")}${isOneLine ? "" : ":"}${number}`;
  return [
    ...paint(wrap(line, { width: layout.width, indent: "", hanging: "    " }), head, tone, layout.style),
    ...(isOneLine ? [] : indented(spoken, layout.width)),
    ...cut.filter((part) => !isShort(part)).flatMap(({ label, passage }) => blockOf(label, passage, layout)),
    ...below.flatMap(({ label, text, tone: own }) => {
      const lines = blockOf(label, toPassage(text, layout.full ? UNCUT : BELOW), layout);
      return own === undefined ? lines : paint(lines, `  ${plainText(label)}`, own, layout.style);
    }),
  ];
}

function lineOf(head: string, passage: Passage | undefined): string {
  if (passage === undefined || passage.lines.length === 0) return head;
  return `${head === "" ? "" : `${head}: `}${inOneLine(passage)}${passage.left === "" ? "" : ` … ${passage.left}`}`;
}

/** Lines that follow each other on one are parted by what is heard as a pause. */
function inOneLine({ lines }: Passage): string {
  return lines.map((line) => line.trim()).join("; ");
}

function blockOf(label: string, passage: Passage, { width }: Layout): readonly string[] {
  const name = `  ${plainText(label)}`;
  if (passage.lines.length <= 1) return wrap(lineOf(plainText(label), passage), { width, indent: "  ", hanging: "    " });
  return [`${name}, ${passage.lines.length} lines:`, ...indented(passage, width)];
}

function indented({ lines, left }: Passage, width: number): readonly string[] {
  return [...lines.flatMap((line) => wrap(line, { width, indent: "    " })), ...(left === "" ? [] : [`    … ${left}`])];
}

/** A text that ends a sentence by itself gets no second full stop. */
function toSentence(text: string): string {
  return /[.!?…:]$/u.test(text) ? text : `${text}.`;
}

/** After wrapping: escapes take no room on the line. Of a heading the whole line is set apart, of others what it is. */
function paint(lines: readonly string[], head: string, tone: Tone, style: Style): readonly string[] {
  if (tone === "plain") return lines;
  if (tone === "heading") return lines.map(style.bold);
  const colour = { good: style.green, warning: style.yellow, bad: style.red }[tone];
  const [first = "", ...others] = lines;
  const painted = first.startsWith(head) ? colour(head) + first.slice(head.length) : colour(first);
  return [painted, ...others];
}
