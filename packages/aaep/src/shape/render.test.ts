import { describe, expect, it } from "vitest";
import { BOUNDARY_LEVELS } from "./limits.ts";
import { boundaryHintFor, boundaryLevelFor } from "./render.ts";

describe("the boundary that text waits for", () => {
  it("is the finest that was negotiated, and with a low load no less than a paragraph", () => {
    expect(boundaryLevelFor(new Set(["sentence", "completion"]), "medium")).toBe(BOUNDARY_LEVELS.sentence);
    expect(boundaryLevelFor(new Set(["none", "completion"]), "high")).toBe(BOUNDARY_LEVELS.none);
    expect(boundaryLevelFor(new Set(["word", "sentence"]), "low")).toBe(BOUNDARY_LEVELS.paragraph);
    expect(boundaryLevelFor(new Set(["completion"]), "low")).toBe(BOUNDARY_LEVELS.completion);
    expect(boundaryLevelFor(new Set(), "medium")).toBe(BOUNDARY_LEVELS.completion);
  });
});

describe("the hint that is told", () => {
  it("is the coarsest that is true and was negotiated", () => {
    expect(boundaryHintFor(BOUNDARY_LEVELS.completion, new Set(["word", "sentence"]))).toBe("sentence");
    expect(boundaryHintFor(BOUNDARY_LEVELS.paragraph, new Set(["sentence", "completion"]))).toBe("sentence");
    expect(boundaryHintFor(BOUNDARY_LEVELS.word, new Set(["sentence", "completion"]))).toBeUndefined();
    expect(boundaryHintFor(BOUNDARY_LEVELS.none, new Set(["none", "sentence"]))).toBe("none");
    expect(boundaryHintFor(BOUNDARY_LEVELS.none, new Set(["sentence"]))).toBeUndefined();
    expect(boundaryHintFor(BOUNDARY_LEVELS.sentence, new Set(["none"]))).toBeUndefined();
  });
});
