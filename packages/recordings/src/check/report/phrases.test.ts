import { describe, expect, it } from "vitest";
import { excerpt } from "./phrases.ts";

describe("excerpt", () => {
  it("leaves short text as it is, made plain", () => {
    expect(excerpt("a\u001bb", 10)).toBe("a\\u{1b}b");
  });

  it("cuts the middle and keeps the end, where padding would hide the dangerous part", () => {
    expect(excerpt(`ls ${" ".repeat(10_000)}; rm -rf /`, 60)).toMatch(/^ls .* … \(9,953 characters left out\) … .*; rm -rf \/$/);
  });

  it("leaves no half character at the cut", () => {
    for (let limit = 10; limit < 20; limit += 1) expect(excerpt("👍".repeat(50), limit)).not.toContain("\\u{d");
  });
});
