import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../tools/test-volume.ts";
import { readJson } from "./json.ts";

function codeOf(text: string): string | undefined {
  const read = readJson(text);
  return read.ok ? undefined : read.problem.code;
}
function pointerOf(text: string): string | undefined {
  const read = readJson(text);
  return read.ok ? undefined : read.problem.pointer;
}

describe("reading JSON", () => {
  it("gives back what JSON.parse gives, for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const read = readJson(text, { maxDepth: 1000, maxCharacters: 1e6 });
        // fast-check may generate objects with a __proto__ key: those are refused, everything else is read.
        if (text.includes("__proto__")) return;
        expect(read.ok && read.value).toEqual(JSON.parse(text));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => text.slice(0, -1)),
          fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", ":", ",", "a", "1") }),
        ),
        (text) => {
          expect(readJson(text)).toHaveProperty("ok");
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  for (const [name, text] of [
    ["nothing", ""],
    ["half an object", '{"a":1'],
    ["something behind it", '{"a":1} x'],
    ["a comment", '{"a":1 /* one */}'],
    ["NaN", '{"a":NaN}'],
    ["single quotes", "{'a':1}"],
    ["a trailing comma", '{"a":1,}'],
    ["a string without an end", '{"a":"b'],
    ["an escape at the end", '"\\'],
  ] as const) {
    it(`refuses ${name}`, () => expect(codeOf(text)).toBe("NOT_JSON"));
  }

  it("refuses nesting that could not be written again, before parsing it", () => {
    expect(codeOf(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toBe("JSON_TOO_DEEP");
    expect(codeOf(`${'{"a":'.repeat(65)}1${"}".repeat(65)}`)).toBe("JSON_TOO_DEEP");
    expect(codeOf(`${'{"a":'.repeat(64)}1${"}".repeat(64)}`)).toBeUndefined();
  });

  it("does not take brackets inside strings for nesting", () => {
    expect(codeOf(JSON.stringify({ a: "[".repeat(1000) }))).toBeUndefined();
  });

  it("refuses equal keys at any depth, and says where", () => {
    expect(pointerOf('{"decision":"reject","decision":"accept"}')).toBe("/decision");
    expect(pointerOf('{"a":[1,{"b":{"c":1,"c":2}}]}')).toBe("/a/1/b/c");
    expect(pointerOf('{"a":1,"\\u0061":2}')).toBe("/a");
    expect(pointerOf('{"x/y~":{"k":1,"k":1}}')).toBe("/x~1y~0/k");
  });

  it("reads equal keys in different objects", () => {
    expect(codeOf('[{"a":1},{"a":1,"b":{"a":1}}]')).toBeUndefined();
  });

  it("refuses keys that change prototypes, at any depth, and leaves prototypes alone", () => {
    expect(codeOf('{"a":{"__proto__":{"polluted":true}}}')).toBe("JSON_FORBIDDEN_KEY");
    expect(codeOf('{"constructor":{"prototype":{"polluted":true}}}')).toBe("JSON_FORBIDDEN_KEY");
    expect(codeOf('{"constructor":"a builder"}')).toBeUndefined();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("refuses numbers that become infinite, and points at integers that lose digits", () => {
    expect(codeOf('{"a":1e999}')).toBe("JSON_NUMBER_RANGE");
    expect(pointerOf('{"a":[0,-1e999]}')).toBe("/a/1");
    const read = readJson('{"a":{"b":9007199254740993}}');
    expect(read.ok && read.facts.unsafeInteger).toBe("/a/b");
  });

  it("counts depth and finds the first null", () => {
    const read = readJson('{"a":[{"b":null}]}');
    expect(read.ok && read.facts).toMatchObject({ depth: 3, firstNull: "/a/0/b" });
  });

  it("refuses a text that is too long", () => {
    const read = readJson('"abc"', { maxDepth: 8, maxCharacters: 4 });
    expect(!read.ok && read.problem.code).toBe("TOO_LARGE");
  });

  it("reads an object with 100,000 keys", () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
    expect(codeOf(JSON.stringify(wide))).toBeUndefined();
  });
});
