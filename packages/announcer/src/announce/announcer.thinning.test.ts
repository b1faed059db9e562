import { describe, expect, test } from "vitest";
import { aaepActivity, sampleActivity } from "../../../narrate/src/testing/acts.ts";
import { createAnnouncer } from "./create-announcer.ts";
import { announcementTexts, speakUntil } from "./testing/speak-until.ts";
import { askingActivity, LATER, withTwoSessions } from "./testing/two-sessions.ts";

describe("states", () => {
  test("that do not last are not told, and the last one is", () => {
    const announcer = createAnnouncer();
    announcer.handle(sampleActivity("state", { from: "idle", to: "thinking" }), 0);
    announcer.handle(sampleActivity("state", { from: "thinking", to: "deciding" }), 500);
    announcer.handle(sampleActivity("state", { from: "deciding", to: "thinking" }), 900);
    expect(announcementTexts(speakUntil(announcer, 900, LATER))).toEqual(["Is thinking."]);
  });

  test("that change all the time are told after a while", () => {
    const announcer = createAnnouncer();
    const heard: string[] = [];
    for (let at = 0; at < 30_000; at += 500) {
      announcer.handle(sampleActivity("state", { to: at % 1000 === 0 ? "thinking" : "deciding" }), at);
      heard.push(...announcementTexts(speakUntil(announcer, at, at + 499)));
    }
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.length).toBeLessThan(5);
  });

  test("say how long they take", () => {
    const announcer = createAnnouncer();
    announcer.handle(sampleActivity("state", { to: "thinking", expectedMs: 120_000 }), 0);
    expect(announcementTexts(speakUntil(announcer, 0, 5000))).toEqual(["Is thinking: This takes about two minutes."]);
  });

  test("that only wait for an answer are told by the request", () => {
    const announcer = createAnnouncer();
    announcer.handle(sampleActivity("state", { from: "thinking", to: "awaiting_input" }), 0);
    announcer.handle(askingActivity("t1"), 10);
    expect(speakUntil(announcer, 10, LATER).map(({ about }) => about)).toEqual(["request"]);
  });

  test("with a sentence of their own that is not background are told in turn", () => {
    const announcer = createAnnouncer();
    announcer.handle(
      aaepActivity("state.changed", {
        from_state: "awaiting_input",
        to_state: "thinking",
        urgency: "normal",
        summary_normal: "You declined.",
      }),
      0,
    );
    announcer.handle(aaepActivity("state.changed", { from_state: "thinking", to_state: "deciding" }), 10);
    expect(announcementTexts(speakUntil(announcer, 10, LATER))).toEqual(["You declined.", "Is deciding."]);
  });
});

describe("too much", () => {
  test("is merged into a summary, and failures outlast other things", () => {
    const announcer = withTwoSessions();
    for (let index = 0; index < 40; index++)
      announcer.handle(sampleActivity("tool.started", { tool: "Bash", callId: `c${index}` }), 60_000 + index);
    announcer.handle(sampleActivity("tool.ended", { tool: "Bash", callId: "c3", outcome: "failed", error: "exit code 1" }), 60_050);
    const heard = announcementTexts(speakUntil(announcer, 60_050, LATER));
    expect(heard).toContain("Codex in shop runs a command. And 2 more.");
    expect(heard).toContain("Codex in shop got an error trying to run a command: exit code 1.");
    expect(heard.at(-1)).toBe("Codex in shop: 37 more tool calls.");
  });

  test("is told with the end of the session", () => {
    const announcer = withTwoSessions();
    for (let index = 0; index < 40; index++)
      announcer.handle(sampleActivity("tool.started", { tool: "Bash", callId: `c${index}` }), 60_000 + index);
    announcer.handle(sampleActivity("session.closed", { outcome: "completed" }), 60_050);
    expect(announcementTexts(speakUntil(announcer, 60_050, LATER)).at(-1)).toBe("Codex in shop is done. 40 more tool calls.");
  });

  test("of what is critical is counted with the last of it", () => {
    const announcer = createAnnouncer();
    for (let index = 0; index < 100; index++)
      announcer.handle(sampleActivity("notification", { text: `Fire ${index}`, urgency: "critical" }), index);
    const heard = speakUntil(announcer, 100, LATER);
    expect(heard).toHaveLength(16);
    expect(heard.reduce((sum, { count }) => sum + count, 0)).toBe(100);
    expect(heard.at(-1)?.text).toContain("And 84 more.");
  });

  test("of states is summed up", () => {
    const announcer = createAnnouncer();
    for (let index = 0; index < 100; index++) announcer.handle(sampleActivity("state", { session: `s${index}`, to: "thinking" }), index);
    const heard = speakUntil(announcer, 100, LATER);
    expect(heard).toHaveLength(9);
    expect(new Set(heard.flatMap(({ sessions }) => sessions)).size).toBe(100);
  });

  test("of sessions is counted by where they stand", () => {
    const announcer = createAnnouncer({ mutes: [{ agent: "codex" }] });
    for (let index = 0; index < 400; index++) announcer.handle(sampleActivity("state", { session: `s${index}`, to: "thinking" }), index);
    const [digest] = speakUntil(announcer, 400, LATER);
    expect(digest?.text).toContain("395 more sessions: 395 running.");
  });
});
