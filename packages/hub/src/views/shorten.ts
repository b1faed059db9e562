/** The beginning of a text, with a sign where more of it was said. Never ends in half a character. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`.toWellFormed();
}
