import { samplesAt } from "../../../../hub/src/requests/testing/sample-request.ts";

export type { AskedPart, SampleParts } from "../../../../hub/src/requests/testing/sample-request.ts";

export const SAMPLE_TIME_MS = Date.UTC(2026, 6, 1, 9, 0);
export const UTC = { now: SAMPLE_TIME_MS, timeZone: "UTC" } as const;

export const { sampleAsked, sampleRequest, sampleDecision } = samplesAt(SAMPLE_TIME_MS, {
  terms: { answers: ["allow", "deny", "defer", "stop"], because: "the rule guard/destructive" },
  view: { id: "req_3fa2c1d4e5f60718293a4b5c" },
});
