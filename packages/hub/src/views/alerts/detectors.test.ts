import type { Activity } from "@earshot/protocol/activities";
import { expect, test } from "vitest";
import type { Flag } from "../../verdict.ts";
import { activityOf, SessionTalk } from "./testing/session-talk.ts";

const ended = (outcome: "succeeded" | "failed" | "denied" | "cancelled" | "timeout" | "unknown") =>
  activityOf("tool.ended", { tool: "run", outcome });
const failure = activityOf("error", { message: "no" });
const thought = (confidence?: "low" | "high") => activityOf("thought", { text: "hm", ...(confidence === undefined ? {} : { confidence }) });
const doubt = (confidence?: "low" | "high") =>
  activityOf("uncertainty", { text: "hm", ...(confidence === undefined ? {} : { confidence }) });
const over = activityOf("session.closed", { outcome: "completed" });
const other = activityOf("thought", { text: "so" });

/** Every activity is an entry of its own. The number names the entry that raises the alert; 0 means none. */
type Line = readonly [name: string, activities: readonly Activity[], raisedBy: number];

test.each<Line>([
  ["3 calls that failed", [ended("failed"), ended("failed"), ended("failed")], 3],
  ["no more after the third", [ended("failed"), ended("failed"), ended("failed"), ended("failed"), ended("failed"), ended("failed")], 3],
  ["running out of time is failing", [ended("timeout"), ended("failed"), ended("timeout")], 3],
  ["a success ends it", [ended("failed"), ended("failed"), ended("succeeded"), ended("failed"), ended("failed")], 0],
  ["being denied or cancelled is neither", [ended("failed"), ended("denied"), ended("failed"), ended("cancelled"), ended("failed")], 5],
  ["not saying how it went is neither", [ended("failed"), ended("failed"), ended("unknown"), ended("unknown")], 0],
  ["errors count", [failure, failure, failure], 3],
  ["an error right after a failed call is the same failure", [ended("failed"), failure, ended("failed"), failure], 0],
  ["and so the other way round", [failure, ended("failed"), failure, ended("failed")], 0],
  ["an error after something else is another one", [ended("failed"), other, failure, other, failure], 5],
  ["the end of the session ends it", [ended("failed"), ended("failed"), over, ended("failed")], 0],
  ["thinking does not", [ended("failed"), other, ended("failed"), other, ended("failed")], 5],
])("error cascade: %s", (_, activities, raisedBy) => {
  expect(raisers("error_cascade", activities)).toEqual(raisedBy === 0 ? [] : [raisedBy]);
});

test("error cascade: what is said", () => {
  const calls = new SessionTalk();
  for (let time = 0; time < 3; time++) calls.say(ended("failed"));
  expect(calls.raised[0]).toMatchObject({ severity: "critical", message: '3 calls in a row failed, the last one of "run".', at: calls.at });
  const mixed = new SessionTalk();
  mixed.say(ended("failed"));
  mixed.say(other);
  mixed.say(failure);
  mixed.say(failure);
  expect(mixed.raised[0]?.message).toBe("1 call failed and 2 errors came one after the other, and no call succeeded in between.");
});

test.each<Line>([
  ["3 in a row", [thought("low"), thought("low"), thought("low")], 3],
  ["once", [thought("low"), thought("low"), thought("low"), thought("low"), thought("low"), thought("low"), thought("low")], 3],
  ["another thought ends it", [thought("low"), thought("low"), thought("high"), thought("low"), thought("low")], 0],
  ["also one that does not say", [thought("low"), thought("low"), thought(), thought("low"), thought("low")], 0],
  ["a doubt counts", [thought("low"), doubt("low"), doubt("low")], 3],
  ["a doubt of which nobody says how strong it is does not", [thought("low"), doubt(), thought("low"), doubt(), doubt()], 0],
  ["calls in between do not matter", [thought("low"), ended("succeeded"), thought("low"), ended("succeeded"), thought("low")], 5],
])("confidence drop: %s", (_, activities, raisedBy) => {
  expect(raisers("confidence_drop", activities)).toEqual(raisedBy === 0 ? [] : [raisedBy]);
});

test("confidence drop: what ended is told again when it begins again", () => {
  const low = Array.from({ length: 3 }, () => thought("low"));
  expect(raisers("confidence_drop", [...low, thought("high"), ...low])).toEqual([3, 7]);
});

const flag = (rule: string, severity: Flag["severity"] = "error"): Flag => ({
  code: "SEQUENCE_BROKEN",
  rule,
  severity,
  message: `It is wrong by ${rule}.`,
});

test("conformance violation: each rule once, errors only", () => {
  const talk = new SessionTalk();
  talk.flag(flag("aop/a", "warning"), flag("aop/b", "info"));
  expect(talk.raised).toEqual([]);
  talk.flag(flag("aop/a"));
  talk.flag(flag("aop/a"));
  talk.flag(flag("aop/a"), flag("aop/b"), flag("aop/c"), flag("aop/c"));
  expect(talk.raised.map(({ position, rule, message }) => [position, rule, message])).toEqual([
    [2, "aop/a", "It broke aop/a for the first time: It is wrong by aop/a."],
    [4, "aop/b", "It broke aop/b and 1 other rule for the first time: It is wrong by aop/b."],
  ]);
});

test("conformance violation: more rules than can be remembered are not told without end", () => {
  const talk = new SessionTalk();
  for (let time = 0; time < 400; time++) talk.flag(flag(`aop/rule-${time % 200}`));
  expect(talk.raised).toHaveLength(128);
});

const spent = (value: number, counts: "delta" | "total" = "delta") => activityOf("heartbeat", {}, { costUsd: { value, counts } });
const used = (total: number, counts: "delta" | "total" = "delta") => activityOf("heartbeat", {}, { tokens: { total, counts } });
const many = (make: (index: number) => Activity, count = 10) => Array.from({ length: count }, (_, index) => make(index));

test.each<Line>([
  ["a step that costs much more than the others", [...many(() => spent(0.05)), spent(0.5)], 11],
  ["not much more", [...many(() => spent(0.05)), spent(0.2)], 0],
  ["hardly anything, however often as much", [...many(() => spent(0.0001)), spent(0.05)], 0],
  ["before anybody knows what is usual", [...many(() => spent(0.01), 7), spent(5)], 0],
  ["totals, by how much they grow", [...many((index) => spent(index * 0.05, "total")), spent(2, "total")], 11],
  ["a total that is said again is no step", many(() => spent(3, "total"), 40), 0],
  ["a first total is no step", [...many(() => spent(0.05)), spent(40, "total")], 0],
  ["tokens, where nobody tells dollars", [...many(() => used(1000)), used(50_000)], 11],
  ["few tokens", [...many(() => used(10)), used(5000)], 0],
  ["not tokens where dollars are told", [spent(0.05), ...many(() => used(1000)), used(50_000)], 0],
])("cost spike: %s", (_, activities, raisedBy) => {
  expect(raisers("cost_spike", activities)).toEqual(raisedBy === 0 ? [] : [raisedBy]);
});

test("cost spike: told once until a step is as usual again, with its numbers", () => {
  const talk = new SessionTalk();
  const steps = [...many(() => spent(0.05)), spent(0.5), spent(0.5), spent(0.05), spent(0.62)];
  for (const step of steps) talk.say(step);
  expect(talk.raised.map(({ position, message }) => [position, message])).toEqual([
    [11, "A single step cost $0.50, 10 times as much as the $0.0500 that are usual in this session."],
    [14, "A single step cost $0.62, 12 times as much as the $0.0500 that are usual in this session."],
  ]);
});

function raisers(type: string, activities: readonly Activity[]): readonly number[] {
  const talk = new SessionTalk();
  for (const activity of activities) talk.say(activity);
  return talk.raised.filter((raised) => raised.type === type).map(({ position }) => position);
}
