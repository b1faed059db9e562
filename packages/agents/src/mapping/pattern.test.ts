import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPattern } from "./pattern.ts";

describe("a pattern", () => {
  it.each([
    "abc",
    "^abc$",
    "a|b|^c",
    "(ab)+c?",
    "[a-c]x*",
    "[^a-c]+$",
    "a{2,3}b",
    "a{2}",
    "a{1,}c",
    "\\d+\\.\\d*",
    "\\w\\s\\S",
    "\\bcat\\b",
    "x.y",
    "(?:a|bc)*d",
    "^$",
    "^mcp__.+__",
    "[\\d-]+",
    "a+?b",
    "\\W",
    "(a|)b",
  ])("%s matches what a regular expression does", (text) => {
    const ours = createPattern(text);
    const theirs = new RegExp(text);
    const texts = fc.string({ unit: fc.constantFrom(..."abcdxy012. -_\nmpt"), maxLength: 12 });
    fc.assert(fc.property(texts, (subject) => ours?.(subject) === theirs.test(subject)));
  });

  it("ignores case when it begins with (?i)", () => {
    const pattern = createPattern("(?i)^r[m-o] ");
    expect(["rm x", "RN x", "rp x"].map((text) => pattern?.(text))).toEqual([true, true, false]);
  });

  it.each([
    "(?=a)",
    "(?<name>a)",
    "(a)\\1",
    "a**(",
    "[b-a]",
    "[a",
    "a{200}",
    "((((((((((((((((((((((a))))))))))))))))))))))",
    "(?!x)",
    "\\p{L}",
    "a{3,2}",
  ])("%s is not read", (text) => {
    expect(createPattern(text)).toBeUndefined();
  });

  it("is not stalled by what stalls others: a test that hangs would not end", () => {
    const subject = `${"a".repeat(8000)}!`;
    for (const text of ["^(a+)+$", "^(a|a)*$", "^(a*)*b", "(a|aa)+$"]) expect(createPattern(text)?.(subject)).toBe(false);
    expect(createPattern("(a{90}){90}")).toBeUndefined();
  });

  it("searches no further than it says", () => {
    expect(createPattern("b")?.(`${"a".repeat(9000)}b`)).toBe(false);
    expect(createPattern("a$")?.("a".repeat(9000))).toBe(false);
  });
});
