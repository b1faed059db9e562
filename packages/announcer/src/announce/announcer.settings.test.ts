import { describe, expect, test } from "vitest";
import { aaepActivity, sampleActivity } from "../../../narrate/src/testing/acts.ts";
import { createAnnouncer } from "./create-announcer.ts";
import { announcementTexts, speakUntil } from "./testing/speak-until.ts";
import { askingActivity, CLAUDE, LATER, withTwoSessions } from "./testing/two-sessions.ts";

describe("whom it is about", () => {
  test("is said first when several sessions are live", () => {
    const announcer = withTwoSessions();
    announcer.handle(sampleActivity("tool.started", { tool: "Bash" }), 60_000);
    expect(announcer.next(60_000)?.text).toBe("Codex in shop runs a command.");
  });

  test("is not said when there is only one, unless it always is", () => {
    const alone = createAnnouncer();
    alone.handle(sampleActivity("session.opened", { goal: "Fix the login" }), 0);
    expect(alone.next(0)?.text).toBe("Started: Fix the login.");
    const always = createAnnouncer({ source: "always" });
    always.handle(sampleActivity("session.opened", { goal: "Fix the login" }), 0);
    expect(always.next(0)?.text).toBe("Codex in shop started: Fix the login.");
  });

  test("is in the first 40 characters with project and verb, however long the names are", () => {
    const announcer = createAnnouncer({ source: "always" });
    const names = { agentName: "An agent with a very long name indeed", workspace: "/work/a-project-of-many-words" };
    announcer.handle(askingActivity("t1", names), 0);
    announcer.handle(askingActivity("t2", names), 0);
    const text = announcer.next(100)?.text.slice(0, 40) ?? "";
    expect(text).toMatch(/^An agent with… in a-project-o… asks/);
  });
});

describe("load, mutes, follow and quiet", () => {
  test("at low load only what is critical, results and ends are told as they come; the rest is summed up", () => {
    const announcer = createAnnouncer({ load: "low" });
    announcer.handle(sampleActivity("session.opened", { goal: "Fix" }), 0);
    announcer.handle(sampleActivity("tool.started", { tool: "Bash" }), 10);
    announcer.handle(sampleActivity("state", { to: "thinking" }), 20);
    announcer.handle(sampleActivity("output.chunk", { text: "All is well. ", last: false, outputId: "o" }), 30);
    expect(announcer.next(40)).toBeUndefined();
    announcer.handle(sampleActivity("output.chunk", { text: "Done.", last: true, outputId: "o" }), 50);
    expect(announcer.next(60)?.text).toBe("All is well. Done.");
    const later = speakUntil(announcer, 1000, LATER);
    expect(announcementTexts(later)).toEqual(["Codex in shop is thinking: 1 tool call."]);
  });

  test.each([
    ["a session", { session: "s1" }],
    ["an agent by its id", { agent: "codex" }],
    ["an agent by its name", { agent: "Codex" }],
    ["a project by its folder", { project: "/home/ana/shop" }],
    ["a project by its name", { project: "shop" }],
  ])("muting %s silences it but for what is critical, and its state is told in a summary", (_what, mute) => {
    const announcer = withTwoSessions({ mutes: [mute] });
    announcer.handle(sampleActivity("tool.started", { tool: "Bash" }), 60_000);
    announcer.handle(sampleActivity("state", { to: "writing_output" }), 60_010);
    expect(speakUntil(announcer, 60_010, 100_000)).toEqual([]);
    announcer.handle(askingActivity("t1"), 100_000);
    expect(announcementTexts(speakUntil(announcer, 100_000, 110_000))).toHaveLength(1);
    announcer.handle(sampleActivity("request.answered", { token: "t1", answer: "accept" }), 110_000);
    announcer.handle(sampleActivity("state", { to: "calling_tool" }), 110_100);
    expect(announcementTexts(speakUntil(announcer, 111_000, LATER))).toEqual(["Codex in shop is using a tool: 1 tool call."]);
  });

  test("muting a session mutes its subagents, following one follows them", () => {
    const child = (text: string) =>
      sampleActivity("notification", { session: "child", agentName: "Helper", parent: { session: "s1" }, text });
    const muted = withTwoSessions({ mutes: [{ session: "s1" }] });
    muted.handle(child("hello"), 60_000);
    expect(speakUntil(muted, 60_000, 70_000)).toEqual([]);
    const followed = withTwoSessions({ follow: "s1" });
    followed.handle(child("hello"), 60_000);
    followed.handle(sampleActivity("notification", { ...CLAUDE, text: "unheard" }), 60_000);
    expect(announcementTexts(speakUntil(followed, 60_000, 70_000))).toEqual(["Helper in shop says: hello."]);
  });

  test("following ends with the session that is followed", () => {
    const announcer = withTwoSessions({ follow: "s1" });
    announcer.handle(sampleActivity("session.closed", { outcome: "completed" }), 60_000);
    expect(announcer.settings.follow).toBeUndefined();
    announcer.handle(sampleActivity("notification", { ...CLAUDE, text: "I am here" }), 60_010);
    expect(announcementTexts(speakUntil(announcer, 60_010, 90_000)).join()).toContain("I am here");
  });

  test("in quiet mode only what is critical and a lost guard are heard; afterwards it is summed up", () => {
    const announcer = withTwoSessions({ quiet: true });
    announcer.handle(sampleActivity("tool.started", { tool: "Bash" }), 60_000);
    announcer.handle(sampleActivity("session.closed", { ...CLAUDE, outcome: "completed" }), 60_000);
    announcer.notice({ topic: "other", text: "A new version is there." }, 60_000);
    announcer.notice({ topic: "guard-lost", agent: "Codex", project: "shop", text: "Something ran and nobody was asked." }, 60_010);
    const heard = speakUntil(announcer, 60_010, LATER);
    expect(announcementTexts(heard)).toEqual(["Codex in shop: Something ran and nobody was asked."]);
    expect(heard[0]).toMatchObject({ about: "guard", urgency: "critical" });
    announcer.change({ quiet: false }, LATER);
    expect(announcementTexts(speakUntil(announcer, LATER, LATER + 600_000)).join("|")).toMatch(
      /Claude in web is done\..*Codex in shop.*tool call/,
    );
  });

  test("that the time of a request is nearly over passes quiet mode", () => {
    const announcer = withTwoSessions({ quiet: true });
    announcer.notice({ topic: "request", agent: "Codex", project: "shop", text: "20 seconds left." }, 60_000);
    const heard = speakUntil(announcer, 60_000, LATER);
    expect(announcementTexts(heard)).toEqual(["Codex in shop: 20 seconds left."]);
    expect(heard[0]).toMatchObject({ about: "request", urgency: "critical" });
  });

  test("what waits is summed up when its session is muted in the meantime", () => {
    const announcer = withTwoSessions();
    announcer.handle(sampleActivity("tool.started", { tool: "Bash" }), 60_000);
    announcer.change({ mutes: [{ session: "s1" }] }, 60_001);
    expect(announcer.next(60_002)).toBeUndefined();
    expect(announcementTexts(speakUntil(announcer, 60_002, LATER))).toEqual(["Codex in shop: 1 tool call."]);
  });

  test("a state that was not told is summed up when its session is muted in the meantime", () => {
    const announcer = withTwoSessions();
    announcer.handle(sampleActivity("state", { to: "thinking" }), 60_000);
    announcer.change({ mutes: [{ session: "s1" }] }, 60_001);
    expect(announcementTexts(speakUntil(announcer, 60_002, LATER))).toEqual(["Codex in shop is thinking."]);
  });

  test("verbosity counts for what waits already", () => {
    const announcer = createAnnouncer();
    announcer.handle(
      aaepActivity("tool.invoked", {
        tool: "t",
        summary_terse: "Log.",
        summary_normal: "Reading the log.",
        summary_detailed: "Reading the log of web.",
      }),
      0,
    );
    announcer.change({ verbosity: "detailed" }, 1);
    expect(announcer.next(2)?.text).toBe("Reading the log of web.");
  });
});
