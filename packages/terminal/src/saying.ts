import { ENGLISH_TEXTS, type Passage, type PassageLimits, type TextWords, toPassage, UNCUT } from "./passage.ts";
import { plainText } from "./plain-text.ts";
import { type Style, wrap } from "./style.ts";

/**
 * One output item: a title, remarks, and the agent's own words. Names and words may be untrusted: everything goes through `plainText`
 * during layout.
 */
export interface OutputItem {
  /** The title, the most important word first: `Thought`, `Call bash failed after 2 seconds`. */
  readonly what: string;
  readonly tone?: Tone;
  /** Short texts on the same line, separated by commas. */
  readonly remarks?: readonly string[];
  /** The agent's own text. */
  readonly words?: string;
  /** On the same line if they are short. */
  readonly parts?: readonly Labelled[];
  /** On separate lines. */
  readonly below?: readonly Labelled[];
}

/** Only repeats what the text says. */
export type Tone = "heading" | "plain" | "good" | "warning" | "bad";

export interface Labelled {
  /** Empty for a complete sentence. */
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone;
}

/** The layout of lines for a reader. */
export interface Layout {
  readonly width: number;
  readonly style: Style;
  /** Nothing is cut. */
  readonly full: boolean;
  /** Default: English. */
  readonly texts?: TextWords;
}

const WORDS: PassageLimits = { characters: 1000, lines: 12 };
const PART: PassageLimits = { characters: 160, lines: 3 };
const BELOW: PassageLimits = { characters: 400, lines: 6 };

/**
 * Renders one item as lines: its own line, then its details, indented. A text of several lines is introduced with their number, so a
 * screen reader user knows where the agent's text ends, and none of its lines can pass for output of Earshot.
 */
export function layOutItem(saying: OutputItem, position: number | undefined, layout: Layout): readonly string[] {
  const { what, tone = "plain", remarks = [], words, parts = [], below = [] } = saying;
  const head = [what, ...remarks].map(plainText).join(", ");
  const spoken = words === undefined ? undefined : toPassage(words, layout.full ? UNCUT : WORDS, layout.texts);
  const cut = parts.map(({ label, text }) => ({ label, passage: toPassage(text, layout.full ? UNCUT : PART, layout.texts) }));
  const number = position === undefined ? "" : `  #${position}`;
  const isOneLine = spoken === undefined || spoken.lines.length <= 1;
  const isShort = ({ passage }: { readonly passage: Passage }) => isOneLine && (!layout.full || passage.lines.length <= 1);
  const sentences = [
    isOneLine ? lineOf(head, spoken) : `${head}, ${linesOf(spoken, layout)}`,
    ...cut.filter(isShort).map(({ label, passage }) => lineOf(plainText(label), passage)),
  ];
  const line = `${sentences.length === 1 ? sentences[0] : sentences.map(toSentence).join(" ")}${isOneLine ? "" : ":"}${number}`;
  return [
    ...paint(wrap(line, { width: layout.width, indent: "", hanging: "    " }), head, tone, layout.style),
    ...(isOneLine ? [] : indented(spoken, layout.width)),
    ...cut.filter((part) => !isShort(part)).flatMap(({ label, passage }) => blockOf(label, passage, layout)),
    ...below.flatMap(({ label, text, tone: own }) => {
      const lines = blockOf(label, toPassage(text, layout.full ? UNCUT : BELOW, layout.texts), layout);
      return own === undefined ? lines : paint(lines, `  ${plainText(label)}`, own, layout.style);
    }),
  ];
}

function linesOf({ lines }: Passage, { texts = ENGLISH_TEXTS }: Layout): string {
  return texts.lines(lines.length);
}

function lineOf(head: string, passage: Passage | undefined): string {
  if (passage === undefined || passage.lines.length === 0) return head;
  return `${head === "" ? "" : `${head}: `}${inOneLine(passage)}${passage.left === "" ? "" : ` … ${passage.left}`}`;
}

/** Joins lines with a separator that a screen reader reads as a pause. */
function inOneLine({ lines }: Passage): string {
  return lines.map((line) => line.trim()).join("; ");
}

function blockOf(label: string, passage: Passage, layout: Layout): readonly string[] {
  const { width } = layout;
  const name = `  ${plainText(label)}`;
  if (passage.lines.length <= 1) return wrap(lineOf(plainText(label), passage), { width, indent: "  ", hanging: "    " });
  return [`${name}, ${linesOf(passage, layout)}:`, ...indented(passage, width)];
}

function indented({ lines, left }: Passage, width: number): readonly string[] {
  return [...lines.flatMap((line) => wrap(line, { width, indent: "    " })), ...(left === "" ? [] : [`    … ${left}`])];
}

/** Adds a period unless the text already ends a sentence. */
function toSentence(text: string): string {
  return /[.!?…:]$/u.test(text) ? text : `${text}.`;
}

/**
 * Applied after wrapping, because escape sequences take no room on the line. For a heading the whole line is styled, otherwise only the
 * title.
 */
function paint(lines: readonly string[], head: string, tone: Tone, style: Style): readonly string[] {
  if (tone === "plain") return lines;
  if (tone === "heading") return lines.map(style.bold);
  const colour = { good: style.green, warning: style.yellow, bad: style.red }[tone];
  const [first = "", ...others] = lines;
  const painted = first.startsWith(head) ? colour(head) + first.slice(head.length) : colour(first);
  return [painted, ...others];
}
