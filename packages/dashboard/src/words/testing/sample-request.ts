import { samplesAt } from "../../../../hub/src/requests/testing/sample-request.ts";

export type { AskedPart, SampleParts } from "../../../../hub/src/requests/testing/sample-request.ts";

/** 9 a.m. in the time zone of the test: times of day are shown in the reader's zone. */
export const SAMPLE_NOW_MS = new Date(2026, 6, 1, 9, 0).getTime();

export const { sampleAsked, sampleRequest, sampleDecision } = samplesAt(SAMPLE_NOW_MS, {
  asked: { facts: { moment: "permission", workspace: { cwd: "/home/ana/shop" } } },
});
