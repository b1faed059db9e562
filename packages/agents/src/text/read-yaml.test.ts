import { describe, expect, it } from "vitest";
import { readYaml } from "./read-yaml.ts";

function value(text: string): unknown {
  const read = readYaml(text, "strict");
  return read.ok ? read.value.value : read.troubles.map(({ line, message }) => `${line} ${message}`);
}

describe("a YAML text", () => {
  it("is read by version 1.2: what only looks like a truth value is a text", () => {
    expect(value("[no, on, off, yes, y, 1e3, '1e3', 0x10, 010, ~, true, 2026-01-01, 12:30, =]")).toEqual([
      ...["no", "on", "off", "yes", "y", 1000, "1e3", 16, 10, null, true],
      ...["2026-01-01", "12:30", "="],
    ]);
  });

  it("has keys that mean what they seem to", () => {
    expect(value("{ true: a, 1: b, no: c }")).toEqual({ true: "a", 1: "b", no: "c" });
    expect(value("1e3: a")).toEqual(["1 The key 1e3 is read as 1000."]);
    expect(value("? [a]\n: b")).toEqual(["1 A key is a plain word or text."]);
    expect(value("~: a")).toEqual(["1 A key is a plain word or text."]);
  });

  it.each<[string, string, string]>([
    ["a tag", "a: !!js/function x", "1 "],
    ["a tag of its own", "a: !thing x", "1 "],
    ["a merge key", "a: { <<: { b: 1 } }", "1 Merge keys (<<) are not read here."],
    ["a directive", "%YAML 1.1\n---\na: 1", "1 YAML directives are not read here."],
    ["two documents", "a: 1\n---\nb: 1", "2 There is more than one document in the file."],
    ["a prototype", "__proto__: { a: 1 }", "1 __proto__ cannot be a key here."],
    ["a constructor", "a: { constructor: { prototype: 1 } }", "1 constructor cannot be a key here."],
    ["infinity", "a: .inf", "1 This number cannot be written as JSON."],
    ["a tab", "a:\n\t- b", "2 A tab is used for indentation."],
    ["equal keys", "a: 1\na: 2", '2 The key "a" was there before.'],
    ["an unknown reference", "a: *nobody", "1 "],
    ["a reference into itself", "a: &x [*x]", "1 The reference leads nowhere, or into itself."],
    ["brackets without end", "[".repeat(5000), "1 This is nested too deeply."],
    ["marks without end", "- ".repeat(5000), "1 This is nested too deeply."],
    ["deep indentation", `${" ".repeat(5000)}a: 1`, "1 This is nested too deeply."],
    ["deep lines", Array.from({ length: 60 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"), "50 This is nested too deeply."],
    ["a huge text", `a: ${"x".repeat(600_000)}`, "1 The file has more than 524,288 characters."],
    ["half a string", 'a: "b', "1 This is not YAML"],
  ])("with %s is refused", (_, text, message) => {
    const said = value(text);
    expect(Array.isArray(said) && typeof said[0] === "string" ? said[0] : said).toSatisfy((first: string) => first.startsWith(message));
  });

  it("may name a value and use it again, but not so that it multiplies", () => {
    expect(value("a: &x { b: 1 }\nc: [*x, *x]")).toEqual({ a: { b: 1 }, c: [{ b: 1 }, { b: 1 }] });
    const bomb = [
      "a0: &a0 [x, x, x, x, x, x, x, x, x]",
      ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}]`),
    ];
    expect(value(bomb.join("\n"))).toEqual(expect.arrayContaining([expect.stringContaining("There are too many values here.")]));
  });

  it("tells where each value stands, and for what is missing where its parent does", () => {
    const read = readYaml("a:\n  b: [1,\n    2]\n", "strict");
    if (!read.ok) throw new Error("not read");
    expect(["", "/a", "/a/b", "/a/b/1", "/a/c", "/z"].map(read.value.place)).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 1 },
      { line: 2, column: 3 },
      { line: 3, column: 5 },
      { line: 1, column: 1 },
      { line: 1, column: 1 },
    ]);
  });

  it("may hold nothing but comments", () => {
    expect(value("# nothing\n")).toBe(null);
    expect(value("")).toBe(null);
  });
});
