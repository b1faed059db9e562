import { samplesAt } from "../../../../hub/src/requests/testing/sample-request.ts";

export type { AskedPart, SampleParts } from "../../../../hub/src/requests/testing/sample-request.ts";

/** Nine in the morning, wherever the test runs: times of day are shown in the reader's own zone. */
export const NOW = new Date(2026, 6, 1, 9, 0).getTime();

export const { sampleAsked, sampleRequest, sampleDecision } = samplesAt(NOW, {
  asked: { facts: { moment: "permission", workspace: { cwd: "/home/ana/shop" } } },
});
