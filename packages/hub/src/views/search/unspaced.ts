/** In these scripts words follow each other without a space: every character is a word, and a word is a phrase of them. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED = `[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]`;
const EACH = new RegExp(UNSPACED, "gu");
const ANY = new RegExp(UNSPACED, "u");
/** None of them has a character below. */
const FIRST = "\u0e00";
const MAYBE = /[\u0e00-\uffff]/;

export function isUnspaced(character: string): boolean {
  return character > FIRST && ANY.test(character);
}

export function spaceOut(text: string): string {
  return MAYBE.test(text) ? text.replaceAll(EACH, " $& ") : text;
}
