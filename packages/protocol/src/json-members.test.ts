import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../tools/test-volume.ts";
import { membersOf, memberText } from "./json-members.ts";

describe("the members of an object as they are written", () => {
  it("are found without a digit lost", () => {
    const text = '{ "a" : 1.0e2 ,"b":{"c":"}\\"," , "d":[1, 2]},"\\u0065": -0 }';
    expect([...membersOf(text)]).toEqual([
      ['"a"', "1.0e2"],
      ['"b"', '{"c":"}\\"," , "d":[1, 2]}'],
      ['"\\u0065"', "-0"],
    ]);
    expect(memberText(text, "b")).toBe('{"c":"}\\"," , "d":[1, 2]}');
    expect(memberText(text, "e")).toBe("-0");
    expect(memberText(text, "c")).toBeUndefined();
  });

  it.each(["", "[]", "1", '{"a"', '{"a":', '{"a":1', "{a:1}", '{"a":"'])("are none of %j", (text) => {
    expect(memberText(text, "b")).toBeUndefined();
  });

  it("say what JSON.parse says, for any object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        for (const [name, value] of Object.entries(JSON.parse(text) as object)) {
          expect(JSON.parse(memberText(text, name) ?? "")).toEqual(value);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});
