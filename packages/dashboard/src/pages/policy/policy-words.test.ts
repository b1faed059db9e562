import { describe, expect, it } from "vitest";
import { isLooser, moveWords, pastWords, splitTold } from "./policy-words.ts";

describe("what is told about rules", () => {
  it("names a rule once, and keeps what else is said", () => {
    expect(splitTold("tests: Changed. Before: tests: ask, for command npm test. Now: tests: allow, for everything.")).toEqual({
      rule: "tests",
      told: "Changed. Before: ask, for command npm test. Now: allow, for everything.",
    });
    expect(splitTold("Something else")).toEqual({ rule: "", told: "Something else" });
  });

  it.each([
    ["asked", "passes", true],
    ["asked", "left", true],
    ["refused", "asked", true],
    ["left", "asked", false],
    ["passes", "refused", false],
  ] as const)("from %s to %s lets more through: %s", (from, to, looser) => {
    expect(isLooser({ from, to })).toBe(looser);
  });

  it("tells what would happen, and what did", () => {
    expect(moveWords({ from: "asked", to: "passes" })).toBe("It would pass, where you are asked now");
    expect(pastWords({ how: "person", word: "deny", by: "Ana" })).toBe("Refused by Ana then");
    expect(pastWords({ how: "person", word: "accept", by: "Ana" })).toBe("Allowed by Ana then");
    expect(pastWords({ how: "silence" })).toBe("Nobody answered then");
  });
});
