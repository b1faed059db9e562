import type { CallView } from "@earshot/hub";
import { describe, expect, it } from "vitest";
import { tellCall } from "./tell-call.ts";
import { tellItem } from "./tell-item.ts";
import { activity, alert, call, item, linesOf } from "./testing/samples.ts";

const tell = (one: Parameters<typeof tellItem>[0]) => tellItem(one, { notes: true });

describe("a call", () => {
  const states: Readonly<Record<CallView["state"], string>> = {
    requested: "Call bash was requested, no outcome yet",
    approved: "Call bash was approved, no outcome yet",
    waiting: "Call bash waits for an answer",
    paused: "Call bash is paused",
    "left-to-the-agent": "Call bash was left to the agent, no outcome yet",
    running: "Call bash is running",
    succeeded: "Call bash succeeded",
    failed: "Call bash failed",
    timeout: "Call bash ran out of time",
    cancelled: "Call bash was cancelled",
    denied: "Call bash was denied",
    unknown: "Call bash ended, nobody said how",
  };
  it.each(Object.entries(states))("that is %s says so first", (state, line) => {
    expect(linesOf(tellCall(call({ state: state as CallView["state"] })))).toEqual([line]);
  });

  it("is one line from request to outcome", () => {
    const told = call({
      state: "failed",
      durationMs: 2300,
      input: '{"command":"npm test","timeout":30}',
      subject: "npm test",
      error: "exit code 1",
      result: "3 of 40 failed",
      callId: "toolu_1",
      decidedBy: "auto-policy",
      tokens: { total: 150 },
      costUsd: 0.004,
    });
    expect(linesOf(tellCall(told))).toEqual([
      "Call bash failed after 2.3 seconds, decided by auto-policy, 150 tokens, 0.004 US dollars. Input: command: npm test, timeout: 30. Result: 3 of 40 failed. Error: exit code 1. Call id: toolu_1.",
    ]);
    expect(linesOf(tellCall(call({ subject: "ls", durationMs: 12, measured: true })))).toEqual([
      "Call bash succeeded in about 12 milliseconds. Input: ls.",
    ]);
  });

  it.each([
    ["ran-despite-denial", "Call bash succeeded, ran although it was denied"],
    ["ended-without-start", "Call bash succeeded, its beginning was never heard"],
    ["ended-twice", "Call bash succeeded, ended twice"],
    ["something-new", "Call bash succeeded, something new"],
  ])("that is marked %s", (mark, line) => {
    expect(linesOf(tellCall(call({ marks: [mark] })))).toEqual([line]);
  });

  it("tells under its own name what a later hub adds", () => {
    expect(linesOf(tellCall({ ...call(), colour: { ink: "low" } } as CallView))).toEqual(["Call bash succeeded", "  Colour: ink: low"]);
  });

  it("takes from its activity what only that knows", () => {
    const said = activity(
      "tool.started",
      {
        tool: "bash",
        toolTitle: "Shell",
        callId: "c1",
        input: "npm test",
        risk: "high",
        reversible: false,
        why: "To see.",
        subject: "npm test",
      },
      { metadata: { branch: "main" }, tokens: { counts: "delta", total: 150 } },
    );
    const joined = item(said, { call: call({ callId: "c1", input: "npm test", durationMs: 12, tokens: { total: 150 } }) });
    expect(linesOf(tell(joined))).toEqual([
      "Call Shell (bash) succeeded in 12 milliseconds, 150 tokens, high risk, cannot be undone. Input: npm test. Call id: c1. Why: To see.",
      "  Metadata: branch: main",
    ]);
  });
});

describe("an output", () => {
  const chunk = activity("output.chunk", { text: "Hel", last: false, outputId: "o1", contentType: "text/markdown" });
  it("is told whole, with what is missing", () => {
    const output = { text: "Hello.\nDone.", complete: true, gaps: false, cut: false, outputId: "o1", contentType: "text/markdown" };
    expect(linesOf(tell(item(chunk, { output })))).toEqual(["Output, text/markdown, 2 lines:", "    Hello.", "    Done."]);
    expect(linesOf(tell(item(chunk, { output: { text: "Hel", complete: false, gaps: true, cut: true } })))).toEqual([
      "Output, not finished, parts are missing, more came than is kept: Hel",
    ]);
  });

  it("of thinking is a thought", () => {
    const thinking = activity("output.chunk", { text: "so", last: true, of: "thought" });
    expect(linesOf(tell(item(thinking, { output: { text: "so it is", complete: true, gaps: false, cut: false } })))).toEqual([
      "Thought: so it is",
    ]);
  });
});

describe("what was noticed", () => {
  it("by an alert and by a rule is told once", () => {
    const noticed = item(activity("thought", { text: "Hm." }), {
      alerts: [alert({ type: "conformance_violation", rule: "aop/ends-once", message: "It broke a rule." })],
      flags: [{ severity: "error", code: "SEQUENCE_BROKEN", rule: "aop/ends-once", message: "It ended before." }],
    });
    expect(linesOf(tell(noticed)).slice(1)).toEqual(["  Rule broken, with an alert, aop/ends-once: It ended before."]);
  });

  it("about a later part of something stands where that part was heard", () => {
    const end = activity("tool.ended", { tool: "bash", outcome: "failed", durationMs: 2000, error: "exit 1" });
    const noticed = item(end, { call: call({ state: "failed" }), continues: 3, alerts: [alert({ message: "Again and again." })] });
    expect(linesOf(tell(noticed))).toEqual(["More about #3: Call bash failed after 2 seconds", "  Alert, warning, loop: Again and again."]);
  });

  it("stands below what it is about", () => {
    const noticed = item(activity("thought", { text: "Hm." }), {
      alerts: [alert({ severity: "critical", type: "error_cascade", message: "3 calls failed in a row." })],
      flags: [
        { severity: "error", code: "SEQUENCE_BROKEN", rule: "aop/ends-once", message: "It ended before.", hint: "End once.", at: 4 },
        { severity: "warning", code: "EVENT_INVALID", rule: "aop/utc", message: "No zone." },
        { severity: "info", code: "EVENT_INVALID", message: "An alias." },
      ],
      redactions: 2,
    });
    expect(linesOf(tell(noticed))).toEqual([
      "Thought, 2 secrets masked: Hm.",
      "  Alert, critical, error cascade: 3 calls failed in a row.",
      "  Rule broken about #4, aop/ends-once: It ended before.",
      "  Rule not kept, aop/utc: No zone.",
      "  Note, EVENT_INVALID: An alias.",
    ]);
    expect(linesOf(tellItem(noticed, { notes: false })).some((line) => line.includes("Note"))).toBe(false);
  });
});
