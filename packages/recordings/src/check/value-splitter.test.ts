import type { Problem } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ValueSplitter } from "./value-splitter.ts";

/** A value as its text, or a refusal as its code, line and head. */
type Found = string | readonly [Problem["code"], number, string];

function split(chunks: readonly Buffer[], maxBytes = 1000, layout: "array" | "values" = "array"): Found[] {
  const found: Found[] = [];
  const splitter = new ValueSplitter(
    layout,
    {
      handle: (text) => found.push(text),
      refuse: ({ code }, line, head) => found.push([code, line, head.toString("latin1")]),
    },
    { maxBytes },
  );
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  return found;
}

const broken = (line: number, head: string): Found => ["NOT_JSON", line, head];

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
  test.each(GOING_ON)("goes on after damage: %s", (_, text, expected) => {
    everyCut(Buffer.from(text), (chunks) => expect(split(chunks)).toEqual(expected));
  });

  test("values without an array, over several lines", () => {
    everyCut(Buffer.from('{\n "a": 1\n}\n{"b":\n2}\n'), (chunks) =>
      expect(split(chunks, 1000, "values")).toEqual(['{\n "a": 1\n}', '{"b":\n2}']),
    );
  });

  test("a value over the limit, or not UTF-8, is refused alone", () => {
    const bytes = Buffer.from('[{"a":1},{"a":12},"\xff",12345678,123456789]', "latin1");
    everyCut(bytes, (chunks) =>
      expect(split(chunks, 8)).toEqual(['{"a":1}', '{"a":12}', ["NOT_UTF8", 1, '"\xff"'], "12345678", ["TOO_LARGE", 1, "123456789"]]),
    );
  });

  test("100,000 levels are split without recursion", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(split([Buffer.from(`[${deep},1]`)], 1 << 20)).toEqual([deep, "1"]);
  });

  test("the elements of any array are heard as they were written", () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { minLength: 1 }), fc.nat(400), (elements, cut) => {
        const bytes = Buffer.from(`[${elements.join(" ,\n")}]`);
        const expected = elements.map((element) => JSON.stringify(JSON.parse(element)));
        const found = split([bytes.subarray(0, cut), bytes.subarray(cut)], 1 << 20);
        expect(found.map((text) => (typeof text === "string" ? JSON.stringify(JSON.parse(text)) : text))).toEqual(expected);
      }),
    );
  });
});
