import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rewriteStringsByPath } from "./rewrite-strings.ts";

describe("replacing strings in a JSON text", () => {
  it("leaves everything else as it was written", () => {
    const text = '{ "id":"a", "n":1.0, "big":12345678901234567890, "id":"b",\n "list":["a",{"id":"a\\u0041"}], "x":{"id":[]} }';
    const seen: string[] = [];
    const written = rewriteStringsByPath(text, (path, value) => {
      seen.push(`${path.join("/")}=${value}`);
      return path.at(-1) === "id" ? `${value}!` : undefined;
    });
    expect(seen).toEqual(["id=a", "id=b", "list=a", "list/id=aA"]);
    expect(written).toBe(text.replace('"a",', '"a!",').replace('"b"', '"b!"').replace('"a\\u0041"', '"aA!"'));
  });

  it("means the same as replacing them in the value, for any JSON", () => {
    const shout = (value: unknown): unknown => {
      if (typeof value === "string") return `${value}"\\!`;
      if (Array.isArray(value)) return value.map(shout);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shout(member)]));
    };
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (json, spaced) => {
        const text = spaced ? JSON.stringify(JSON.parse(json), null, 1) : json;
        expect(rewriteStringsByPath(text, () => undefined)).toBe(text);
        expect(JSON.parse(rewriteStringsByPath(text, (_path, value) => `${value}"\\!`))).toEqual(shout(JSON.parse(text)));
      }),
    );
  });
});
