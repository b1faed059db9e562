import { describe, expect, it } from "vitest";
import { xOf } from "./svg/plot.ts";
import { renderSvg } from "./svg/svg.ts";
import { aaepSession, CONFIRMATION_PAYLOAD, confirmationReplyEvent, traceOf } from "./testing/recording.ts";

const say = aaepSession();
const done = { tool: "dig", tool_call_id: "call_1", status: "success" };
const cut = { tool: "saw", tool_call_id: "call_2", irreversible: true, risk_level: "high" };
const start = () => say("session.started");
const end = () => say("session.completed");

/** The seven sequences that appendix A.8 calls invalid, in our own words, each with the entry that breaks the rule. */
const SEQUENCES: readonly { readonly what: string; readonly rule: string; readonly at: number; readonly events: () => object[] }[] = [
  {
    what: "a tool completes that was never invoked",
    rule: "aaep/tool-completed-needs-invoked",
    at: 2,
    events: () => [start(), say("tool.completed", done), end()],
  },
  {
    what: "a session ends twice",
    rule: "aaep/session-ends-once",
    at: 3,
    events: () => [start(), end(), say("session.cancelled", { cancelled_by: "user" })],
  },
  {
    what: "an event follows the end",
    rule: "aaep/nothing-after-end",
    at: 3,
    events: () => [start(), end(), say("state.changed", { from_state: "idle", to_state: "thinking" })],
  },
  {
    what: "something irreversible is done that nobody was asked about",
    rule: "aaep/irreversible-needs-accept",
    at: 2,
    events: () => [start(), say("tool.invoked", cut), say("tool.completed", { ...done, ...cut, status: "success" }), end()],
  },
  {
    what: "what was refused is done",
    rule: "aaep/rejected-action-not-invoked",
    at: 5,
    events: () => [
      start(),
      say("state.changed", { from_state: "idle", to_state: "awaiting_input" }),
      say("awaiting.confirmation", CONFIRMATION_PAYLOAD),
      confirmationReplyEvent("rpl_0001", "reject", 1),
      say("tool.invoked", cut),
      say("tool.completed", { ...cut, status: "success" }),
      end(),
    ],
  },
  {
    what: "an output goes on after its end",
    rule: "aaep/output-after-complete",
    at: 3,
    events: () => [
      start(),
      say("output.streaming", { output_id: "out_1", chunk: "Done.", position: 0, complete: true }),
      say("output.streaming", { output_id: "out_1", chunk: " More.", position: 5, complete: false }),
      end(),
    ],
  },
  {
    what: "the position of an output falls",
    rule: "aaep/output-position-rises",
    at: 4,
    events: () => [
      start(),
      say("output.streaming", { output_id: "out_1", chunk: "0123456789", position: 0, complete: false }),
      say("output.streaming", { output_id: "out_1", chunk: "abc", position: 10, complete: false }),
      say("output.streaming", { output_id: "out_1", chunk: "z", position: 4, complete: true }),
      end(),
    ],
  },
];

describe("appendix A.8", () => {
  for (const { what, rule, at, events } of SEQUENCES) {
    it(`marks the event where ${what}`, async () => {
      const trace = await traceOf(events());
      const marked = trace.violations.filter((violation) => violation.rule === rule);
      expect(marked.map((violation) => violation.at?.entry)).toEqual([at]);
      expect(marked[0]).toMatchObject({ section: 0, line: at, severity: "error" });
      const [section] = trace.sections;
      const place = marked[0]?.at;
      if (section === undefined || place === undefined) throw new Error("Nothing is drawn.");
      const svg = renderSvg(trace);
      expect(svg).toContain(`<path class="mark error" d="M${xOf(section.axis, place)} `);
      expect(svg).toContain(`line ${at}`);
      expect(svg).toContain(rule);
    });
  }
});
