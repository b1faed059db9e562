import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textDifference } from "./text-difference.ts";

describe("two texts", () => {
  it("shows what goes and what comes, with a little around it", () => {
    expect(textDifference("a\nb\nc\nd\ne\nf", "a\nb\nc\nX\ne\nf")).toEqual(["  b", "  c", "- d", "+ X", "  e", "  f"]);
    expect(textDifference("same", "same")).toEqual([]);
  });

  it("shows every line that differs, in files of any length", () => {
    const comments = Array.from({ length: 2500 }, (_, index) => `# comment ${index}`);
    const before = comments.join("\n");
    expect(textDifference(before, `${before}\nrules: [{ name: new }]`)).toEqual([
      "  # comment 2498",
      "  # comment 2499",
      "+ rules: [{ name: new }]",
    ]);
    const apart = textDifference(before, comments.map((line, index) => (index % 1000 === 0 ? `${line}, edited` : line)).join("\n"));
    expect(apart.filter((line) => line.startsWith("+ "))).toHaveLength(3);
    const other = comments.map((line) => `${line}, edited`);
    expect(textDifference(before, other.join("\n"))).toEqual([...comments.map((line) => `- ${line}`), ...other.map((line) => `+ ${line}`)]);
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
