/** Options and the like: a browser breaks a line after any hyphen, also within `--force` and `-rf`. */
const FLAG = /(?<=^|\s)(-[^\s]{1,60})(?=\s|$)/;
/** Beyond this it is no line that somebody reads. */
const LONGEST = 4000;

/** Cuts a text into what may break anywhere that a browser thinks fit, and, at every odd place, words that are to stay whole. */
export function cutWords(text: string): readonly string[] {
  return text.length > LONGEST || !text.includes("-") ? [text] : text.split(FLAG);
}
