import { describe, expect, it } from "vitest";
import { judgeReply, QUESTION_STEPS } from "./question.ts";
import { testClarification, testConfirmation, testDecision, testResponse, timestampAfter } from "./testing/some-question.ts";

it("a question ends once, and only its end ends it", () => {
  expect(QUESTION_STEPS).toEqual({
    waiting: { left: "alone", came: "waiting", replied: "ended", expired: "ended", forsaken: "waiting", withdrawn: "ended" },
    alone: { left: "alone", came: "waiting", replied: "ended", expired: "ended", forsaken: "ended", withdrawn: "ended" },
    ended: { left: "ended", came: "ended", replied: "ended", expired: "ended", forsaken: "ended", withdrawn: "ended" },
  });
});

describe("a reply to a confirmation", () => {
  it("ends it as it says, and tells who and why", () => {
    const said = { decided_by: "user:ana", decision_rationale: "Wrong database." };
    expect(judgeReply(testConfirmation(), testDecision("accept", said))).toEqual({
      how: "accepted",
      by: "user:ana",
      rationale: "Wrong database.",
    });
    expect(judgeReply(testConfirmation(), testDecision("reject"))).toEqual({ how: "rejected" });
  });

  it("is a rejection when it changes what nobody said may be changed", () => {
    const changed = testDecision("accept", { modified_action: { table: "other" } });
    expect(judgeReply(testConfirmation(), changed)).toEqual({ how: "rejected" });
    expect(judgeReply(testConfirmation({ takesChanges: true }), changed)).toEqual({ how: "accepted", changes: { table: "other" } });
  });

  it("is none when it is of the other kind, or dated outside the time", () => {
    expect(judgeReply(testConfirmation(), testResponse("accept", { reply_token: "rpl_1" }))).toBeUndefined();
    expect(judgeReply(testClarification(), testDecision("accept", { reply_token: "rpl_2" }))).toBeUndefined();
    for (const timestamp of [timestampAfter(30_000), timestampAfter(-60_001), "yesterday"]) {
      expect(judgeReply(testConfirmation(), testDecision("accept", { timestamp }))).toBeUndefined();
    }
    for (const timestamp of [timestampAfter(29_999), timestampAfter(-60_000)]) {
      expect(judgeReply(testConfirmation(), testDecision("accept", { timestamp }))).toEqual({ how: "accepted" });
    }
  });
});

describe("a reply to a clarification", () => {
  it("has to be of a kind that was asked for", () => {
    const choices = ["eu-west", "us-east"];
    const table = [
      ["freetext", "words", true],
      ["freetext", true, false],
      ["yes_no", false, true],
      ["yes_no", "yes", false],
      ["numeric", 4.5, true],
      ["numeric", "4.5", false],
      ["multiple_choice", "eu-west", true],
      ["multiple_choice", "Europe", false],
    ] as const;
    for (const [kind, said, counts] of table) {
      const ending = judgeReply(testClarification({ kinds: [kind], choices }), testResponse(said, { confidence: 0.5 }));
      expect(ending, `${kind}: ${said}`).toEqual(counts ? { how: "answered", response: said, confidence: 0.5 } : undefined);
    }
    const both = testClarification({ kinds: ["yes_no", "multiple_choice"], choices });
    expect(judgeReply(both, testResponse(true))).toMatchObject({ response: true });
    expect(judgeReply(both, testResponse("us-east"))).toMatchObject({ response: "us-east" });
    expect(judgeReply(both, testResponse("elsewhere"))).toBeUndefined();
  });
});
