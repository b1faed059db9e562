import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { hostileText } from "../../../protocol/testing/hostile-text.ts";
import { findTextBoundaries, type TextBoundaries } from "./boundaries.ts";

type Kind = "word" | "sentence" | "paragraph";

/** The text as it would be cut when it arrives in these pieces. */
function cutUp(pieces: readonly string[], kind: Kind, language = "en"): string[] {
  const parts: string[] = [];
  let held = "";
  let tail = "";
  for (const piece of pieces) {
    const ends: TextBoundaries = findTextBoundaries(tail, piece, language);
    tail = ends.tail;
    const end = held.length + ends[kind];
    held += piece;
    if (end <= 0) continue;
    parts.push(held.slice(0, end));
    held = held.slice(end);
  }
  return held === "" ? parts : [...parts, held];
}

const letters = (text: string) => [...text];
const words = (text: string) => text.split(/(?= )/u);

describe("sentences", () => {
  const table: readonly (readonly [name: string, language: string, text: string, cut: readonly string[]])[] = [
    ["plain ones", "en", "It works. Does it? Yes! Good.", ["It works.", " Does it?", " Yes!", " Good."]],
    [
      "abbreviations",
      "en",
      "Dr. Smith met Mrs. Jones, e.g. at No. 5. They left.",
      ["Dr. Smith met Mrs. Jones, e.g. at No. 5.", " They left."],
    ],
    ["decimals and versions", "en", "It is 3.5 km or v1.2.3 long. Fine.", ["It is 3.5 km or v1.2.3 long.", " Fine."]],
    ["initials", "en", "J. K. Rowling wrote it. It was I. He slept.", ["J. K. Rowling wrote it.", " It was I.", " He slept."]],
    ["ellipses", "en", "Wait... what? Hm... Then go.", ["Wait... what?", " Hm...", " Then go."]],
    [
      "abbreviations that may end one",
      "en",
      "Apples, etc. are cheap. Pears, etc. They cost more.",
      ["Apples, etc. are cheap.", " Pears, etc.", " They cost more."],
    ],
    ["quotes and brackets", "en", 'He said "No." Then he left. (Really.) Yes.', ['He said "No."', " Then he left.", " (Really.)", " Yes."]],
    ["numbered lists", "en", "1. First\n2. Second\n", ["1. First\n", "2. Second\n"]],
    [
      "German ordinals and abbreviations",
      "de",
      "Am 3. Oktober, d.h. morgen, ist frei. Gut.",
      ["Am 3. Oktober, d.h. morgen, ist frei.", " Gut."],
    ],
    ["years that end one", "en", "It was 2024. Then came more.", ["It was 2024.", " Then came more."]],
    ["Chinese", "zh", "你好。世界很大！他说「好。」我们走。", ["你好。", "世界很大！", "他说「好。」", "我们走。"]],
    ["Japanese", "ja", "私は学生です。東京に住んでいます。", ["私は学生です。", "東京に住んでいます。"]],
    ["Hindi and Arabic", "hi", "यह ठीक है। कैसे हो? مرحبا. كيف؟ جيد.", ["यह ठीक है।", " कैसे हो?", " مرحبا.", " كيف؟", " جيد."]],
    [
      "Thai, where a space stands between them",
      "th",
      "นี่คือประโยคแรกที่ยาวพอสมควร นี่คืออีกประโยคหนึ่งที่ยาวพอ",
      ["นี่คือประโยคแรกที่ยาวพอสมควร ", "นี่คืออีกประโยคหนึ่งที่ยาวพอ"],
    ],
    ["a bracket that decides later", "en", "Done. (see above) It is. (See below)", ["Done. (see above) It is.", " (See below)"]],
  ];
  for (const [name, language, text, cut] of table) {
    it(`are found: ${name}`, () => {
      expect(cutUp(letters(text), "sentence", language).map((part) => part.trim())).toEqual(cut.map((part) => part.trim()));
    });
  }

  it("are cut between two pieces where that is possible, so that pieces stay whole", () => {
    expect(cutUp(words("It works. Does it? Yes."), "sentence")).toEqual(["It works.", " Does it?", " Yes."]);
    expect(cutUp(["It works. Does", " it?", " Yes. No"], "sentence")).toEqual(["It works. ", "Does it? Yes. ", "No"]);
  });

  it("are found however the text is cut into pieces", () => {
    const text = "Dr. Smith paid 3.50 dollars, e.g. for tea. Was it worth it? Yes... it was!\nA list:\n1. One\n2. Two\n\nThe end. ";
    const whole = cutUp(letters(text), "sentence").map((part) => part.trim());
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
        const pieces: string[] = [];
        for (let from = 0, turn = 0; from < text.length; turn++) {
          pieces.push(text.slice(from, from + (sizes[turn % sizes.length] ?? 1)));
          from += sizes[turn % sizes.length] ?? 1;
        }
        // Larger pieces may contain two sentences; none is cut elsewhere.
        const joined = cutUp(pieces, "sentence").map((part) => part.trim());
        let rest = [...whole];
        for (const part of joined) {
          const taken = rest.findIndex(
            (_, index) =>
              rest
                .slice(0, index + 1)
                .join(" ")
                .replaceAll(/\s+/g, " ") === part.replaceAll(/\s+/g, " "),
          );
          expect(taken).toBeGreaterThanOrEqual(0);
          rest = rest.slice(taken + 1);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});

describe("words and paragraphs", () => {
  it("are found", () => {
    expect(cutUp(letters("Hello there, you"), "word")).toEqual(["Hello ", "there, ", "you"]);
    expect(cutUp(words("Hello there, you"), "word")).toEqual(["Hello", " there,", " you"]);
    // A dictionary may revise the last word.
    expect(cutUp(letters("私は学生です"), "word", "ja")).toEqual(["私", "は", "学生です"]);
    expect(cutUp(letters("นี่คือประโยค hello"), "word", "th").join("|")).toBe("นี่|คือ|ประโยค |hello");
    expect(cutUp(letters("One.\nStill one.\n\nTwo.\r\n \r\nThree"), "paragraph")).toEqual([
      "One.\nStill one.\n\n",
      "Two.\r\n \r\n",
      "Three",
    ]);
  });
});

describe("whatever the text is", () => {
  it("no cut inside a piece goes through a grapheme cluster", () => {
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
    const text = fc.oneof(
      hostileText,
      fc
        .array(
          fc.constantFrom("👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩🇪", "e\u0301", " ", ". ", "क्षि", "각", "\r\n", "。", "นี่", "\u200d", "\u0301", "👍🏽", "A"),
          { maxLength: 12 },
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, text, fc.constantFrom("en", "th", "zh", "xx-invalid-tag!"), (before, piece, language) => {
        const { tail } = findTextBoundaries("", before, language);
        const ends = findTextBoundaries(tail, piece, language);
        for (const end of [ends.word, ends.sentence, ends.paragraph]) {
          if (end <= 0 || end >= piece.length) continue;
          expect(graphemes.segment(tail + piece).containing(tail.length + end)?.index).toBe(tail.length + end);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("what is remembered stays short, and a long text without an end is read in time that grows with its length only", () => {
    let tail = "";
    for (let turn = 0; turn < 2000; turn++) {
      tail = findTextBoundaries(tail, "x1.y2,", "en").tail;
      expect(tail.length).toBeLessThanOrEqual(512);
    }
  });
});
