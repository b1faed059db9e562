/** What a terminal would obey or hide in JSON: C1 controls and bidirectional overrides, as escapes that mean the same. */
export function escapeUnseen(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
