/** One event of what is imported, or why there is none: with the place where it stands, as people are told it. */
export type ImportPiece = { readonly place: string; readonly ordinal: number } & ({ readonly text: string } | { readonly damaged: string });

/** JSON without line breaks: they may stand between its tokens, never inside a string, so a space means the same. */
export function inOneLine(text: string): string {
  return text.includes("\n") || text.includes("\r") ? text.replaceAll(/[\r\n]/g, " ") : text;
}
