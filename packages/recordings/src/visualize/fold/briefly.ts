const MAX_BRIEF_CHARACTERS = 160;

/** A text that is kept for a label: its beginning, never half a character. A copy, so that the event's text can be let go. */
export function briefly(text: string, longest = MAX_BRIEF_CHARACTERS): string {
  if (text.length <= longest) return text;
  return `${Buffer.from(text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")).toString()}…`;
}
