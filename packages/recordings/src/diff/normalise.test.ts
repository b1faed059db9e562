import { describe, expect, it } from "vitest";
import { comparisonKeyOf, measureLikeness, normaliseForDiff, normaliseName, wordHashesOf } from "./normalise.ts";

const same = (one: string, other: string) => comparisonKeyOf(normaliseForDiff(one)) === comparisonKeyOf(normaliseForDiff(other));

describe("A text that is compared", () => {
  it("has its paths from the workspace on", () => {
    expect(normaliseForDiff("cat /home/ana/shop/src/cart.ts", "/home/ana/shop")).toBe("cat src/cart.ts");
    expect(normaliseForDiff("cd /home/ana/shop && ls", "/home/ana/shop/")).toBe("cd . && ls");
    expect(normaliseForDiff("type C:\\work\\shop\\cart.ts", "C:\\work\\shop")).toBe("type cart.ts");
  });

  it("has homes, temporary files, ids, hashes and times made alike", () => {
    expect(same("cat /home/ana/.npmrc", "cat /Users/ben/.npmrc")).toBe(true);
    expect(same("rm /tmp/build-x81/out", "rm /var/folders/ab/cd9/T/build-77/out")).toBe(true);
    expect(same("task 6f9619ff-8b86-d011-b42d-00c04fc964ff", "task 00000000-8b86-d011-b42d-00c04fc964f1")).toBe(true);
    expect(same("git show 3f2a91c", "git show 92743ec")).toBe(true);
    expect(same("waits for toolu_01abcDEF23", "waits for toolu_99zzzXYZ11")).toBe(true);
    expect(same("at 2026-11-15T09:00:00Z in 3.1s", "at 2025-01-01T23:59:59.120+02:00 in 12 ms")).toBe(true);
    expect(same("kill 48213", "kill 51999")).toBe(true);
  });

  it("keeps what may mean something", () => {
    expect(same("13 passed", "12 passed")).toBe(false);
    expect(same("sed -n 10,20p a.ts", "sed -n 30,40p a.ts")).toBe(false);
    expect(same("npm test", "npm  test")).toBe(true);
    expect(same("feedbed", "decade")).toBe(false);
  });

  it("is compared to its end, however long it is", () => {
    const long = "word ".repeat(3000);
    expect(same(`${long}a`, `${long}b`)).toBe(false);
    expect(same(`${"x ".repeat(40_000)}a`, `${"x ".repeat(40_000)}abc`)).toBe(false);
  });

  it("is found like another one by the words both have", () => {
    expect(measureLikeness(wordHashesOf("npm test"), wordHashesOf("npm test -- --watch"))).toBeCloseTo(0.8);
    expect(measureLikeness(wordHashesOf("npm test"), wordHashesOf("git push"))).toBe(0);
    expect(measureLikeness(wordHashesOf("part 12 of 40"), wordHashesOf("part 13 of 40"))).toBe(1);
    expect(measureLikeness(wordHashesOf(""), wordHashesOf(""))).toBe(1);
  });

  it("is one name in every spelling", () => {
    expect(normaliseName("fetchBalance")).toBe(normaliseName("fetch_balance"));
    expect(normaliseName("Bash")).toBe("bash");
  });
});
