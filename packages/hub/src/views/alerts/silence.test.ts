import type { Activity } from "@earshot/protocol/activities";
import { describe, expect, test } from "vitest";
import { activityOf, SessionTalk, TALK_START_MS } from "./testing/session-talk.ts";
import { checkAlertTimes, nextCheckAt } from "./watch.ts";

const thinking = activityOf("thought", { text: "so" });
const beat = (status = "running") => activityOf("heartbeat", { status });
const asked = (token: string, more: object = {}) =>
  activityOf("request.asked", { request: "confirmation", token, prompt: "May I?", ...more });
const answered = (token?: string) => activityOf("request.answered", { answer: "yes", ...(token === undefined ? {} : { token }) });
const over = activityOf("session.closed", { outcome: "completed" });
const MINUTE = 60_000;

function check(talk: SessionTalk, after: number, deafUntil?: number) {
  return checkAlertTimes(talk.watch, talk.at + after, { thresholds: talk.thresholds, deafUntil });
}

describe("stall", () => {
  test.each<[name: string, said: readonly Activity[], stalledAfter: number | undefined]>([
    ["a working session that never sent a heartbeat", [thinking], 10 * MINUTE],
    ["one that did is missed sooner", [thinking, beat()], 90_000],
    ["also while a call runs", [beat(), activityOf("tool.started", { tool: "run" })], 90_000],
    ["one that ended may be silent", [thinking, over], undefined],
    ["and so may one whose start comes late", [over, activityOf("session.opened", { goal: "g" }), thinking], undefined],
    [
      "not one that began anew",
      [activityOf("session.opened", { goal: "g" }), over, activityOf("session.opened", { goal: "h" })],
      10 * MINUTE,
    ],
    ["one without a goal may wait for it", [activityOf("session.opened", {})], undefined],
    ["one that finished its turn", [thinking, activityOf("turn.ended", {})], undefined],
    ["a notification does not wake it up", [activityOf("turn.ended", {}), activityOf("notification", { text: "waiting" })], undefined],
    ["the next prompt does", [activityOf("turn.ended", {}), activityOf("prompt", { text: "go on" })], 10 * MINUTE],
    ["one that says that it is idle", [thinking, beat("idle")], undefined],
    ["one that says that it waits", [activityOf("state", { to: "awaiting_input" })], undefined],
    ["one that waits for an answer", [thinking, asked("t"), thinking], undefined],
    ["not any more when it has it", [asked("t"), answered("t"), thinking], 10 * MINUTE],
  ])("%s", (_, said, stalledAfter) => {
    const talk = new SessionTalk({ requestSeconds: 0 });
    for (const activity of said) talk.say(activity);
    const due = nextCheckAt(talk.watch, { thresholds: talk.thresholds });
    expect(due).toBe(stalledAfter === undefined ? undefined : talk.at + stalledAfter);
    if (stalledAfter === undefined) expect(check(talk, 1000 * MINUTE)).toEqual([]);
    else {
      expect(check(talk, stalledAfter - 1)).toEqual([]);
      expect(check(talk, stalledAfter)).toMatchObject([{ type: "stall", position: talk.position, at: talk.at + stalledAfter }]);
    }
  });

  test("is told once, and again after the session was heard and fell silent again", () => {
    const talk = new SessionTalk();
    talk.say(beat());
    expect(check(talk, 5 * MINUTE)).toMatchObject([
      { message: "Nothing was heard from it for 90 seconds, although it had neither ended nor paused.", severity: "warning" },
    ]);
    expect(check(talk, 6 * MINUTE)).toEqual([]);
    expect(nextCheckAt(talk.watch, { thresholds: talk.thresholds })).toBeUndefined();
    talk.pass(7 * MINUTE).say(beat());
    expect(talk.raised).toEqual([]);
    expect(check(talk, 2 * MINUTE)).toHaveLength(1);
  });

  test("that nobody noticed in time is noticed by what ended it, at the same place and time, and marked late", () => {
    const watched = new SessionTalk();
    const unwatched = new SessionTalk();
    for (const talk of [watched, unwatched]) talk.say(beat());
    const [noticed] = check(watched, 3 * MINUTE);
    for (const talk of [watched, unwatched]) talk.pass(5 * MINUTE).say(beat());
    expect(watched.raised).toEqual([]);
    expect(unwatched.raised).toEqual([{ ...noticed, late: true }]);
    expect(watched.watch).toEqual(unwatched.watch);
  });

  test("is not counted while nobody could be heard", () => {
    const talk = new SessionTalk();
    talk.say(beat());
    const wokeAt = talk.at + 60 * MINUTE;
    expect(check(talk, 61 * MINUTE, wokeAt)).toEqual([]);
    expect(nextCheckAt(talk.watch, { thresholds: talk.thresholds, deafUntil: wokeAt })).toBe(wokeAt + 90_000);
    expect(check(talk, 62 * MINUTE, wokeAt)).toMatchObject([{ type: "stall", at: talk.at + 90_000 }]);
  });
});

describe("request waiting", () => {
  test.each<[name: string, said: readonly Activity[], waits: number]>([
    ["one that nobody answers", [asked("t")], 1],
    ["not one that is answered", [asked("t"), answered("t")], 0],
    ["nor one that was answered before it was asked", [answered("t"), asked("t")], 0],
    ["an answer without a name is for the first", [asked("t"), asked("u"), answered()], 1],
    ["an answer to another", [asked("t"), answered("u")], 1],
    ["the same one again is one", [asked("t"), asked("t")], 1],
    ["two", [asked("t"), asked("u")], 2],
    ["by the id of its event", [activityOf("request.asked", { request: "handoff", prompt: "?" }, { eventId: "e" }), answered("e")], 0],
    ["a call that runs was let run", [asked("t", { callId: "c" }), activityOf("tool.started", { callId: "c", tool: "run" })], 0],
    ["another one says nothing", [asked("t", { callId: "c" }), activityOf("tool.started", { callId: "d", tool: "run" })], 1],
    ["a call that a person is asked about", [activityOf("tool.decided", { callId: "c", verdict: "asked" })], 1],
    [
      "and that was decided",
      [activityOf("tool.decided", { callId: "c", verdict: "asked" }), activityOf("tool.decided", { callId: "c", verdict: "denied" })],
      0,
    ],
    [
      "a call that two hooks ask about, and that runs",
      [
        activityOf("tool.decided", { callId: "c", verdict: "asked", requestEventId: "e" }),
        activityOf("tool.decided", { callId: "c", verdict: "asked", requestEventId: "f" }),
        activityOf("tool.started", { callId: "c", tool: "run" }),
      ],
      0,
    ],
    [
      "a call without an id that a person is asked about, and that runs",
      [activityOf("tool.decided", { verdict: "asked" }), activityOf("tool.started", { tool: "run" })],
      0,
    ],
    ["the end of the session ends the waiting", [asked("t"), over], 0],
  ])("%s", (_, said, waits) => {
    const talk = new SessionTalk({ silenceSeconds: 0 });
    for (const activity of said) talk.say(activity);
    expect(check(talk, 5 * MINUTE)).toHaveLength(waits);
    expect(check(talk, 6 * MINUTE)).toEqual([]);
    expect(nextCheckAt(talk.watch, { thresholds: talk.thresholds })).toBeUndefined();
  });

  test("says how long, with the place and the time at which it was too long", () => {
    const talk = new SessionTalk();
    talk.say(asked("t"));
    expect(nextCheckAt(talk.watch, { thresholds: talk.thresholds })).toBe(talk.at + 2 * MINUTE);
    expect(check(talk, 2 * MINUTE - 1)).toEqual([]);
    expect(check(talk, 9 * MINUTE)).toEqual([
      {
        type: "request_waiting",
        severity: "warning",
        message: "A question has waited for an answer for 2 minutes.",
        position: 1,
        at: talk.at + 2 * MINUTE,
      },
    ]);
  });

  test("one that gives itself less time is told when half of that is over", () => {
    const talk = new SessionTalk();
    talk.say(asked("t", { timeoutMs: 30_000 }));
    expect(check(talk, 14_999)).toEqual([]);
    expect(check(talk, 15_000)).toMatchObject([
      { message: "A question has waited for an answer for 15 seconds.", at: TALK_START_MS + 16_000 },
    ]);
  });

  test("that nobody noticed in time is noticed by its answer, and marked late", () => {
    const talk = new SessionTalk();
    talk.say(asked("t"));
    expect(talk.pass(10 * MINUTE).say(answered("t"))).toMatchObject([{ type: "request_waiting", position: 1, late: true }]);
  });

  test("of a session that asks without end, the last ones are watched", () => {
    const talk = new SessionTalk();
    for (let time = 0; time < 10_000; time++) talk.say(asked(`t${time}`));
    expect(JSON.stringify(talk.watch).length).toBeLessThan(10_000);
    expect(check(talk, 5 * MINUTE)).toHaveLength(64);
  });
});
