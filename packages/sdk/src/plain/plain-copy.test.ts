import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutWithNote, PlainCopy } from "./plain-copy.ts";

const copy = (value: unknown, characters = 60_000) => new PlainCopy(characters).of(value);

describe("a plain copy", () => {
  it("says what JSON says of JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const kept = JSON.stringify(value);
        fc.pre(!kept.includes("__proto__") && !kept.includes("constructor") && !kept.includes("prototype") && kept.length < 5000);
        expect(JSON.stringify(copy(value))).toBe(JSON.stringify(JSON.parse(kept.toWellFormed())));
      }),
    );
  });

  it("is not changed by what happens to the original later", () => {
    const original = { list: [1] };
    const copied = copy(original);
    original.list.push(2);
    expect(copied).toEqual({ list: [1] });
  });

  it("survives circles, and says where they are", () => {
    const circle: Record<string, unknown> = { name: "a" };
    circle["self"] = circle;
    circle["twice"] = [1, 1];
    expect(copy(circle)).toEqual({ name: "a", self: "[circular]", twice: [1, 1] });
  });

  it("shows the same object in two places, which is no circle", () => {
    const shared = { x: 1 };
    expect(copy({ one: shared, other: shared })).toEqual({ one: { x: 1 }, other: { x: 1 } });
  });

  it("stops at sixteen levels", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(JSON.stringify(copy(deep))).toContain("[too deep]");
  });

  it("keeps what has no JSON as text", () => {
    expect(copy([10n, Number.NaN, Symbol("s"), () => 1, undefined, /x/g, new Uint8Array(3), Promise.resolve()])).toEqual([
      "10",
      "NaN",
      "[Symbol(s)]",
      "[function]",
      null,
      "/x/g",
      "[3 bytes]",
      "[promise]",
    ]);
    expect(copy({ date: new Date(0), map: new Map([["k", 1]]), set: new Set([1]), url: new URL("http://x/") })).toEqual({
      date: "1970-01-01T00:00:00.000Z",
      map: { k: 1 },
      set: [1],
      url: "http://x/",
    });
    expect(copy(Object.assign(new TypeError("wrong"), { code: "E" }))).toEqual({ name: "TypeError", message: "wrong", code: "E" });
  });

  it("loses one member to a getter that throws, and not the others", () => {
    const value = {
      good: 1,
      get bad(): never {
        throw new Error("no");
      },
    };
    expect(copy(value)).toEqual({ good: 1, bad: "[unreadable]" });
  });

  it("survives proxies that refuse everything, and toJSON that throws", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const broken = {
      toJSON() {
        throw new Error("no");
      },
    };
    expect(copy([proxy, broken, new Date(Number.NaN)])).toEqual(["[unreadable]", "[unreadable]", null]);
  });

  it("renames keys for which receivers refuse an event", () => {
    const value = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1}}') as unknown;
    expect(JSON.stringify(copy(value))).toBe('{"[__proto__]":{"x":1},"[constructor]":{"[prototype]":1}}');
  });

  it("cuts long texts with a mark, never inside a pair, and leaves room for what follows", () => {
    const copied = copy({ long: "x".repeat(1_000_000), after: "here" }) as Record<string, string>;
    expect(copied["long"]).toMatch(/^x+… \[\d+ characters cut\]$/);
    expect(copied["after"]).toBe("here");
    expect(cutWithNote("a😀b", 2).isWellFormed()).toBe(true);
  });

  it("ends lists and objects that have no end, and says so", () => {
    expect(JSON.stringify(copy(Array.from({ length: 1_000_000 }, (_, index) => index)))).toMatch(/… \d+ more"\]$/);
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index]));
    expect(JSON.stringify(copy(wide)).length).toBeLessThan(70_000);
  });

  it("stays near its budget, whatever it is given", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withMap: true, withSet: true, withNullPrototype: true, maxDepth: 4 }), (value) => {
        expect((JSON.stringify(copy(value, 500)) ?? "").length).toBeLessThan(500 * 6 + 1000);
      }),
    );
  });
});
