/** How lines are filled. A width of 0, or an infinite one, leaves them as long as they are. */
export interface Wrapping {
  readonly width: number;
  readonly indent: string;
  /** Set before the second line and those after it instead of `indent`. */
  readonly hanging?: string;
}

const NARROWEST = 24;

/** Breaks at spaces only: a path, an id or a pointer stays in one piece, so that it can be copied. */
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
