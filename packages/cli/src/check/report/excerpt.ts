import { plainText } from "../../terminal/plain-text.ts";
import { counted } from "./phrases.ts";

/**
 * Text from elsewhere, made harmless and kept to about `limit` characters. What is too long loses its middle, never its
 * end: padding must not hide what comes after it.
 */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return plainText(text);
  const headLength = Math.ceil(limit * 0.7);
  // Cutting must not leave half a character behind.
  const head = text.slice(0, headLength).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(headLength - limit).replace(/^[\udc00-\udfff]/, "");
  const left = text.length - head.length - tail.length;
  return `${plainText(head)} … (${counted(left, "character")} left out) … ${plainText(tail)}`;
}
