/** PostgreSQL stores no NUL in text. JSON text has none, but names parsed from it may. */
export function withoutNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}
