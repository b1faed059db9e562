import { describe, expect, it } from "vitest";
import { cutWords } from "./cut-words.ts";

describe("words that stay whole", () => {
  it.each([
    ["git push --force origin main", ["git push ", "--force", " origin main"]],
    ["rm -rf -- build", ["rm ", "-rf", " ", "--", " build"]],
    ["-x", ["", "-x", ""]],
    ["a well-known thing", ["a well-known thing"]],
    ["7 - 3", ["7 - 3"]],
    ["no flags", ["no flags"]],
  ])("%j", (text, parts) => {
    expect(cutWords(text)).toEqual(parts);
    expect(cutWords(text).join("")).toBe(text);
  });

  it("are not looked for in what nobody reads word by word", () => {
    const long = "-x ".repeat(5000);
    expect(cutWords(long)).toEqual([long]);
  });
});
