import { expect, it } from "vitest";
import { jsonInWords } from "./json-in-words.ts";

it.each([
  [{ path: "src/a.ts", limit: 20, force: false }, "path: src/a.ts, limit: 20, force: false"],
  [{ edit: { from: "a", to: ["b", "c"] }, note: null }, "edit: (from: a, to: (b, c)), note: nothing"],
  ["npm test", "npm test"],
  [[1, 2], "1, 2"],
  [{}, "empty"],
  [{ list: [], object: {} }, "list: empty list, object: empty"],
  [{ a: { b: { c: { d: { e: { f: 1 } } } } } }, 'a: (b: (c: (d: (e: {"f":1}))))'],
])("%j is read out as %s", (value, words) => {
  expect(jsonInWords(value)).toBe(words);
});
