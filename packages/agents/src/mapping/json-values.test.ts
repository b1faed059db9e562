import { describe, expect, it } from "vitest";
import { createLook, parsePointer } from "./json-values.ts";

describe("a pointer", () => {
  const document = { foo: ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, deep: { er: { still: "here" } }, nothing: null };

  it.each([
    ["", document],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/m~0n", 8],
    ["/deep/er/still", "here"],
    ["/nothing", null],
    ["/foo/2", undefined],
    ["/foo/-", undefined],
    ["/foo/01", undefined],
    ["/foo/length", undefined],
    ["/deep/er/still/length", undefined],
    ["/toString", undefined],
    ["/nothing/at/all", undefined],
  ])("%j finds what is there", (pointer, found) => {
    expect(createLook(pointer)(document)).toEqual(found);
  });

  it.each(["foo", "/a~2b", "/a~", "/__proto__/x", "/a/constructor", "/prototype", "/x".repeat(65)])("is none: %s", (text) => {
    expect(parsePointer(text)).toBeUndefined();
    expect(createLook(text)({ foo: 1 })).toBeUndefined();
  });
});
