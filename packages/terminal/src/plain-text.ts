/**
 * A character class of everything that acts on a display instead of being visible: controls, formatting characters such as bidirectional
 * overrides, zero-width characters, line and paragraph separators, lone surrogates, noncharacters. It excludes number signs that Unicode
 * classifies as formatting but which are visible. For regular expressions with the `v` flag.
 */
export const UNSEEN =
  "[[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\p{NChar}]--[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]]";

/** Scripts in which a joiner between two letters is part of the spelling, as in Persian and Hindi. */
const JOINING = ["Arab", "Syrc", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh", "Khmr"]
  .map((script) => `\\p{scx=${script}}`)
  .join("");

/** Contexts in which an invisible character is legitimate: inside emoji, and between letters of the joining scripts. */
const BELONGING = [
  "(?<=\\p{ExtPict}\\ufe0f?|\\p{EMod})\\u200d(?=\\p{ExtPict})",
  "(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  // The flags of England, Scotland and Wales. Other uses of tag characters hide text from the reader.
  "(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}",
  `(?<=[[${JOINING}]&&[\\p{L}\\p{M}]])[\\u200c\\u200d](?=[[${JOINING}]&&\\p{L}])`,
].join("|");

const CANDIDATES = new RegExp(`(?:${BELONGING})|(?<unseen>${UNSEEN})\\k<unseen>*`, "gv");
const NOTHING_TO_DO = /^[\x20-\x7e]*$/;
const SHORTHAND: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const LONGEST_RUN_WRITTEN_OUT = 3;

/**
 * The one function through which foreign text reaches a display. The result is a single line that cannot move the cursor, change colors,
 * reorder or hide anything: invisible characters are written out, as `\n` or `\u{202e}`, and long runs are counted (`\n×500`), so padding
 * cannot push the important part out of sight. Visible text is unchanged. Idempotent.
 */
export function plainText(text: string): string {
  if (NOTHING_TO_DO.test(text)) return text;
  return text.replace(CANDIDATES, (match: string, unseen: string | undefined) => {
    if (unseen === undefined) return match;
    const notation = SHORTHAND[unseen] ?? `\\u{${(unseen.codePointAt(0) ?? 0).toString(16)}}`;
    const times = match.length / unseen.length;
    return times > LONGEST_RUN_WRITTEN_OUT ? `${notation}×${times}` : notation.repeat(times);
  });
}
