import { describe, expect, it } from "vitest";
import { LEVELS } from "./limits.ts";
import { hintFor, levelFor } from "./render.ts";

describe("the boundary that text waits for", () => {
  it("is the finest that was negotiated, and with a low load no less than a paragraph", () => {
    expect(levelFor(new Set(["sentence", "completion"]), "medium")).toBe(LEVELS.sentence);
    expect(levelFor(new Set(["none", "completion"]), "high")).toBe(LEVELS.none);
    expect(levelFor(new Set(["word", "sentence"]), "low")).toBe(LEVELS.paragraph);
    expect(levelFor(new Set(["completion"]), "low")).toBe(LEVELS.completion);
    expect(levelFor(new Set(), "medium")).toBe(LEVELS.completion);
  });
});

describe("the hint that is told", () => {
  it("is the coarsest that is true and was negotiated", () => {
    expect(hintFor(LEVELS.completion, new Set(["word", "sentence"]))).toBe("sentence");
    expect(hintFor(LEVELS.paragraph, new Set(["sentence", "completion"]))).toBe("sentence");
    expect(hintFor(LEVELS.word, new Set(["sentence", "completion"]))).toBeUndefined();
    expect(hintFor(LEVELS.none, new Set(["none", "sentence"]))).toBe("none");
    expect(hintFor(LEVELS.none, new Set(["sentence"]))).toBeUndefined();
    expect(hintFor(LEVELS.sentence, new Set(["none"]))).toBeUndefined();
  });
});
