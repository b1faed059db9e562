import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SessionFamily, toFamilies } from "./families.ts";

interface One {
  readonly key: number;
  readonly parent?: { readonly key?: number };
}
const one = (key: number, parent?: number): One => (parent === undefined ? { key } : { key, parent: { key: parent } });
const told = (families: readonly SessionFamily<One>[]): string =>
  families.map(({ session, children }) => `${session.key}${children.length === 0 ? "" : `(${told(children)})`}`).join(" ");

describe("families of sessions", () => {
  it("have subagents under who sent them, in the order of the list", () => {
    expect(told(toFamilies([one(1), one(2), one(3, 1), one(4, 3), one(5, 1), one(6, 2)]))).toBe("1(3(4) 5) 2(6)");
  });

  it("leave alone whose parent is not in the list", () => {
    expect(told(toFamilies([one(7, 99), one(8, 7), { key: 9, parent: {} }]))).toBe("7(8) 9");
  });

  it("cut a circle of parents", () => {
    expect(told(toFamilies([one(1, 2), one(2, 1), one(3, 3), one(4, 1)]))).toBe("1(4) 2 3");
  });

  it("show every session once, whatever is said about parents", () => {
    const parent = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(parent, { maxLength: 20 }), (parents) => {
        const keys = told(toFamilies(parents.map((key, index) => one(index + 1, key)))).match(/\d+/g) ?? [];
        expect(keys.map(Number).sort((a, b) => a - b)).toEqual(parents.map((_, index) => index + 1));
      }),
    );
  });
});
