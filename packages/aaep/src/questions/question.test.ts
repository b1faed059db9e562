import { describe, expect, it } from "vitest";
import { judgeReply, QUESTION_STEPS } from "./question.ts";
import { clarification, confirmation, dated, decision, response } from "./testing/some-question.ts";

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
    expect(judgeReply(confirmation(), decision("accept", said))).toEqual({ how: "accepted", by: "user:ana", rationale: "Wrong database." });
    expect(judgeReply(confirmation(), decision("reject"))).toEqual({ how: "rejected" });
  });

  it("is a rejection when it changes what nobody said may be changed", () => {
    const changed = decision("accept", { modified_action: { table: "other" } });
    expect(judgeReply(confirmation(), changed)).toEqual({ how: "rejected" });
    expect(judgeReply(confirmation({ takesChanges: true }), changed)).toEqual({ how: "accepted", changes: { table: "other" } });
  });

  it("is none when it is of the other kind, or dated outside the time", () => {
    expect(judgeReply(confirmation(), response("accept", { reply_token: "rpl_1" }))).toBeUndefined();
    expect(judgeReply(clarification(), decision("accept", { reply_token: "rpl_2" }))).toBeUndefined();
    for (const timestamp of [dated(30_000), dated(-60_001), "yesterday"]) {
      expect(judgeReply(confirmation(), decision("accept", { timestamp }))).toBeUndefined();
    }
    for (const timestamp of [dated(29_999), dated(-60_000)]) {
      expect(judgeReply(confirmation(), decision("accept", { timestamp }))).toEqual({ how: "accepted" });
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
      const ending = judgeReply(clarification({ kinds: [kind], choices }), response(said, { confidence: 0.5 }));
      expect(ending, `${kind}: ${said}`).toEqual(counts ? { how: "answered", response: said, confidence: 0.5 } : undefined);
    }
    const both = clarification({ kinds: ["yes_no", "multiple_choice"], choices });
    expect(judgeReply(both, response(true))).toMatchObject({ response: true });
    expect(judgeReply(both, response("us-east"))).toMatchObject({ response: "us-east" });
    expect(judgeReply(both, response("elsewhere"))).toBeUndefined();
  });
});
