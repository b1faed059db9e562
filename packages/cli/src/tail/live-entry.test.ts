import { createStyle } from "@earshot/terminal/style";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { hostileText } from "../../../protocol/testing/hostile-text.ts";
import { eventSummaryOf, formatLiveEntry, readLiveFrame } from "./live-entry.ts";

const PLAIN = createStyle(false);

function format(frame: Readonly<Record<string, unknown>>): string {
  const heard = readLiveFrame(JSON.stringify({ position: 1, receivedAt: "2026-11-15T12:00:00.042Z", ...frame }));
  if (heard === undefined) throw new Error("no frame");
  return formatLiveEntry(heard, PLAIN);
}

describe("an event on one line", () => {
  it("says when, in which protocol and session, who, what, and what is wrong with it", () => {
    const line = format({
      protocol: "aop",
      session: "3f2a9c01-aaaa-bbbb-cccc-0123456789ab",
      agent: "researcher",
      kind: "event",
      type: "operation.tool_start",
      flags: [{ severity: "warning", rule: "aop/tool-ends", code: "SEQUENCE_BROKEN", message: "no" }],
      redactions: [{ pointer: "/a", shape: "key", length: 3 }],
      event: { payload: { tool_name: "Bash", input: { command: "npm test" } } },
    });
    expect(line).toMatch(
      /^\d\d:\d\d:\d\d\.042 {2}aop {3}3f2a9c01 {6}Researcher {2}operation\.tool_start {2}Bash: npm test {2}\[warning aop\/tool-ends, 1 secret masked\]$/,
    );
  });

  it("names what is not an event, and leaves out what nobody said", () => {
    expect(format({ protocol: "aep", session: "s1", kind: "decision", type: "allow", event: null })).toMatch(
      / {2}aep {3}s1 {12}decision allow$/,
    );
    expect(format({ receivedAt: "yesterday" })).toBe("--:--:--.---");
  });

  it("cuts what is too long", () => {
    const line = format({ type: "t".repeat(500), agent: "a".repeat(500), event: { summary_normal: "é".repeat(100_000) } });
    expect(line.length).toBeLessThan(320);
    expect(line.endsWith("é…")).toBe(true);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["no position", "{}"],
  ])("is not made of what is no frame: %s", (_what, json) => {
    expect(readLiveFrame(json)).toBeUndefined();
  });

  it("stays one line without control characters, whatever is in it", () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, hostileText, fc.jsonValue(), (session, agent, type, text, event) => {
        for (const said of [{ payload: { content: text } }, event]) {
          const line = format({ protocol: text, session, agent, type, event: said, flags: [{ severity: text, rule: text }] });
          expect(line).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});

describe("what an event says", () => {
  it.each<[string, Parameters<typeof eventSummaryOf>[0]]>([
    ["Bash: Runs the tests.", { tool: "Bash", summary_normal: "Runs the tests.", summary_terse: "Tests." }],
    ["Delete it?", { question: "Delete it?" }],
    ["Bash: npm test", { tool: { name: "Bash" }, action: { input: { command: "npm test" } } }],
    ["One. Two.", { content: [{ type: "text", text: "One." }, { text: "Two." }] }],
    ["I think so.", { payload: { content: "I think so." } }],
    ["helper: find it", { payload: { child_agent_id: "helper", goal: "find it" } }],
    ["completed", { payload: { outcome: "completed" } }],
    ["", { payload: { content: "  ", numbers: 1 } }],
    ["", ["list"]],
    ["", null],
  ])("%s", (summary, event) => {
    expect(eventSummaryOf(event)).toBe(summary);
  });
});
