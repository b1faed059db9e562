import { describe, expect, test } from "vitest";
import { sampleActivity } from "../../../narrate/src/testing/acts.ts";
import { createAnnouncer } from "./create-announcer.ts";
import { announcementTexts, speakUntil } from "./testing/speak-until.ts";
import { askingActivity, CLAUDE, LATER, withTwoSessions } from "./testing/two-sessions.ts";

describe("what is critical", () => {
  test("interrupts what is being spoken, which is said again under the same id", () => {
    const announcer = withTwoSessions();
    announcer.handle(sampleActivity("tool.started", { tool: "Bash", subject: "npm test" }), 60_000);
    const tool = announcer.next(60_000);
    expect(tool).toMatchObject({ about: "tool", urgency: "normal", interrupts: false, text: "Codex in shop runs the tests." });
    announcer.handle(askingActivity("t1"), 60_500);
    const request = announcer.next(60_600);
    expect(request).toMatchObject({ about: "request", urgency: "critical", interrupts: true });
    announcer.interrupted(tool?.id ?? "", 60_600);
    expect(announcer.next(60_601)).toBeUndefined();
    announcer.spoken(request?.id ?? "", 65_000);
    const [again] = speakUntil(announcer, 65_000, LATER);
    expect(again).toMatchObject({ id: tool?.id, text: tool?.text, interrupts: false });
  });

  test("does not interrupt what is critical", () => {
    const announcer = withTwoSessions();
    announcer.handle(askingActivity("t1"), 60_000);
    const first = announcer.next(60_100);
    announcer.handle(sampleActivity("session.closed", { ...CLAUDE, outcome: "failed", error: "No disk", hint: "Free some space" }), 60_200);
    expect(announcer.next(60_200)).toBeUndefined();
    announcer.spoken(first?.id ?? "", 61_000);
    expect(announcer.next(61_000)).toMatchObject({ urgency: "critical", interrupts: false });
  });

  test("is not said again when it ended just as it was to be interrupted", () => {
    const announcer = withTwoSessions();
    announcer.handle(sampleActivity("tool.started", { tool: "Bash" }), 60_000);
    const tool = announcer.next(60_000);
    announcer.handle(askingActivity("t1"), 60_500);
    announcer.next(60_600);
    announcer.spoken(tool?.id ?? "", 60_601);
    expect(announcementTexts(speakUntil(announcer, 60_700, LATER)).join()).not.toContain("Bash");
  });

  test("leaves it unsaid that a session began which has failed, whether that waited or was interrupted", () => {
    for (const isInterrupted of [false, true]) {
      const announcer = createAnnouncer({ source: "always" });
      if (!isInterrupted) announcer.handle(sampleActivity("tool.started", { ...CLAUDE, tool: "Bash" }), 0);
      announcer.handle(sampleActivity("session.opened", { goal: "Mend the cart" }), 10);
      const first = announcer.next(10);
      expect(first?.text.includes("started")).toBe(isInterrupted);
      announcer.handle(sampleActivity("session.closed", { outcome: "failed", error: "Broken" }), 20);
      expect(announcementTexts(speakUntil(announcer, 20, LATER)).join()).not.toContain("Mend the cart");
    }
  });

  test("waits for no pace", () => {
    const announcer = createAnnouncer({ paceWpm: 50 });
    announcer.handle(sampleActivity("response", { text: "One two three four five six seven eight nine ten." }), 0);
    const said = announcer.next(0);
    announcer.spoken(said?.id ?? "", 10);
    announcer.handle(sampleActivity("tool.started", { tool: "Bash" }), 20);
    announcer.handle(sampleActivity("session.closed", { outcome: "failed", error: "Broken" }), 30);
    expect(announcer.next(30)?.text).toContain("ailed: Broken.");
  });

  test("is what asks, hands over or fails for good, or says so; not a tool or a test that fails", () => {
    const urgencyOf = (activity: Parameters<ReturnType<typeof createAnnouncer>["handle"]>[0]) => {
      const announcer = createAnnouncer();
      announcer.handle(activity, 0);
      return announcer.next(100)?.urgency;
    };
    expect(urgencyOf(askingActivity("t"))).toBe("critical");
    expect(urgencyOf(sampleActivity("handoff", { targetKind: "human", reason: "Too hard" }))).toBe("critical");
    expect(urgencyOf(sampleActivity("tool.decided", { verdict: "asked", callId: "c1", tool: "Bash" }))).toBe("critical");
    expect(urgencyOf(sampleActivity("session.closed", { outcome: "failed" }))).toBe("critical");
    expect(urgencyOf(sampleActivity("notification", { text: "Fire", urgency: "critical" }))).toBe("critical");
    expect(urgencyOf(sampleActivity("tool.ended", { tool: "test", outcome: "failed", error: "2 of 30 failed" }))).toBe("normal");
    expect(urgencyOf(sampleActivity("error", { message: "exit 1" }))).toBe("normal");
    expect(urgencyOf(sampleActivity("session.closed", { outcome: "cancelled", by: "user" }))).toBe("normal");
  });

  test("is told even where nobody has words for it", () => {
    const announcer = createAnnouncer({ words: () => undefined });
    announcer.handle(sampleActivity("custom", { type: "medai:alarm", urgency: "critical" }), 0);
    announcer.handle(askingActivity("t1"), 0);
    expect(announcementTexts(speakUntil(announcer, 0, 10_000))).toEqual(["Codex in shop: medai:alarm.", "Waits for you."]);
  });
});

describe("on demand", () => {
  test("what was missed is told by session, who waits first, and not again", () => {
    const announcer = withTwoSessions();
    announcer.spoken(announcer.missed(60_000).id, 60_050);
    announcer.handle(sampleActivity("tool.started", { tool: "Bash", callId: "c1" }), 60_100);
    announcer.handle(sampleActivity("tool.ended", { tool: "Bash", callId: "c1", outcome: "failed" }), 60_200);
    announcer.handle(sampleActivity("session.closed", { outcome: "completed" }), 60_300);
    announcer.handle(askingActivity("t1", CLAUDE), 60_400);
    const missed = announcer.missed(60_500);
    expect(missed).toMatchObject({ about: "overview", demanded: true, sessions: ["other", "s1"] });
    expect(missed.text).toBe("Claude in web waits for you. Codex in shop is done: 1 tool call, 1 failure.");
    announcer.spoken(missed.id, 65_000);
    expect(announcementTexts(speakUntil(announcer, 65_000, LATER))).toEqual(["Claude in web asks: Delete t1. It is gone."]);
    expect(announcer.missed(LATER).text).toBe("Claude in web waits for you.");
  });

  test("nothing was missed", () => {
    expect(createAnnouncer().missed(0).text).toBe("Nothing new.");
    expect(createAnnouncer().overview(0).text).toBe("No agent is running.");
  });

  test("the last announcement is said again, and the one before", () => {
    const announcer = createAnnouncer();
    expect(announcer.repeat(0)).toBeUndefined();
    announcer.handle(sampleActivity("tool.started", { tool: "one" }), 0);
    announcer.handle(sampleActivity("tool.started", { tool: "two" }), 0);
    speakUntil(announcer, 0, 60_000);
    const again = announcer.repeat(60_000);
    expect(again).toMatchObject({ text: "Uses two.", demanded: true });
    announcer.spoken(again?.id ?? "", 61_000);
    expect(announcer.repeat(61_000, 1)?.text).toBe("Uses one.");
    expect(announcementTexts(announcer.pastAnnouncements())).toEqual(["Uses one.", "Uses two."]);
  });

  test("what was interrupted for it is said again, unless it was skipped", () => {
    const announcer = createAnnouncer();
    announcer.handle(sampleActivity("notification", { text: "A long story" }), 0);
    const story = announcer.next(0);
    const overview = announcer.overview(10);
    expect(overview.interrupts).toBe(true);
    announcer.skipped(overview.id, 20);
    const again = announcer.next(30);
    expect(again?.id).toBe(story?.id);
    announcer.skipped(again?.id ?? "", 40);
    expect(speakUntil(announcer, 40, LATER)).toEqual([]);
  });

  test("the last hundred announcements are kept", () => {
    const announcer = createAnnouncer({ paceWpm: 1000 });
    for (let index = 0; index < 150; index++) {
      announcer.handle(sampleActivity("notification", { text: `number ${index}` }), index * 10_000);
      speakUntil(announcer, index * 10_000, (index + 1) * 10_000);
    }
    expect(announcer.pastAnnouncements()).toHaveLength(100);
    expect(announcer.pastAnnouncements().at(-1)?.text).toBe("Says: number 149.");
  });
});

describe("pace", () => {
  test("is kept although the caller says at once that it was spoken", () => {
    const announcer = createAnnouncer({ paceWpm: 60 });
    announcer.handle(sampleActivity("notification", { text: "one two three four five" }), 0);
    announcer.handle(sampleActivity("notification", { text: "six" }), 0);
    const first = announcer.next(0);
    announcer.spoken(first?.id ?? "", 0);
    expect(announcer.dueAt()).toBe(6000);
    expect(announcer.next(5999)).toBeUndefined();
    expect(announcer.next(6000)?.text).toBe("Says: six.");
  });

  test("a voice that never reports does not silence everything", () => {
    const announcer = createAnnouncer();
    announcer.handle(sampleActivity("notification", { text: "one" }), 0);
    announcer.handle(sampleActivity("notification", { text: "two" }), 0);
    announcer.next(0);
    const due = announcer.dueAt() ?? 0;
    expect(due).toBeGreaterThan(5000);
    expect(announcer.next(due)?.text).toBe("Codex in shop: 1 message.");
  });
});

test("one call that is asked for and begun is told once; its good end only when it was waited for", () => {
  const announcer = createAnnouncer();
  announcer.handle(sampleActivity("tool.requested", { tool: "Bash", callId: "c1", subject: "npm test" }), 0);
  announcer.handle(sampleActivity("tool.started", { tool: "Bash", callId: "c1", subject: "npm test" }), 10);
  announcer.handle(sampleActivity("tool.ended", { tool: "Bash", callId: "c1", outcome: "succeeded", durationMs: 900 }), 20);
  announcer.handle(sampleActivity("tool.started", { tool: "Build", callId: "c2" }), 30);
  announcer.handle(sampleActivity("tool.ended", { tool: "Build", callId: "c2", outcome: "succeeded", durationMs: 130_000 }), 40);
  expect(announcementTexts(speakUntil(announcer, 40, LATER))).toEqual([
    "Runs the tests.",
    "Uses Build.",
    "Has used Build: It took about two minutes.",
  ]);
});

test("in a session of several agents each is named for what it said", () => {
  const announcer = createAnnouncer({ source: "always" });
  announcer.handle(sampleActivity("tool.started", { tool: "Bash" }), 0);
  announcer.handle(sampleActivity("output.chunk", { agent: "codex", text: "I am first. And", last: true }), 0);
  announcer.handle(sampleActivity("output.chunk", { agent: "helper", agentName: "Helper", text: "I am second.", last: true }), 0);
  announcer.handle(askingActivity("t1"), 0);
  announcer.handle(sampleActivity("notification", { agent: "helper", agentName: "Helper", text: "Hello" }), 0);
  expect(announcementTexts(speakUntil(announcer, 0, LATER)).map((text) => text.split(/[ :]/)[0])).toEqual([
    "Codex",
    "Codex",
    "Codex",
    "Helper",
    "Helper",
  ]);
});

test("an answer that was heard in pieces is not read again", () => {
  const announcer = createAnnouncer();
  announcer.handle(sampleActivity("output.chunk", { text: "It works. ", last: false }), 0);
  announcer.handle(sampleActivity("output.chunk", { text: "Try it", last: false }), 10);
  announcer.handle(sampleActivity("response", { text: "It works. Try it" }), 20);
  expect(announcementTexts(speakUntil(announcer, 20, LATER))).toEqual(["It works. Try it"]);
});

test("only the newest progress is told, and not often", () => {
  const announcer = createAnnouncer();
  for (let percent = 0; percent <= 100; percent++) {
    announcer.handle(sampleActivity("progress", { percent, remainingMs: (100 - percent) * 600 }), percent * 100);
  }
  expect(announcementTexts(speakUntil(announcer, 10_000, LATER))).toEqual(["Is at 100 percent."]);
});

test("a handshake is nobody's session", () => {
  const announcer = createAnnouncer();
  announcer.handle(sampleActivity("custom", { session: "", agent: "", summary: "Bye" }), 0);
  expect(announcer.overview(0).text).toBe("No agent is running.");
});
