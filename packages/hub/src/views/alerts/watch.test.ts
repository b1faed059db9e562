import type { Activity } from "@earshot/protocol/activities";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Flag } from "../../verdict.ts";
import { ALERT_THRESHOLDS } from "./detector.ts";
import { activityOf, SessionTalk, TALK_START_MS } from "./testing/session-talk.ts";
import { applyEntry, checkAlertTimes, openWatch, type RaisedBySession, type SessionWatch } from "./watch.ts";

const few = fc.constantFrom("a", "b", "c");
const maybeId = fc.option(fc.constantFrom("1", "2", "3", "4"), { nil: undefined });
const named = (callId: string | undefined) => (callId === undefined ? {} : { callId });

/** Few names and values, so that calls match results, questions match answers, and values repeat. */
const activity: fc.Arbitrary<Activity> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(maybeId, few, few).map(([id, tool, x]) => activityOf("tool.started", { ...named(id), tool, input: { x } })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(maybeId, few, few, fc.constantFrom("succeeded" as const, "failed" as const, "denied" as const))
      .map(([id, tool, result, outcome]) => activityOf("tool.ended", { ...named(id), tool, outcome, result })),
  },
  fc.constantFrom("low" as const, "high" as const).map((confidence) => activityOf("thought", { text: "", confidence })),
  few.map((token) => activityOf("request.asked", { request: "confirmation", token, prompt: "?" })),
  fc
    .option(few, { nil: undefined })
    .map((token) => activityOf("request.answered", { answer: "yes", ...(token === undefined ? {} : { token }) })),
  fc.nat(500).map((cents) => activityOf("heartbeat", { status: "running" }, { costUsd: { value: cents / 100, counts: "delta" } })),
  fc.nat(9).map((value) => activityOf("progress", {}, { tokens: { total: value * 30_000, counts: "total" } })),
  fc.constantFrom(
    activityOf("error", { message: "no" }),
    activityOf("turn.ended", {}),
    activityOf("session.opened", { goal: "g" }),
    activityOf("session.closed", { outcome: "completed" }),
    activityOf("state", { to: "idle" }),
  ),
);
const flag: fc.Arbitrary<Flag> = few.map((rule) => ({ code: "SEQUENCE_BROKEN", rule, severity: "error", message: "wrong" }));
const history = fc.array(
  fc.record({
    activities: fc.array(activity, { maxLength: 3 }),
    flags: fc.array(flag, { maxLength: 1 }),
    afterMs: fc.constantFrom(0, 10, 1000, 50_000, 200_000, 2_000_000),
    checks: fc.array(fc.nat(1_000_000), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 120, size: "max" },
);
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** All alerts, raised with or without time checks in between, and the final watch state. */
function run(entries: History, options: { readonly checks: boolean; readonly stored: boolean; readonly deafUntil?: number }) {
  let watch: SessionWatch = openWatch();
  let at = TALK_START_MS;
  const raised: RaisedBySession[] = [];
  for (const [index, { activities, flags, afterMs, checks }] of entries.entries()) {
    for (const early of options.checks ? checks.toSorted((one, other) => one - other) : []) {
      if (early < afterMs) {
        raised.push(...checkAlertTimes(watch, at + early, { thresholds: ALERT_THRESHOLDS, deafUntil: options.deafUntil }));
        if (options.stored) watch = JSON.parse(JSON.stringify(watch)) as SessionWatch;
      }
    }
    at += afterMs;
    raised.push(...applyEntry(watch, { position: index + 1, receivedAt: at, activities, flags }, ALERT_THRESHOLDS));
    if (options.stored) watch = JSON.parse(JSON.stringify(watch)) as SessionWatch;
  }
  return { raised, watch };
}

const settled = (raised: readonly RaisedBySession[]) => raised.map(({ late: _, ...alert }) => JSON.stringify(alert)).sort();

test("a watch that is written and read back after every entry raises the same, and is the same", () => {
  fc.assert(
    fc.property(history, (entries) => {
      const kept = run(entries, { checks: true, stored: false });
      const stored = run(entries, { checks: true, stored: true });
      expect(stored.raised).toEqual(kept.raised);
      expect(stored.watch).toEqual(kept.watch);
      expect(JSON.parse(JSON.stringify(kept.watch))).toEqual(kept.watch);
    }),
  );
});

test("the same history gives the same alerts, whenever somebody looked at the clock, and however long nobody could be heard", () => {
  fc.assert(
    fc.property(history, fc.option(fc.nat(3_000_000), { nil: undefined }), (entries, deaf) => {
      const unwatched = run(entries, { checks: false, stored: false });
      const watched = run(entries, { checks: true, stored: false, ...(deaf === undefined ? {} : { deafUntil: TALK_START_MS + deaf }) });
      expect(settled(watched.raised)).toEqual(settled(unwatched.raised));
      expect(watched.watch).toEqual(unwatched.watch);
    }),
  );
});

test("a type and a position name one alert", () => {
  fc.assert(
    fc.property(history, (entries) => {
      const names = run(entries, { checks: true, stored: false }).raised.map(({ type, position }) => `${type} ${position}`);
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});

test("a watch stays small, whatever is said", () => {
  const talk = new SessionTalk();
  for (let time = 0; time < 5000; time++) {
    const id = `a rather long id of a call, ${time}`;
    talk.call(id, `tool ${time % 100}`, `input ${time % 300}`, `result ${time % 7}`);
    talk.call(`${id}, not ended`, "tool", `${time}`);
    talk.end(`${id}, not begun`, "tool", `${time}`);
    talk.say(
      activityOf("request.asked", { request: "permission", token: id, prompt: "?" }),
      activityOf("request.answered", { token: `${id}?`, answer: "" }),
    );
    talk.say(activityOf("heartbeat", {}, { costUsd: { value: 1 / (time + 3), counts: "delta" } }));
    talk.say(activityOf("heartbeat", {}, { tokens: { total: time ** 2, counts: "total" } }));
    talk.flag({ code: "SEQUENCE_BROKEN", rule: `rule ${time}`, severity: "error", message: "wrong" });
  }
  expect(JSON.stringify(talk.watch).length).toBeLessThan(20_000);
});

test("a call costs as much after 100,000 calls as after a thousand", () => {
  const talk = new SessionTalk();
  const speak = (from: number, to: number) => {
    for (let time = from; time < to; time++) talk.call(`call ${time}`, `tool ${time % 50}`, `input ${time % 1000}`, `result ${time % 333}`);
  };
  speak(0, 1000);
  const early = workOf(talk, () => speak(1000, 1100));
  speak(1100, 100_000);
  const late = workOf(talk, () => speak(100_000, 100_100));
  expect(early).toBeGreaterThan(100);
  expect(late).toBeLessThan(early * 1.05);
});

/** Counts the reads and writes of the watch state during the work. */
function workOf(talk: SessionTalk, work: () => void): number {
  let count = 0;
  const counted = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get(target, name, receiver) {
        count++;
        const member: unknown = Reflect.get(target, name, receiver);
        return typeof member === "object" && member !== null ? counted(member) : member;
      },
      set(target, name, member, receiver) {
        count++;
        return Reflect.set(target, name, member, receiver);
      },
    });
  const { watch } = talk;
  talk.watch = counted(watch);
  work();
  talk.watch = JSON.parse(JSON.stringify(watch)) as SessionWatch;
  return count;
}
