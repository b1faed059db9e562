import type { JsonObject, ProtocolName } from "@earshot/protocol";
import fc from "fast-check";
import { aaepRecordings } from "../../packages/protocol/testing/aaep.ts";
import { aepRecordings } from "../../packages/protocol/testing/aep.ts";
import { aopRecordings } from "../../packages/protocol/testing/aop.ts";
import type { ConformanceCase } from "../../packages/protocol/testing/conformance.ts";

export type GeneratedCase = Omit<ConformanceCase, "recording"> & { readonly recording: readonly JsonObject[] };

type Fields = Readonly<Record<string, unknown>>;

/** AAEP events in short: type and payload; the envelope is added by place. */
function session(...items: readonly Fields[]): JsonObject[] {
  return items.map((item, index) =>
    String(item["type"]).startsWith("aaep:")
      ? ({
          "@context": "https://aaep-protocol.org/context/v1",
          aaep_version: "1.0.0",
          event_id: `evt_${String(index + 1).padStart(4, "0")}`,
          session_id: "sess_0001",
          timestamp: `2026-07-01T09:00:${String(index).padStart(2, "0")}.000Z`,
          producer: { agent_id: "teller-agent" },
          localization_hints: { primary_language: "en-GB" },
          ...item,
        } as JsonObject)
      : (item as JsonObject),
  );
}
const event = (type: string, fields: Fields): Fields => ({ type: `aaep:agent.${type}`, ...fields });
const started = event("session.started", { summary_normal: "Moving savings to the other account." });
const completed = event("session.completed", { summary_normal: "All done." });
const errored = event("session.errored", { urgency: "critical", error_category: "unknown", summary_normal: "Something went wrong." });
const state = (from: string, to: string) =>
  event("state.changed", { from_state: from, to_state: to, summary_normal: `Now ${to.replace("_", " ")}.` });
const invoked = (tool: string, id: string, fields: Fields = {}) =>
  event("tool.invoked", { tool, tool_call_id: id, summary_normal: `Calling ${tool}.`, ...fields });
const done = (tool: string, id: string) =>
  event("tool.completed", { tool, tool_call_id: id, status: "success", summary_normal: `${tool} has answered.` });
const chunk = (position: number, complete: boolean, words: string) =>
  event("output.streaming", { output_id: "out_1", chunk: words, position, complete });
const confirm = event("awaiting.confirmation", {
  urgency: "critical",
  action: "Move 500 euros to the savings account.",
  consequence: "The money is locked for a year.",
  reply_token: "rpl_0001",
  timeout_seconds: 300,
  default_decision: "reject",
  risk_level: "high",
  irreversible: true,
  summary_normal: "Shall I move 500 euros? They are then locked for a year.",
});
const reply = (decision: string): Fields => ({
  type: "confirmation.reply",
  reply_token: "rpl_0001",
  decision,
  subscription_id: "sub_0001",
  timestamp: "2026-07-01T09:00:05.000Z",
});
const transfer = [invoked("transfer_funds", "call_2", { irreversible: true, risk_level: "high" }), done("transfer_funds", "call_2")];

const invalid = (name: string, rule: string, about: string, ...items: readonly Fields[]): GeneratedCase => ({
  name: `invalid/appendix-a8-${name}`,
  description: `Appendix A.8: ${about}`,
  rules: [rule],
  valid: false,
  findings: [{ rule, severity: "error" }],
  recording: session(...items),
});

const valid = (name: string, description: string, recording: readonly JsonObject[]): GeneratedCase => ({
  name: `valid/${name}`,
  description,
  rules: [],
  valid: true,
  findings: [],
  recording,
});

const WRITTEN_BY_HAND: readonly GeneratedCase[] = [
  invalid(
    "1",
    "aaep/tool-completed-needs-invoked",
    "a tool completes that was never invoked",
    started,
    done("fetch_balance", "call_1"),
    completed,
  ),
  invalid("2", "aaep/session-ends-once", "two terminal events", started, completed, errored),
  invalid("3", "aaep/nothing-after-end", "an event after the terminal one", started, completed, invoked("fetch_balance", "call_1")),
  invalid(
    "4",
    "aaep/irreversible-needs-accept",
    "an irreversible tool that nobody confirmed",
    started,
    state("idle", "thinking"),
    ...transfer,
    completed,
  ),
  invalid(
    "5",
    "aaep/rejected-action-not-invoked",
    "the rejected action is performed",
    started,
    state("idle", "awaiting_input"),
    confirm,
    reply("reject"),
    ...transfer,
    completed,
  ),
  invalid(
    "6",
    "aaep/output-after-complete",
    "an output goes on after its end",
    started,
    chunk(0, true, "Done."),
    chunk(5, false, " And more."),
    completed,
  ),
  invalid(
    "7",
    "aaep/output-position-rises",
    "positions that go back",
    started,
    chunk(0, false, "x".repeat(50)),
    chunk(50, false, "y".repeat(30)),
    chunk(30, true, "z"),
    completed,
  ),
  valid(
    "whole-session",
    "A session from start to end: a tool, a confirmation that is accepted, an irreversible tool, streamed output.",
    session(
      started,
      state("idle", "thinking"),
      invoked("fetch_balance", "call_1"),
      done("fetch_balance", "call_1"),
      state("thinking", "awaiting_input"),
      confirm,
      reply("accept"),
      state("awaiting_input", "calling_tool"),
      ...transfer,
      state("calling_tool", "writing_output"),
      chunk(0, false, "The money is moved. "),
      chunk(20, true, "Your balance is 12,000 euros."),
      completed,
    ),
  ),
  valid(
    "whole-session-declined",
    "A session in which the person says no, and the agent says so and stops.",
    session(
      started,
      state("idle", "awaiting_input"),
      confirm,
      reply("reject"),
      state("awaiting_input", "thinking"),
      chunk(0, true, "Then I leave it."),
      completed,
    ),
  ),
];

/** Recordings of the test generators with a fixed seed: interleaved sessions, hostile text, redelivered events. */
function sample(recordings: fc.Arbitrary<readonly JsonObject[]>): GeneratedCase[] {
  return fc
    .sample(recordings, { numRuns: 8, seed: 41 })
    .map((recording, index) =>
      valid(`generated-${index + 1}`, "Several interleaved sessions with hostile text, as the test generator makes them.", recording),
    );
}

export const WHOLE_SESSIONS: Readonly<Record<ProtocolName, readonly GeneratedCase[]>> = {
  aaep: [...WRITTEN_BY_HAND, ...sample(aaepRecordings)],
  aep: sample(aepRecordings),
  aop: sample(aopRecordings),
};
