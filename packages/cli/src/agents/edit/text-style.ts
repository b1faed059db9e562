/** The formatting of a file, so that additions match it. */
export interface TextStyle {
  readonly eol: "\n" | "\r\n";
  /** One level of indentation. */
  readonly indent: string;
}

export function styleOf(text: string): TextStyle {
  const lines = text.split("\n");
  const crlf = lines.filter((line) => line.endsWith("\r")).length;
  const steps = lines.flatMap((line) => /^([ \t]+)[^\s/*]/.exec(line)?.[1] ?? []);
  const [first] = steps;
  const indent = first === undefined ? "  " : first.startsWith("\t") ? "\t" : first.length > 8 ? "  " : first;
  return { eol: crlf > 0 && crlf >= (lines.length - 1) / 2 ? "\r\n" : "\n", indent };
}

/** The leading whitespace of the line at an offset. */
export function indentAt(text: string, at: number): string {
  const begin = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(begin, at))?.[0] ?? "";
}

/** The new text, or why the file is left unchanged. */
export type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

export function lineAndColumnOf(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
