import { GREEK, KEPT_SCRIPTS, MORE_CYRILLIC, type ScriptName, type SignNames } from "./sign-names.ts";

/** The name of a character that is neither a letter of the language nor a digit. */
export function nameCharacter(character: string, names: SignNames): string {
  const code = character.codePointAt(0) ?? 0;
  return (
    own(names.signs, character) ??
    own(names.hidden, code) ??
    accented(character, names) ??
    markAlone(code, names) ??
    alphabetic(code, names) ??
    // Its code point in one word, because a digit may follow.
    `${names.character} U+${code.toString(16).toUpperCase().padStart(4, "0")}`
  );
}

/** The script of a letter that is spoken as it is: it cannot be mistaken for a Latin or another letter. */
export function keptScript(character: string): ScriptName | undefined {
  if (!/^\p{Lo}$/u.test(character) || character.normalize("NFKC") !== character) return undefined;
  for (const [script, pattern] of Object.entries(KEPT_SCRIPTS)) if (pattern.test(character) && isScript(script)) return script;
  return undefined;
}

function isScript(name: string): name is ScriptName {
  return Object.hasOwn(KEPT_SCRIPTS, name);
}

/** `acute e`. The same letter written as two characters is spoken as two. */
function accented(character: string, names: SignNames): string | undefined {
  const parts = character.normalize("NFD");
  const [base = "", mark = ""] = parts;
  if (parts.length !== 2 || !/[A-Za-z]/.test(base)) return undefined;
  const name = own(names.marks, mark.codePointAt(0) ?? 0);
  if (name === undefined || parts.normalize("NFC") !== character) return undefined;
  return `${/[A-Z]/.test(base) ? `${names.capital} ` : ""}${name} ${base.toLowerCase()}`;
}

function markAlone(code: number, { marks, combining }: SignNames): string | undefined {
  const name = own(marks, code);
  return name === undefined ? undefined : `${combining} ${name}`;
}

const CASES_APART = 32;

function alphabetic(code: number, names: SignNames): string | undefined {
  const [cyrillic, capitalCyrillic] = names.cyrillic;
  const [greek, capitalGreek] = names.greek;
  return (
    within(names.cyrillicLetters, code - 0x0430, cyrillic) ??
    within(names.cyrillicLetters, code - 0x0430 + CASES_APART, capitalCyrillic) ??
    named(own(MORE_CYRILLIC, code), cyrillic) ??
    within(GREEK, code - 0x03b1, greek) ??
    // The final sigma has no capital.
    (code === 0x03a2 ? undefined : within(GREEK, code - 0x03b1 + CASES_APART, capitalGreek))
  );
}

function within(letters: readonly string[], index: number, before: string): string | undefined {
  return named(letters[index], before);
}

function named(letter: string | undefined, before: string): string | undefined {
  return letter === undefined ? undefined : `${before} ${letter}`;
}

function own(record: Readonly<Record<string | number, string>>, key: string | number): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
