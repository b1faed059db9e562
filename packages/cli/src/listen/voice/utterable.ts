/** Characters that act on a voice instead of being said: controls, and the marks of formatting. */
const UNSAID = /[\p{Cc}\p{Cf}]+/gu;

/**
 * Text from elsewhere, for a program that speaks. Some take orders from within a text: `[[…]]` is one for `say` and for espeak,
 * and a text that begins with a minus would be an option where it is a word.
 */
export function toUtterable(text: string): string {
  const plain = text
    .replace(UNSAID, " ")
    .replaceAll(/\[(?=\[)/g, "[ ")
    .replaceAll(/\](?=\])/g, "] ")
    .trim();
  return plain.startsWith("-") ? `. ${plain}` : plain;
}
