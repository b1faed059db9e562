const MAX_BRIEF_CHARACTERS = 160;

/** Shortens a text for a label without splitting a character. Returns a copy, so that the event's text can be garbage-collected. */
export function shortenLabel(text: string, longest = MAX_BRIEF_CHARACTERS): string {
  if (text.length <= longest) return text;
  return `${Buffer.from(text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")).toString()}…`;
}
