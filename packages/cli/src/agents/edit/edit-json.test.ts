import type { JsonValue } from "@earshot/protocol/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addToJson, type JsonEntry, ownEntries, readRoot, removeFromJson, sameEntries } from "./edit-json.ts";
import { plainOf, readJsonText } from "./json-text.ts";

const isOwn = (value: JsonValue) => JSON.stringify(value).includes("own!");
const entry = (event: string, name: string): JsonEntry => ({
  at: ["hooks", event],
  value: { matcher: "x", hooks: [{ command: `own!${name}` }] },
});
const ENTRIES = [entry("A", "1"), entry("A", "2"), entry("B", "3")];

function add(text: string): string {
  const added = addToJson(text, { members: {}, entries: ENTRIES });
  if (!added.ok) throw new Error(added.why);
  return added.text;
}

function remove(text: string): string {
  const removed = removeFromJson(text, ["hooks"], isOwn);
  if (!removed.ok) throw new Error(removed.why);
  return removed.text;
}

/** Hand-written texts and their results: lines are only added. */
const LOOKS: readonly (readonly [string, string])[] = [
  ['{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "hooks": {\n    "A": [\n      {\n        "matcher": "x",\n'],
  ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"hooks": {\n\t\t"A": [\n\t\t\t{\n\t\t\t\t"matcher": "x",\n'],
  ['{\r\n    "a": 1\r\n}', '{\r\n    "a": 1,\r\n    "hooks": {\r\n        "A": [\r\n            {\r\n'],
  [
    '{\n  "hooks": {\n    "A": [\n      1 // one\n    ]\n  }\n}\n',
    '{\n  "hooks": {\n    "A": [\n      1, // one\n      {\n        "matcher": "x",\n',
  ],
  ['{\n  "a": 1, // one\n}', '{\n  "a": 1, // one\n  "hooks": {\n'],
  ["{ }", '{\n  "hooks": {\n'],
];

describe("putting entries into JSON", () => {
  it.each(LOOKS)("%j begins with %j", (text, beginning) => {
    expect(add(text).slice(0, beginning.length)).toBe(beginning);
    expect(plainOf(parse(remove(add(text))))).toEqual(plainOf(parse(text)));
  });

  it.each(LOOKS.slice(0, 5))("and taking them out of %j again leaves every character", (text) => expect(remove(add(text))).toBe(text));

  it("keeps comments where they are", () => {
    const text =
      '{ // top\n  "hooks": { // hooks\n    // first\n    "A": [ /* none */ ], // A\n    "C": [] // C\n    // last\n  } // end\n}\n';
    const comments = text.match(/\/\/ \w+|\/\*.*?\*\//g) ?? [];
    const kept = (other: string) => other.match(/\/\/ \w+|\/\*.*?\*\//g) ?? [];
    expect(kept(add(text)).sort()).toEqual(comments.toSorted());
    expect(kept(remove(add(text)))).toEqual(comments.filter((comment) => comment !== "/* none */"));
  });

  it("means the same as putting them into the value, whatever is there and however it is written", () => {
    const key = fc.oneof(fc.constantFrom("hooks", "A", "B", "é", '"', "//"), fc.string());
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.boolean(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 3 }),
      ),
    }));
    const lists = fc.dictionary(fc.constantFrom("A", "B", "C"), fc.array(value, { maxLength: 3 }), { maxKeys: 3 });
    const whole = fc.record({ hooks: lists, other: value, more: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(whole, fc.constantFrom("", "  ", "    ", "\t"), fc.constantFrom("\n", "\r\n"), (root, indent, eol) => {
        const text = JSON.stringify(root, null, indent).replaceAll("\n", eol);
        const added = add(text);
        const expected = {
          ...root,
          hooks: {
            ...root.hooks,
            A: [...(root.hooks?.["A"] ?? []), ENTRIES[0]?.value, ENTRIES[1]?.value],
            B: [...(root.hooks?.["B"] ?? []), ENTRIES[2]?.value],
          },
        };
        expect(readRoot(added)).toEqual(JSON.parse(JSON.stringify(expected)));
        expect(sameEntries(ownEntries(added, ["hooks"], isOwn) ?? [], ENTRIES)).toBe(true);
        const hooks = Object.fromEntries(
          Object.entries(root.hooks ?? {}).filter(([event, list]) => !(["A", "B"].includes(event) && list.length === 0)),
        );
        const left = Object.keys(hooks).length === 0 ? (({ hooks: _hooks, ...rest }) => rest)(root) : { ...root, hooks };
        expect(readRoot(remove(added))).toEqual(JSON.parse(JSON.stringify(left)));
      }),
    );
  });
});

function parse(text: string) {
  const reading = readJsonText(text);
  if (!reading.ok) throw new Error(reading.why);
  return reading.root;
}

describe("reading JSON with comments", () => {
  it("agrees with JSON.parse wherever that has an opinion", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.json().map((text) => text.slice(1)),
          fc.json().map((text) => `${text}1`),
        ),
        (text) => {
          let value: unknown;
          try {
            value = JSON.parse(text);
          } catch {
            return; // comments and commas are more than JSON.parse takes
          }
          expect(plainOf(parse(text))).toEqual(value);
        },
      ),
    );
  });

  it.each([
    "",
    "{",
    "[1",
    "{a:1}",
    '{"a"}',
    '{"a":1 "b":2}',
    "[1 2]",
    '"\n"',
    '"\\x"',
    "01",
    "1.",
    "+1",
    "NaN",
    "tru",
    "/* ",
    "{}}",
    "[,]",
    '{"a":,}',
    "nulls",
  ])("refuses %j", (text) => {
    expect(readJsonText(text).ok).toBe(false);
  });

  it("refuses what is nested without end", () => {
    expect(readJsonText("[".repeat(5000)).ok).toBe(false);
  });
});
