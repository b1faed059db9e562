import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textDifference } from "./text-difference.ts";

describe("two texts", () => {
  it("shows what goes and what comes, with a little around it", () => {
    expect(textDifference("a\nb\nc\nd\ne\nf", "a\nb\nc\nX\ne\nf")).toEqual(["  b", "  c", "- d", "+ X", "  e", "  f"]);
    expect(textDifference("same", "same")).toEqual([]);
  });

  it("gives back the one from the other", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const around = ["top", "top", "top"];
        const lines = textDifference([...around, ...before].join("\n"), [...around, ...after].join("\n"));
        const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
        expect(count("+ ") - count("- ")).toBe(after.length - before.length);
        for (const line of lines.filter((one) => one.startsWith("+ "))) expect(after).toContain(line.slice(2));
        for (const line of lines.filter((one) => one.startsWith("- "))) expect(before).toContain(line.slice(2));
      }),
    );
  });
});
