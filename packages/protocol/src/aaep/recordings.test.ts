import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aaepRecordings } from "../../testing/aaep.ts";
import { AAEP_DEFECTS } from "../../testing/aaep-defects.ts";
import { applyOften } from "../../testing/defect.ts";
import { judgeRecording } from "../../testing/judge-recording.ts";
import { AAEP } from "./aaep.ts";

describe("conforming AAEP recordings", () => {
  it("yield no error, whatever they contain", () => {
    fc.assert(
      fc.property(aaepRecordings, (recording) => {
        expect(judgeRecording(AAEP, recording).filter((one) => one.severity === "error")).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a single defect in a conforming AAEP recording", () => {
  const recordings = fc.sample(aaepRecordings, { numRuns: 1500, seed: 20261115 });
  for (const defect of AAEP_DEFECTS) {
    it(`is told: ${defect.name}`, () => {
      const applied = applyOften(defect, recordings, 40, (broken) => {
        const told = judgeRecording(AAEP, broken).flatMap((one) => (one.severity === "error" ? [one.rule] : []));
        if (defect.rules.some((rule) => told.includes(rule))) return;
        expect.fail(
          `expected ${defect.rules.join(" or ")}, told ${told.join(", ") || "nothing"} of\n${broken.map((item) => JSON.stringify(item)).join("\n")}`,
        );
      });
      expect(applied).toBeGreaterThanOrEqual(10);
    });
  }
});
