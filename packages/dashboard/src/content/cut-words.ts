/** Options and similar words: a browser breaks a line after any hyphen, even within `--force` and `-rf`. */
const FLAG = /(?<=^|\s)(-[^\s]{1,60})(?=\s|$)/;
/** Longer lines are not meant for reading. */
const MAX_WORD_CHARACTERS = 4000;

/** Splits a text. Parts at even indices may break anywhere the browser allows; parts at odd indices are words that stay whole. */
export function cutWords(text: string): readonly string[] {
  return text.length > MAX_WORD_CHARACTERS || !text.includes("-") ? [text] : text.split(FLAG);
}
