import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChunkBoundary, type TextChunk, TextChunks } from "./text-chunks.ts";

function chunksOf(pieces: readonly string[], boundary: ChunkBoundary, language = "en"): TextChunk[] {
  const chunks = new TextChunks({ boundary, language });
  const cut = pieces.flatMap((piece) => chunks.push(piece));
  return [...cut, { text: chunks.end(), hint: "completion" }];
}

describe("a text that is told in parts", () => {
  it("is cut where a sentence ends, and not at an abbreviation or inside a number", () => {
    const text = "Dr. Smith paid 3.50 euros. It was enough! Was it?\n\nA new paragraph. And the end";
    expect(chunksOf([...text], "sentence")).toEqual([
      { text: "Dr. Smith paid 3.50 euros. ", hint: "sentence" },
      { text: "It was enough! ", hint: "sentence" },
      { text: "Was it?\n\n", hint: "paragraph" },
      { text: "A new paragraph. ", hint: "sentence" },
      { text: "And the end", hint: "completion" },
    ]);
    // Available text is reported immediately.
    expect(chunksOf([text], "sentence").map(({ text: part }) => part)).toEqual([text.slice(0, -11), "And the end"]);
  });

  it("is cut at words, paragraphs, or not at all, as is asked for", () => {
    const pieces = ["One two", " three.\n\nFour", " five"];
    expect(chunksOf(pieces, "word").map(({ text }) => text)).toEqual(["One ", "two three.\n\n", "Four ", "five"]);
    expect(chunksOf(pieces, "paragraph")).toEqual([
      { text: "One two three.\n\n", hint: "paragraph" },
      { text: "Four five", hint: "completion" },
    ]);
    expect(chunksOf(pieces, "completion")).toEqual([{ text: "One two three.\n\nFour five", hint: "completion" }]);
  });

  it("is cut in languages without spaces", () => {
    expect(chunksOf([..."今日は晴れです。明日は雨でしょう。"], "sentence", "ja").map(({ text }) => text)).toEqual([
      "今日は晴れです。",
      "明日は雨でしょう。",
    ]);
  });

  it("is told whole, never cut inside a character, and never longer than an event may be", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.lorem({ mode: "sentences", maxCount: 3 }),
      fc.constantFrom(
        "e",
        "\u0301",
        "👩",
        "\u200d",
        "👧",
        "🏽",
        "\ud83d",
        "\ude00",
        "\n",
        "\n\n",
        " ",
        ". ",
        "x".repeat(9000),
        "wort ".repeat(3000),
      ),
    );
    const boundaries = fc.constantFrom<ChunkBoundary>("word", "sentence", "paragraph", "completion");
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), boundaries, (pieces, boundary) => {
        const chunks = chunksOf(pieces, boundary).map(({ text }) => text);
        const whole = pieces.join("");
        expect(chunks.join("")).toBe(whole);
        let position = 0;
        for (const text of chunks) {
          if (position > 0 && text !== "") {
            expect(text).not.toMatch(/^\p{M}/u);
            if (whole.length < 2000) expect(graphemes.segment(whole).containing(position)?.index).toBe(position);
          }
          expect(text.length).toBeLessThanOrEqual(10_000);
          position += text.length;
        }
      }),
      { numRuns: 300 },
    );
  });

  it("keeps its bounds also where one letter has marks without end", () => {
    const chunks = chunksOf([`e${"\u0301".repeat(30_000)}`, "done"], "sentence");
    for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(10_000);
    expect(chunks.at(-1)?.text).toMatch(/done$/);
  });
});
