import type { JsonValue } from "@earshot/protocol/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestValue } from "./call-key.ts";
import { isJsonEqual } from "./json-values.ts";

describe("a digest", () => {
  it("is the same whatever the order of keys", () => {
    expect(digestValue({ a: 1, b: { c: [1, 2], d: "x" } })).toBe(digestValue({ b: { d: "x", c: [1, 2] }, a: 1 }));
    expect(digestValue("x")).toMatch(/^[0-9a-f]{16}$/);
  });

  it("tells apart what is not equal", () => {
    const values: readonly JsonValue[] = [
      null,
      "null",
      1,
      "1",
      [],
      {},
      [[]],
      "",
      [""],
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      [1, 2],
      [2, 1],
      { a: [1] },
      { a: { 0: 1 } },
    ];
    expect(new Set(values.map(digestValue)).size).toBe(values.length);
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        (a, b) => isJsonEqual(a as JsonValue, b as JsonValue) === (digestValue(a as JsonValue) === digestValue(b as JsonValue)),
      ),
    );
  });

  it("has no collision among many commands that are alike", () => {
    const seen = new Set(
      Array.from({ length: 100_000 }, (_, index) => digestValue(["claude", "s1", null, "Bash", { command: `echo ${index}` }])),
    );
    expect(seen.size).toBe(100_000);
  });
});
