import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { nameCharacter } from "./name-character.ts";
import type { SignNames } from "./sign-names.ts";
import { signsFor } from "./signs-for.ts";
import { MAX_EXACT_CHARACTERS, spellExactly } from "./spell-exactly.ts";
import { spellLetters } from "./spell-letters.ts";

const LANGUAGES = ["en", "de"] as const;
/** The spoken forms of a text; each must distinguish any two texts. */
const WAYS: readonly (readonly [name: string, tell: (text: string) => string])[] = LANGUAGES.flatMap((language) => [
  [`exactly in ${language}`, (text: string) => spellExactly(text, language)] as const,
  [`spelt in ${language}`, (text: string) => spellLetters(text, language)] as const,
  [`by letters in ${language}`, (text: string) => spellLetters(text, language, { alphabet: "letters" })] as const,
]);

test.each([
  ["rm -rf / tmp", "rm, space, dash rf, space, slash, space, tmp"],
  ["rm -rf /tmp", "rm, space, dash rf, space, slash tmp"],
  ["rm -rf  /tmp", "rm, space, dash rf, 2 spaces, slash tmp"],
  ['git commit -m "Fix It"', "git, space, commit, space, dash m, space, double quote capital Fix, space, capital It double quote"],
  ["chmod 0755 a", "chmod, space, 0 7 5 5, space, a"],
  ["kill -9 443", "kill, space, dash 9, space, 443"],
  ["XMLHttpRequest", "capitals XML capital Http capital Request"],
  ["a...b", "a 3 times dot b"],
  ["slash two Space", "word slash, space, word two, space, capital word Space"],
  ["p\u0430sswd", "p Cyrillic small a sswd"],
  ["a\u202eb\u200b", "a right-to-left override b zero-width space"],
  ["\u001b[0m", "escape open bracket 0 m"],
  ["caf\u00e9 cafe\u0301", "caf acute e, space, cafe combining acute"],
  ["漢字", "Chinese 漢字"],
  ["a\tb\r\n", "a tab b carriage return newline"],
  ["😀", "character U+1F600"],
  ["\ud83d", "character U+D83D"],
  ["token=████████", "token equals 8 times masked"],
  ["", ""],
])("%j is heard as %j", (text, heard) => {
  expect(spellExactly(text, "en-GB")).toBe(heard);
});

test.each([
  ["rm -rf / tmp", "rm, Leerzeichen, Minus rf, Leerzeichen, Schrägstrich, Leerzeichen, tmp"],
  ["rm -rf /tmp", "rm, Leerzeichen, Minus rf, Leerzeichen, Schrägstrich tmp"],
  ["2    Äpfel", "2, 4 mal Leerzeichen, groß Äpfel"],
  ["p\u0430sswd", "p kyrillisch klein a sswd"],
  ["[x]", "eckige Klammer-auf x eckige Klammer-zu"],
  ["Straße", "groß Stra scharfes S e"],
])("%j is heard in German as %j", (text, heard) => {
  expect(spellExactly(text, "de-AT")).toBe(heard);
});

test.each([
  ["rm -Rf", "en", "Romeo, Mike, space, dash, capital Romeo, Foxtrot"],
  ["a1", "de", "Aachen, 1"],
  ["Zürich", "de", "groß Zwickau, Umlaut-Unna, Rostock, Ingelheim, Chemnitz, Hamburg"],
])("%j is spelt in %s as %j", (text, language, spelt) => {
  expect(spellLetters(text, language)).toBe(spelt);
});

test("characters that are drawn alike are told apart", () => {
  for (const [one, other] of [
    ["\u212b", "\u00c5"],
    ["\u212a", "K"],
    ["\u037e", ";"],
    ["\u2044", "/"],
    ["\uff0f", "/"],
    ["\u00a0", " "],
    ["\u0441", "c"],
    ["\u03bf", "o"],
    ["\ufb01", "fi"],
    ["\u1100\u1161", "가"],
  ] as const)
    for (const [, tell] of WAYS) expect(tell(one)).not.toBe(tell(other));
});

test("letters alone are used on request", () => {
  expect(spellLetters("rm -Rf", "en", { alphabet: "letters" })).toBe("r, m, space, dash, capital r, f");
});

describe.each(WAYS)("told %s", (_name, tell) => {
  /** Commas and capitals are inaudible. */
  const heard = (text: string) => tell(text).toLowerCase().replaceAll(",", "");

  test("two different texts never sound alike: pieces that are easily taken for each other, in every order", () => {
    const pieces = [
      "",
      " ",
      "  ",
      "2",
      "22",
      "/",
      "slash",
      "space",
      "Space",
      "word",
      "times",
      "mal",
      "capital",
      "groß",
      "A",
      "a",
      "ab",
      "..",
      "...",
      "-",
      "é",
      "e\u0301",
      "\u0430",
      "漢",
    ];
    const known = new Map<string, string>();
    const alike: string[] = [];
    for (const one of pieces)
      for (const two of pieces)
        for (const three of pieces) {
          const text = one + two + three;
          const spoken = heard(text);
          if ((known.get(spoken) ?? text) !== text) alike.push(`${text}, ${known.get(spoken)}: ${spoken}`);
          known.set(spoken, text);
        }
    expect(alike).toEqual([]);
  });

  test("two different texts never sound alike: any text and its neighbours", () => {
    const unit = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(..." /-.2aAbB'\"\\\n\t_", "spaces", "dot", "Punkt", "Minus", "unicode", "u", "character", "Zeichen"),
      },
      { weight: 2, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "\u0430",
          "\u03bf",
          "\u200b",
          "\u202e",
          "\ud800",
          "\udc00",
          "é",
          "ß",
          "ẞ",
          "İ",
          "ı",
          "ſ",
          "K",
          "漢",
          "ｱ",
        ),
      },
    );
    const texts = fc.array(unit, { maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.nat(), unit, (units, place, other) => {
        const at = units.length === 0 ? 0 : place % units.length;
        const text = units.join("");
        const neighbours = [
          units.toSpliced(at, 1),
          units.toSpliced(at, 1, other),
          units.toSpliced(at, 0, other),
          units.toSpliced(at, 0, units[at] ?? ""),
          units.toReversed(),
        ];
        const all = [...neighbours.map((one) => one.join("")), text.toLowerCase(), text.normalize("NFKC"), text.trim()];
        const own = heard(text);
        expect(all.filter((neighbour) => neighbour !== text && heard(neighbour) === own)).toEqual([]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test("nothing is left that a voice would swallow", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 50 }), (text) => {
        expect(tell(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Mn}]/u);
      }),
    );
  });

  test("what is too long says how much is left", () => {
    const spoken = tell("a ".repeat(MAX_EXACT_CHARACTERS));
    expect(spoken).toMatch(/10000/);
    expect(spoken.length).toBeLessThan(MAX_EXACT_CHARACTERS * 40);
  });
});

describe.each(LANGUAGES)("the names of signs in %s", (language) => {
  const names = signsFor(language);
  const phrases = phrasesOf(names);

  test("are all different, and none is the beginning of another", () => {
    for (const [index, one] of phrases.entries())
      for (const other of phrases.slice(index + 1))
        expect(`${one} `.startsWith(`${other} `) || `${other} `.startsWith(`${one} `), `${one}, ${other}`).toBe(false);
  });

  test("cover all of ASCII", () => {
    for (let code = 33; code < 127; code++) {
      const character = String.fromCharCode(code);
      if (!/[a-z0-9]/i.test(character)) expect(nameCharacter(character, names)).not.toContain("U+");
    }
  });

  test("have a word for every letter, that is no name of a sign", () => {
    expect(names.spelling).toHaveLength(names.letters.length);
    expect(new Set(names.spelling).size).toBe(names.spelling.length);
    const firsts = new Set(phrases.map((phrase) => phrase.split(" ")[0]));
    for (const word of names.spelling) expect(firsts).not.toContain(word.toLowerCase());
  });
});

/** Every phrase that stands for one character or precedes one. */
function phrasesOf(names: SignNames): readonly string[] {
  const { signs, hidden, marks, combining, capital, capitals, word, character, space, scripts } = names;
  const markers = [combining, capital, capitals, word, character, space, ...Object.values(scripts), ...Object.values(marks)];
  const codes = [...range(0x0391, 0x03c9), ...range(0x0410, 0x0458)].map((code) => String.fromCodePoint(code));
  const letters = codes
    .map((one) => nameCharacter(one, names))
    .filter((name) => !name.includes("U+") && !name.startsWith(capital) && !startsWithMark(name));
  return [...new Set([...Object.values(signs), ...Object.values(hidden), ...markers, ...letters].map((name) => name.toLowerCase()))];

  function startsWithMark(name: string): boolean {
    return Object.values(marks).some((mark) => name.startsWith(mark));
  }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
