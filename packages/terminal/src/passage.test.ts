import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPassage, UNCUT } from "./passage.ts";

describe("what an agent wrote", () => {
  it("is told line by line, without the empty ones", () => {
    expect(toPassage("  One.\r\n\nTwo:\n\tindented\u2028Three. \n", UNCUT)).toEqual({
      lines: ["One.", "Two:", "  indented", "Three."],
      left: "",
    });
    expect(toPassage(" \n ", UNCUT)).toEqual({ lines: [], left: "" });
  });

  it("counts empty lines that could hide what follows them", () => {
    expect(toPassage(`ls${"\n".repeat(501)}rm -rf /`, UNCUT).lines).toEqual(["ls", "(500 empty lines)", "rm -rf /"]);
  });

  it("says how much is left out, by length or by lines", () => {
    expect(toPassage("abcdefgh", { characters: 3, lines: 9 })).toEqual({ lines: ["abc"], left: "5 more characters" });
    expect(toPassage("abc\ndef\ng", { characters: 99, lines: 2 })).toEqual({ lines: ["abc", "def"], left: "1 more character" });
  });

  it("does not cut a character in half, and lets nothing act on the terminal", () => {
    expect(toPassage("ab😀", { characters: 3, lines: 1 }).lines).toEqual(["ab"]);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 1, max: 60 }), (text, characters) => {
        const { lines } = toPassage(text, { characters, lines: 5 });
        return lines.length <= 5 && lines.every((line) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/v.test(line));
      }),
    );
  });
});
