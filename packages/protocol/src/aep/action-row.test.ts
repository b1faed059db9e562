import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionRow, isOutcome, ROW_SIGNALS, ROW_STATES, ROW_STEPS, type RowSignal, type RowState, stepRow } from "./action-row.ts";

/** What each signal alone amounts to; the table must be the stronger of the two everywhere. */
const AMOUNTS_TO: Readonly<Record<RowSignal, RowState>> = {
  requested: "requested",
  allow: "approved",
  deny: "denied",
  ask: "waiting",
  defer: "paused",
  block: "denied",
  continue: "approved",
  stop: "denied",
  abstain: "left",
  completed: "succeeded",
  failed: "failed",
  timed_out: "timed_out",
  cancelled: "cancelled",
  denied: "denied",
  ended: "unknown",
};
const OUTCOMES: readonly RowSignal[] = ["completed", "failed", "timed_out", "cancelled"];
const ANSWERS: readonly RowSignal[] = ["allow", "deny", "ask", "defer", "block", "continue", "stop", "abstain"];

function brokenBy(state: RowState, signal: RowSignal): string | undefined {
  if (state === "absent" && (signal === "denied" || OUTCOMES.includes(signal))) return "aep/outcome-needs-request";
  if (isOutcome(state) && OUTCOMES.includes(signal)) return "aep/one-outcome";
  if (isOutcome(state) && ANSWERS.includes(signal)) return "aep/response-before-outcome";
  if (isOutcome(state) && signal === "denied" && state !== "cancelled") return "aep/ran-despite-denial";
  if (state === "denied" && OUTCOMES.includes(signal) && signal !== "cancelled") return "aep/ran-despite-denial";
  return undefined;
}

describe("the row of an action", () => {
  const cells = ROW_STATES.flatMap((state) => ROW_SIGNALS.map((signal) => [state, signal] as const));

  it("has a cell for every state and signal", () => {
    expect(Object.keys(ROW_STEPS)).toEqual([...ROW_STATES]);
    for (const state of ROW_STATES) expect(Object.keys(ROW_STEPS[state])).toEqual([...ROW_SIGNALS]);
  });

  it.each(cells)("%s, then %s", (state, signal) => {
    const next = stepRow(state, signal);
    const stronger = ROW_STATES[Math.max(ROW_STATES.indexOf(state), ROW_STATES.indexOf(AMOUNTS_TO[signal]))];
    expect(typeof next === "string" ? next : next.becomes).toBe(stronger);
    expect(typeof next === "string" ? undefined : next.breaks).toBe(brokenBy(state, signal));
  });

  it("ends in the same state whatever the order and repetition of its signals", () => {
    const signals = fc.array(fc.constantFrom(...ROW_SIGNALS), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        signals.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }))),
        ([all, mixed]) => {
          expect(actionRow(mixed)).toBe(actionRow(all));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("never takes silence for success", () => {
    expect(actionRow(["requested", "allow", "ended"])).toBe("unknown");
    expect(actionRow(["requested", "deny", "completed"])).toBe("succeeded");
    expect(actionRow(["requested", "deny", "ended"])).toBe("denied");
  });
});
