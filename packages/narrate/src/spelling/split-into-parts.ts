import { signsFor } from "./signs-for.ts";

const USUAL_WORDS = 40;

/**
 * Splits a long spoken text into numbered parts: `Part 2 of 5. …`. Cuts at a pause if possible, otherwise between words. A short text is
 * one part without a number.
 */
export function splitIntoParts(spoken: string, language: string, mostWords: number = USUAL_WORDS): readonly string[] {
  const parts: string[] = [];
  const most = Math.max(1, Math.floor(mostWords));
  let words: string[] = [];
  let pause = 0;
  const cut = (at: number) => {
    parts.push(words.slice(0, at).join(" ").replace(/,$/, ""));
    words = words.slice(at);
    pause = 0;
  };
  for (const word of spoken.split(" ")) {
    if (word === "") continue;
    words.push(word);
    if (/[,.;:]$/.test(word)) pause = words.length;
    // Not before half of a part is full, which would make too many parts.
    if (words.length >= most) cut(pause > most / 2 ? pause : words.length);
  }
  if (words.length > 0) cut(words.length);
  const { part } = signsFor(language);
  return parts.length <= 1 ? [spoken] : parts.map((text, index) => `${part(index + 1, parts.length)} ${text}`);
}
