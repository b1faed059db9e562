import { describe, expect, it } from "vitest";
import { judgeRecording } from "../../testing/judge-recording.ts";
import { AAEP } from "./aaep.ts";
import { AAEP_EXAMPLES } from "./examples.ts";
import { AAEP_RULES, type AaepRuleId } from "./rules.ts";

describe("the AAEP rule catalogue", () => {
  for (const [id, rule] of Object.entries(AAEP_RULES)) {
    const examples = AAEP_EXAMPLES[id as AaepRuleId];
    if (rule.decided === "live") {
      it(`${id} is told in words, because only a live drive can decide it`, () => {
        expect(examples.passes).toHaveProperty("told");
        expect(examples.fails).toHaveProperty("told");
      });
      continue;
    }
    it(`${id} holds in its passing example`, () => {
      if ("told" in examples.passes) throw new Error("needs a recording");
      const told = judgeRecording(AAEP, examples.passes);
      expect(told.filter((one) => one.severity === "error")).toEqual([]);
      expect(told.map((one) => one.rule)).not.toContain(id);
    });
    it(`${id} is told of its failing example`, () => {
      if ("told" in examples.fails) throw new Error("needs a recording");
      const told = judgeRecording(AAEP, examples.fails);
      expect(told.map((one) => one.rule)).toContain(id);
    });
  }
});
