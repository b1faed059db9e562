import type { Problem } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REFUSED_HEAD_BYTES } from "./splitter-sink.ts";
import { ValueSplitter, type ValueSplitterOptions } from "./value-splitter.ts";

/** A value as its text; a refusal as its code, line and head. */
type Found = string | readonly [Problem["code"], number, string];

function split(
  chunks: readonly Buffer[],
  afterDamage: ValueSplitterOptions["afterDamage"],
  maxBytes = 1000,
  layout: "array" | "values" = "array",
): Found[] {
  const found: Found[] = [];
  const splitter = new ValueSplitter(
    layout,
    {
      hear: (text) => found.push(text),
      refuse: ({ code }, line, head) => found.push([code, line, head.toString("latin1")]),
    },
    { maxBytes, afterDamage },
  );
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  return found;
}

const broken = (line: number, head: string): Found => ["NOT_JSON", line, head];

const STRICT: readonly (readonly [string, string, readonly Found[]])[] = [
  ["an empty array", "[]", []],
  ["objects", '[{"a":1},{"b":[2]}]', ['{"a":1}', '{"b":[2]}']],
  ["values that are no objects", '[null, "x", 123, true, []]', ["null", '"x"', "123", "true", "[]"]],
  ["brackets and quotes in strings", '[{"a":"]}\\"[{"},{"b":"\\\\"}]', ['{"a":"]}\\"[{"}', '{"b":"\\\\"}']],
  ["characters of several bytes", '[{"é":"€"},"🎧"]', ['{"é":"€"}', '"🎧"']],
  ["white space of all kinds", '\r\n [\t{"a" : 1 }\r\n,\n 2 ] \n', ['{"a" : 1 }', "2"]],
  ["an inner object where values begin", '[\n{"a":\n{"b":1}},\n{"c":2}\n]', ['{"a":\n{"b":1}}', '{"c":2}']],
  ["a line break in a string, which the parser refuses", '[{"a":"x\ny"},{"b":1}]', ['{"a":"x\ny"}', '{"b":1}']],
  ["line breaks in a string, which count as lines", '[{"a":"x\\\ny\nz"},\n1 2]', ['{"a":"x\\\ny\nz"}', "1", broken(4, "2]")]],
  ["words that are no JSON, which the parser refuses", "[NaN,'x',1]", ["NaN", "'x'", "1"]],
  ["an array cut off after a value", '[{"a":1}', ['{"a":1}', broken(1, "")]],
  ["an array cut off after a comma", '[{"a":1},', ['{"a":1}', broken(1, "")]],
  ["an array cut off in a value", '[{"a":1},\n{"b":', ['{"a":1}', broken(2, '{"b":')]],
  ["an array cut off in a string", '[1,"abc', ["1", broken(1, '"abc')]],
  ["an array cut off in a number", "[1,12", ["1", broken(1, "12")]],
  ["an array cut off at once", "[", [broken(1, "")]],
  ["a missing comma", "[1 2,3]", ["1", broken(1, "2,3]")]],
  ["two commas", "[1,,2]", ["1", broken(1, ",2]")]],
  ["a comma at the end", "[1,\n]", ["1", broken(2, "]")]],
  ["a comma at the beginning", "[,1]", [broken(1, ",1]")]],
  ["a value after the array", '[1] {"a":1}', ["1", broken(1, '{"a":1}')]],
  ["another array after the array", "[1]\n[2]", ["1", broken(2, "[2]")]],
  ["a bracket too many", "[1]]", ["1", broken(1, "]")]],
  ["a comment", "[1, // one\n2]", ["1", "//", broken(1, "one\n2]")]],
];

const GOING_ON: readonly (readonly [string, string, readonly Found[]])[] = [
  ["a missing comma", "[1 2,3]", ["1", broken(1, ""), "2", "3"]],
  ["a value after the array", "[1] 2", ["1", broken(1, ""), "2"]],
  ["a value without an end", '[\n  {"a":1,\n  {"b":2}\n]', [broken(2, '{"a":1,\n  '), '{"b":2}']],
  ["a string without an end", '[\n  {"a":"x},\n  {"b":2}\n]', [broken(2, '{"a":"x},'), '{"b":2}']],
  ["a number at the end", "[1,12", ["1", "12", broken(1, "")]],
];

function everyCut(bytes: Buffer, check: (chunks: readonly Buffer[]) => void): void {
  check([bytes]);
  for (let cut = 0; cut <= bytes.length; cut++) check([bytes.subarray(0, cut), bytes.subarray(cut)]);
  check(Array.from(bytes, (byte) => Buffer.from([byte])));
}

describe("ValueSplitter", () => {
  test.each(STRICT)("stops at damage: %s", (_, text, expected) => {
    everyCut(Buffer.from(text), (chunks) => expect(split(chunks, "stop")).toEqual(expected));
  });

  test.each(GOING_ON)("goes on after damage: %s", (_, text, expected) => {
    everyCut(Buffer.from(text), (chunks) => expect(split(chunks, "go-on")).toEqual(expected));
  });

  test("values without an array, over several lines", () => {
    everyCut(Buffer.from('{\n "a": 1\n}\n{"b":\n2}\n'), (chunks) =>
      expect(split(chunks, "go-on", 1000, "values")).toEqual(['{\n "a": 1\n}', '{"b":\n2}']),
    );
  });

  test("a value over the limit, or not UTF-8, is refused alone", () => {
    const bytes = Buffer.from('[{"a":1},{"a":12},"\xff",12345678,123456789]', "latin1");
    everyCut(bytes, (chunks) =>
      expect(split(chunks, "stop", 8)).toEqual([
        '{"a":1}',
        '{"a":12}',
        ["NOT_UTF8", 1, '"\xff"'],
        "12345678",
        ["TOO_LARGE", 1, "123456789"],
      ]),
    );
  });

  test("of what is not read, the head alone is kept", () => {
    const rest = "x".repeat(100_000);
    for (const cut of [0, 4, 50_000]) {
      const text = `[1] ${rest}`;
      const found = split([Buffer.from(text.slice(0, cut)), Buffer.from(text.slice(cut))], "stop");
      expect(found).toEqual(["1", broken(1, rest.slice(0, REFUSED_HEAD_BYTES))]);
    }
  });

  test("100,000 levels are split without recursion", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(split([Buffer.from(`[${deep},1]`)], "stop", 1 << 20)).toEqual([deep, "1"]);
  });

  test("the elements of any array are heard as they were written", () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { minLength: 1 }), fc.nat(400), (elements, cut) => {
        const bytes = Buffer.from(`[${elements.join(" ,\n")}]`);
        const expected = elements.map((element) => JSON.stringify(JSON.parse(element)));
        const found = split([bytes.subarray(0, cut), bytes.subarray(cut)], "stop", 1 << 20);
        expect(found.map((text) => (typeof text === "string" ? JSON.stringify(JSON.parse(text)) : text))).toEqual(expected);
      }),
    );
  });
});
