import { beforeAll, describe, it } from "vitest";
import type { LiveReport } from "../live-report.ts";
import { DEFECT_NAMES, type Defect } from "../testing/defects.ts";
import { checkDefects, expectToFail, expectToPass } from "../testing/producer-checks.ts";

it.each([1, 2, 3] as const)("passes a producer that keeps the rules, in every scenario of level %i", (level) => expectToPass(level));

describe("a producer with one defect", () => {
  let reports: ReadonlyMap<Defect, Promise<LiveReport>>;
  beforeAll(() => {
    reports = checkDefects(DEFECT_NAMES);
  });

  it.each(DEFECT_NAMES)("fails with its rule: %s", async (defect) => {
    expectToFail(defect, await reports.get(defect));
  });
});
