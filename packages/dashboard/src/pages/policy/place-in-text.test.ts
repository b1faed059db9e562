import { describe, expect, it } from "vitest";
import { countEditorLines, restOfLine, withLineEndsOf } from "./place-in-text.ts";

describe("a place in a text", () => {
  const text = "rules:\n  - name: a\n";

  it.each([
    [1, 1, "rules:"],
    [2, 5, "name: a"],
    [2, 99, ""],
    [3, 1, ""],
    [9, 1, ""],
    [1, 0, "rules:"],
  ])("line %i, column %i, reaches to the end of its line", (line, column, expected) => {
    const [start, end] = restOfLine(text, line, column);
    expect(text.slice(start, end)).toBe(expected);
  });

  it("is in one of its lines", () => {
    expect([countEditorLines(""), countEditorLines("a"), countEditorLines(text)]).toEqual([1, 1, 3]);
  });
});

describe("the ends of lines", () => {
  it("stay as the file had them", () => {
    expect(withLineEndsOf("a\r\nb\r\n", "a\nc\n")).toBe("a\r\nc\r\n");
    expect(withLineEndsOf("a\nb\n", "a\nc\n")).toBe("a\nc\n");
    expect(withLineEndsOf(null, "a\n")).toBe("a\n");
  });
});
