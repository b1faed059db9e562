import { describe, expect, test } from "vitest";
import { sampleActivity } from "../../../narrate/src/testing/acts.ts";
import { announcementTexts, speakUntil } from "./testing/speak-until.ts";
import { askingActivity, CLAUDE, LATER, withTwoSessions } from "./testing/two-sessions.ts";

describe("requests", () => {
  test("that arrive together are one announcement with count and first, and each is listed", () => {
    const announcer = withTwoSessions();
    announcer.handle(askingActivity("t1", CLAUDE), 60_000);
    announcer.handle(askingActivity("t2"), 60_050);
    announcer.handle(askingActivity("t3"), 60_090);
    expect(announcer.dueAt()).toBe(60_100);
    expect(announcer.next(60_099)).toBeUndefined();
    const together = announcer.next(60_100);
    expect(together).toMatchObject({ count: 3, requests: ["aep:other/t1", "aep:s1/t2", "aep:s1/t3"], sessions: ["other", "s1"] });
    expect(together?.text).toBe("Claude in web asks, first of 3 requests: Delete t1. It is gone.");
    expect(announcer.waiting(60_100).map(({ token, from, isAnnounced: told }) => [token, from, told])).toEqual([
      ["t1", "Claude in web", true],
      ["t2", "Codex in shop", true],
      ["t3", "Codex in shop", true],
    ]);
    expect(speakUntil(announcer, 60_200, LATER).filter(({ about }) => about === "request")).toEqual([]);
  });

  test("settled before they were told become their outcome", () => {
    const announcer = withTwoSessions();
    announcer.handle(askingActivity("t1"), 60_000);
    announcer.handle(sampleActivity("request.answered", { token: "t1", answer: "accept", by: "Ana" }), 60_050);
    const [only, ...others] = speakUntil(announcer, 60_100, 70_000);
    expect(only).toMatchObject({
      about: "settled",
      requests: ["aep:s1/t1"],
      text: "Codex in shop was allowed by Ana: Delete t1. It is gone.",
    });
    expect(others).toEqual([]);
    expect(announcer.waiting(60_100)).toEqual([]);
  });

  test("answered before they were asked are told as settled, once", () => {
    const announcer = withTwoSessions();
    announcer.handle(sampleActivity("request.answered", { token: "t1", answer: "reject" }), 60_000);
    announcer.handle(askingActivity("t1"), 60_010);
    expect(announcementTexts(speakUntil(announcer, 60_200, 70_000))).toEqual(["Codex in shop was refused: Delete t1. It is gone."]);
  });

  test.each([
    ["a reply", sampleActivity("request.answered", { token: "t1", answer: "reject" })],
    ["its call began", sampleActivity("tool.started", { tool: "Bash", callId: "c1" })],
    ["its call was decided", sampleActivity("tool.decided", { verdict: "approved", callId: "c1" })],
    ["its agent left awaiting_input", sampleActivity("state", { from: "awaiting_input", to: "thinking" })],
    [
      "the hub says so",
      sampleActivity("state", {
        from: "awaiting_input",
        to: "awaiting_input",
        summary: "Allowed.",
        metadata: { earshot: { resolved: "t1" } },
      }),
    ],
    ["its session ended", sampleActivity("session.closed", { outcome: "completed" })],
  ])("end when %s", (_how, activity) => {
    const announcer = withTwoSessions();
    announcer.handle(askingActivity("t1", { callId: "c1" }), 60_000);
    speakUntil(announcer, 60_000, 70_000);
    expect(announcer.waiting(70_000)).toHaveLength(1);
    announcer.handle(activity, 70_000);
    expect(announcer.waiting(70_000)).toEqual([]);
  });

  test("stay while it is unclear which of them was answered", () => {
    const announcer = withTwoSessions();
    announcer.handle(askingActivity("t1"), 60_000);
    announcer.handle(askingActivity("t2"), 60_000);
    announcer.handle(sampleActivity("state", { from: "awaiting_input", to: "thinking" }), 60_500);
    expect(announcer.waiting(61_000)).toHaveLength(2);
  });

  test("run out at their deadline, which may be put off; silence is no refusal", () => {
    const announcer = withTwoSessions();
    announcer.handle(askingActivity("t1", { timeoutMs: 30_000 }), 60_000);
    announcer.extended("aep:s1/t1", 120_000);
    expect(announcer.waiting(119_999)).toHaveLength(1);
    expect(announcer.waiting(120_000)).toEqual([]);
    const [outcome] = speakUntil(announcer, 120_000, 130_000);
    expect(outcome?.text).toBe("Codex in shop got no answer in time: Delete t1. It is gone.");
  });

  test("settled elsewhere are told once they had been told", () => {
    const announcer = withTwoSessions();
    announcer.handle(askingActivity("t1"), 60_000);
    speakUntil(announcer, 60_000, 70_000);
    announcer.settled("aep:s1/t1", "refused", { at: 70_000, by: "Ben" });
    expect(announcementTexts(speakUntil(announcer, 70_000, 80_000))).toEqual(["Codex in shop was refused by Ben: Delete t1. It is gone."]);
  });

  test("of one session cannot crowd out those of another, and are counted beyond what is listed", () => {
    const announcer = withTwoSessions();
    for (let index = 0; index < 2000; index++) announcer.handle(askingActivity(`t${index}`), 60_000);
    announcer.handle(askingActivity("mine", CLAUDE), 60_000);
    const [first] = speakUntil(announcer, 60_000, 60_200);
    expect(first?.count).toBe(2001);
    const waiting = announcer.waiting(61_000);
    expect(waiting).toHaveLength(256);
    expect(waiting.at(-1)).toMatchObject({ key: "aep:other/mine", isAnnounced: true });
    expect(announcer.unlisted).toBe(2001 - 256);
  });

  test("replied to without a session are found by their token", () => {
    const announcer = withTwoSessions();
    announcer.handle(askingActivity("t1"), 60_000);
    announcer.handle(sampleActivity("request.answered", { token: "t1", answer: "accept", session: "", agent: "" }), 60_010);
    expect(announcer.waiting(60_020)).toEqual([]);
    expect(announcer.overview(60_020).sessions).toEqual(["other", "s1"]);
  });
});
