import { beforeAll, describe, it } from "vitest";
import type { LiveReport } from "../live-report.ts";
import type { Defect } from "../testing/defects.ts";
import { checkDefects, expectToFail, expectToPass } from "../testing/producer-checks.ts";

/** Those found without waiting for what never comes; `check-producer.deep.ts` checks all of them. */
const SOME: readonly Defect[] = ["no-manifest", "event-id-reused", "back-dated", "default-declared-accept", "forged-token-honoured"];

it("passes a producer that keeps the rules, in every scenario", () => expectToPass(3));

describe("a producer with one defect", () => {
  let reports: ReadonlyMap<Defect, Promise<LiveReport>>;
  beforeAll(() => {
    reports = checkDefects(SOME);
  });

  it.each(SOME)("fails with its rule: %s", async (defect) => {
    expectToFail(defect, await reports.get(defect));
  });
});
