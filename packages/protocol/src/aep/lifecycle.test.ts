import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { hearOne } from "../../testing/aep.ts";
import type { JsonObject } from "../json.ts";
import { call, completed, denied, failed, inSession, part, requested, response } from "./example-events.ts";
import { type AepSessionState, closeAepSession, compactSession, openAepSession, stepAepSession } from "./lifecycle.ts";
import { MAX_DONE_ROWS, MAX_OPEN_ROWS, rowState } from "./rows.ts";

function walk(
  items: readonly JsonObject[],
  state = openAepSession(),
): { readonly state: AepSessionState; readonly told: readonly string[] } {
  const told = items.flatMap((item, index) =>
    stepAepSession(state, hearOne(item).reading, index + 1).findings.map((finding) => finding.rule),
  );
  return { state, told };
}

describe("the lifecycle of a session", () => {
  it("joins request, response and outcome into one row", () => {
    const { state, told } = walk([requested(1), response(2, 1, "allow")]);
    expect(rowState(state, "call_1")).toBe("approved");
    expect(walk([completed(3)], state).told).toEqual([]);
    expect(rowState(state, "call_1")).toBe("succeeded");
    expect(told).toEqual([]);
    expect(closeAepSession(state)).toEqual([]);
  });

  it("tells that an action ran although it was denied, by a response or by an event", () => {
    expect(walk([requested(1), response(2, 1, "deny"), completed(3)]).told).toEqual(["aep/ran-despite-denial"]);
    expect(walk([requested(1), response(2, 1, "block"), failed(3)]).told).toEqual(["aep/ran-despite-denial"]);
    expect(walk([requested(1), denied(2), completed(3)]).told).toEqual(["aep/ran-despite-denial"]);
    expect(walk([requested(1), response(2, 1, "deny"), failed(3, { status: "cancelled" })]).told).toEqual([]);
  });

  it("does not take an answer to the outcome for an answer to the request", () => {
    const { state, told } = walk([requested(1), completed(2), response(3, 2, "block")]);
    expect(told).toEqual([]);
    expect(rowState(state, "call_1")).toBe("succeeded");
  });

  it("lets an action be requested again with the input that a response put in place of the first", () => {
    const allow = { ...response(2, 1, "allow"), control: { behavior: "allow", updated_input: { command: "npm test", filter: "api" } } };
    const again = requested(3, { input: { filter: "api", command: "npm test" } });
    expect(walk([requested(1), allow, again]).told).toEqual([]);
    expect(walk([requested(1), again]).told).toEqual(["aep/action-requested-once"]);
  });

  it("ends rows without an outcome as unknown, and lets a late outcome correct that", () => {
    const { state, told } = walk([requested(1), inSession(2, "session.end")]);
    expect(told).toEqual(["aep/request-needs-outcome"]);
    expect(rowState(state, "call_1")).toBe("unknown");
    expect(walk([completed(3)], state).told).toEqual(["aep/after-session-end"]);
    expect(rowState(state, "call_1")).toBe("succeeded");
  });

  it("accepts an answer to a question put as an action, or without an id", () => {
    const answer = (id?: string) =>
      inSession(9, "question.answered", { content: [part("answer")], ...(id === undefined ? {} : { action: { id } }) });
    expect(walk([requested(1), answer("call_1")]).told).toEqual([]);
    expect(walk([inSession(1, "question.asked", { content: [part("question")] }), answer("any")]).told).toEqual([]);
    expect(walk([inSession(1, "question.asked", { action: { id: "a" }, content: [part("question")] }), answer("b")]).told).toEqual([
      "aep/answer-needs-question",
    ]);
  });

  it("converges to the same row whatever the order and repetition of the row's events", () => {
    const events = [requested(1), requested(2), completed(3), failed(4), failed(5, { status: "timeout" }), denied(6)];
    fc.assert(
      fc.property(
        fc
          .subarray(events, { minLength: 1 })
          .chain((some) => fc.tuple(fc.constant(some), fc.shuffledSubarray([...some, ...some], { minLength: some.length * 2 }))),
        ([some, mixed]) => {
          expect(rowState(walk(mixed).state, "call_1")).toBe(rowState(walk(some).state, "call_1"));
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  it("stays within bounds, and claims nothing about what it forgot", () => {
    const state = openAepSession();
    const many = MAX_OPEN_ROWS * 2 + MAX_DONE_ROWS * 2 + 100;
    const told: string[] = [];
    for (let index = 0; index < many; index++) {
      const action = { type: "other", id: `call_${index}` };
      for (const type of ["action.requested", "action.completed"]) {
        const members = type === "action.completed" ? { ...action, status: "success" } : action;
        const { reading } = hearOne({ ...call(1, type), id: `${type}_${index}`, action: members });
        told.push(...stepAepSession(state, reading, index).findings.map((finding) => finding.rule));
      }
    }
    expect(told).toEqual([]);
    expect(Object.keys(state.done.young).length + Object.keys(state.done.old).length).toBeLessThanOrEqual(MAX_DONE_ROWS * 2);
    expect(walk([{ ...completed(3), action: { type: "other", id: "call_0", status: "success" } }], state).told).toEqual([]);

    for (let index = 0; index < MAX_OPEN_ROWS * 3; index++) {
      stepAepSession(state, hearOne({ ...requested(1), action: { type: "other", id: `open_${index}` } }).reading, index);
    }
    expect(closeAepSession(state).length).toBeLessThanOrEqual(MAX_OPEN_ROWS * 2);
    compactSession(state);
    expect(JSON.stringify(state).length).toBeLessThan(500);
  });

  it("keeps a long-lived row while thousands of others come and go", () => {
    const state = openAepSession();
    walk([requested(1)], state);
    for (let index = 0; index < MAX_OPEN_ROWS * 4; index++) {
      const action = { type: "other", id: `call_${index}` };
      if (index === 1) continue;
      stepAepSession(state, hearOne({ ...requested(1), action }).reading, index);
      stepAepSession(state, hearOne({ ...completed(2), action: { ...action, status: "success" } }).reading, index);
    }
    expect(rowState(state, "call_1")).toBe("requested");
  });
});
