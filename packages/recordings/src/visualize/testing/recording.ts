import { Readable } from "node:stream";
import { buildTrace, type TraceOptions } from "../build-trace.ts";
import type { RecordingTrace } from "../trace.ts";

/** Recordings for drawing tests. */

const START = Date.parse("2026-08-03T07:00:00.000Z");

/** Creates AAEP events of one session, one second apart by default. */
export function aaepSession(session = "sess_0001", agent = "gardener") {
  let count = 0;
  let seconds = -1;
  return (type: string, members: object = {}, at = seconds + 1): object => {
    count++;
    seconds = at;
    return {
      "@context": "https://aaep-protocol.org/context/v1",
      aaep_version: "1.0.0",
      event_id: `evt_${session.replace(/[^a-z0-9]/g, "")}${String(count).padStart(4, "0")}`,
      session_id: session,
      timestamp: new Date(START + at * 1000).toISOString(),
      producer: { agent_id: agent },
      localization_hints: { primary_language: "en-GB" },
      type: `aaep:agent.${type}`,
      ...(type === "output.streaming" ? {} : { summary_normal: "Watering the beds." }),
      ...members,
    };
  };
}

/** Creates AOP events of one session, at seconds from the start. */
export function aopTraceEvents(session: string, agent: string, parent?: string) {
  let sequence = 0;
  return (seconds: number, type: string, payload: object = {}): object => ({
    spec: "aop/1.0",
    session_id: session,
    agent_id: agent,
    sequence: ++sequence,
    timestamp: new Date(START + seconds * 1000).toISOString(),
    type,
    payload,
    ...(parent === undefined ? {} : { parent_session_id: parent }),
  });
}

export function confirmationReplyEvent(token: string, decision: string, seconds: number): object {
  return {
    type: "confirmation.reply",
    reply_token: token,
    decision,
    subscription_id: "sub_0001",
    timestamp: new Date(START + seconds * 1000).toISOString(),
  };
}

export const CONFIRMATION_PAYLOAD = {
  urgency: "critical",
  action: "Cut down the old tree.",
  consequence: "It cannot be planted again.",
  reply_token: "rpl_0001",
  timeout_seconds: 300,
  default_decision: "reject",
  risk_level: "high",
  irreversible: true,
} as const;

/** An example recording that breaks no rule: two tool calls in parallel, one of which fails, a request and an output. */
export function gardenDay(): readonly object[] {
  const say = aaepSession();
  return [
    say("session.started", {}, 0),
    say("state.changed", { from_state: "idle", to_state: "calling_tool" }, 1),
    say("tool.invoked", { tool: "look", tool_call_id: "call_1" }, 2),
    say("tool.invoked", { tool: "measure", tool_call_id: "call_2" }, 3),
    say("tool.completed", { tool: "look", tool_call_id: "call_1", status: "success" }, 5),
    say("tool.completed", { tool: "measure", tool_call_id: "call_2", status: "error", error_message: "no tape" }, 6),
    say("state.changed", { from_state: "calling_tool", to_state: "awaiting_input" }, 7),
    say("awaiting.confirmation", CONFIRMATION_PAYLOAD, 8),
    confirmationReplyEvent("rpl_0001", "accept", 12),
    say("state.changed", { from_state: "awaiting_input", to_state: "calling_tool" }, 13),
    say("tool.invoked", { tool: "saw", tool_call_id: "call_3", irreversible: true, risk_level: "high" }, 14),
    say("tool.completed", { tool: "saw", tool_call_id: "call_3", status: "success" }, 18),
    say("state.changed", { from_state: "calling_tool", to_state: "writing_output" }, 19),
    say("output.streaming", { output_id: "out_1", chunk: "The tree is down. ", position: 0, complete: false }, 20),
    say("output.streaming", { output_id: "out_1", chunk: "All is well.", position: 18, complete: true }, 21),
    say("session.completed", {}, 22),
  ];
}

export function traceOf(events: readonly object[], options: Partial<TraceOptions> = {}): Promise<RecordingTrace> {
  return buildTrace(Readable.from([Buffer.from(`${events.map((event) => JSON.stringify(event)).join("\n")}\n`)]), {
    title: "garden.jsonl",
    ...options,
  });
}
