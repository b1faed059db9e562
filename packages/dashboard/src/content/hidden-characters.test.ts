import { describe, expect, it } from "vitest";
import { splitHidden, withoutColours } from "./hidden-characters.ts";

describe("characters that cannot be seen", () => {
  it("are told in code, whatever they are", () => {
    expect(splitHidden("rm\u00a0-rf\u200b /\u202e", "code")).toEqual([
      "rm",
      { name: "U+00A0", character: "\u00a0" },
      "-rf",
      { name: "U+200B zero width space", character: "\u200b" },
      " /",
      { name: "U+202E right-to-left override", character: "\u202e" },
    ]);
  });

  it("are left alone in prose where a language or an emoji needs them", () => {
    for (const text of ["می\u200cخواهم", "👩\u200d💻", "❤\ufe0f", "co\u00adop", "one\ttwo\nthree"]) {
      expect(splitHidden(text, "prose")).toEqual([text]);
    }
  });

  it("are told in prose where nobody needs them", () => {
    const hidden = ["\u202e", "\u2066", "\u001b", "\u0000", "\u{e0041}", "\ud800"].map((one) => splitHidden(`a${one}b`, "prose"));
    expect(hidden.every((parts) => parts.length === 3 && typeof parts[1] === "object")).toBe(true);
  });

  it("are not line breaks, of either kind", () => {
    expect(splitHidden("a\r\nb\nc", "code")).toEqual(["a\nb\nc"]);
    expect(splitHidden("safe\roverwritten", "code")).toHaveLength(3);
  });

  it("are told with padding where an agent wants to do something, and there every carriage return counts", () => {
    const padded = `ls${" ".repeat(40)}rm\r\n`;
    expect(splitHidden(padded, "code")).toEqual([`ls${" ".repeat(40)}rm\n`]);
    expect(splitHidden(padded, "input")).toEqual([
      "ls ",
      { name: "40 spaces" },
      " rm",
      { name: "U+000D carriage return", character: "\r" },
      "\n",
    ]);
  });

  it("are marked where the hub has written them out already", () => {
    expect(splitHidden("rm ./a⟨U+202E right-to-left override⟩ ⟨300 spaces⟩⟨b⟩", "input")).toEqual([
      "rm ./a",
      { name: "U+202E right-to-left override" },
      " ",
      { name: "300 spaces" },
      "⟨b⟩",
    ]);
  });

  it("are not the colours of a terminal; everything else that it would obey stays", () => {
    expect(withoutColours("\u001b[31mred\u001b[0m \u001b[2J")).toBe("red \u001b[2J");
  });
});
