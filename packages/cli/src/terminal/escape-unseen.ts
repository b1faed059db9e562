/** Escapes characters in JSON that a terminal would obey or hide (C1 controls and bidirectional overrides) with the same meaning. */
export function escapeUnseen(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
