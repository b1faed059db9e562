/** Text styles. Color only repeats what the words say and never carries meaning alone. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const same = (text: string): string => text;
const PLAIN: Style = { bold: same, red: same, yellow: same, green: same, cyan: same };

/** Each style only ends what it began, so that styles can be nested. */
const between = (begin: number, end: number) => (text: string) => `\u001b[${begin}m${text}\u001b[${end}m`;

/** Only the terminal's own sixteen colors, which follow the contrast chosen by its user. */
const COLOURED: Style = {
  bold: between(1, 22),
  red: between(31, 39),
  yellow: between(33, 39),
  green: between(32, 39),
  cyan: between(36, 39),
};

export function createStyle(colour: boolean): Style {
  return colour ? COLOURED : PLAIN;
}

/** Options for line wrapping. A width of 0 or infinity disables wrapping. */
export interface Wrapping {
  readonly width: number;
  readonly indent: string;
  /** Replaces `indent` from the second line on. */
  readonly hanging?: string;
}

const NARROWEST = 24;

/** Breaks at spaces only: paths, ids and pointers stay in one piece so that they can be copied. */
export function wrap(text: string, { width, indent, hanging = indent }: Wrapping): readonly string[] {
  if (!Number.isFinite(width) || width <= 0) return [indent + text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const before = lines.length === 0 ? indent : hanging;
    const room = Math.max(width - before.length, NARROWEST);
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(before + line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  lines.push((lines.length === 0 ? indent : hanging) + line);
  return lines;
}
