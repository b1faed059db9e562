/** Counts lines as an editor does: a text that ends with a line break has an empty last line. */
export function countEditorLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Returns the offsets from a position to the end of its line; lines and columns start at 1. A position beyond the text is its end. */
export function restOfLine(text: string, line: number, column: number): readonly [start: number, end: number] {
  let start = 0;
  for (let passed = 1; passed < line; passed++) {
    const next = text.indexOf("\n", start);
    if (next < 0) return [text.length, text.length];
    start = next + 1;
  }
  const found = text.indexOf("\n", start);
  const end = found < 0 ? text.length : found;
  return [Math.min(start + Math.max(0, column - 1), end), end];
}

/** A text area's value has no carriage returns: they are restored for a file that had them. */
export function withLineEndsOf(original: string | null, text: string): string {
  return original?.includes("\r\n") === true ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}
