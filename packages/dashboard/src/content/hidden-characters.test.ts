import { describe, expect, it } from "vitest";
import { findHidden, withoutColours } from "./hidden-characters.ts";

describe("characters that cannot be seen", () => {
  it("are told in code, whatever they are", () => {
    expect(findHidden("rm\u00a0-rf\u200b /\u202e", "code")).toEqual([
      "rm",
      { code: "U+00A0", name: "no-break space" },
      "-rf",
      { code: "U+200B", name: "zero-width space" },
      " /",
      { code: "U+202E", name: "right-to-left override" },
    ]);
  });

  it("are left alone in prose where a language or an emoji needs them", () => {
    for (const text of ["می\u200cخواهم", "👩\u200d💻", "❤\ufe0f", "co\u00adop", "one\ttwo\nthree"]) {
      expect(findHidden(text, "prose")).toEqual([text]);
    }
  });

  it("are told in prose where nobody needs them", () => {
    const hidden = ["\u202e", "\u2066", "\u001b", "\u0000", "\u{e0041}", "\ud800"].map((one) => findHidden(`a${one}b`, "prose"));
    expect(hidden.every((parts) => parts.length === 3 && typeof parts[1] === "object")).toBe(true);
  });

  it("are not line breaks, of either kind", () => {
    expect(findHidden("a\r\nb\nc", "code")).toEqual(["a\nb\nc"]);
    expect(findHidden("safe\roverwritten", "code")).toHaveLength(3);
  });

  it("are not the colours of a terminal; everything else that it would obey stays", () => {
    expect(withoutColours("\u001b[31mred\u001b[0m \u001b[2J")).toBe("red \u001b[2J");
  });
});
