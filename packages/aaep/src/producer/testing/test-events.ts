import { CORE_CONTEXT, type JsonObject } from "@earshot/protocol";

/** Events of the right form, numbered as they are made. */
export class EventMaker {
  #made = 0;

  make(type: string, payload: JsonObject = {}, session = "sess_one"): JsonObject {
    const number = ++this.#made;
    return {
      "@context": CORE_CONTEXT,
      aaep_version: "1.0.0",
      type: `aaep:agent.${type}`,
      event_id: `evt_${String(number).padStart(6, "0")}`,
      session_id: session,
      timestamp: new Date(Date.UTC(2026, 6, 1) + number * 10).toISOString(),
      producer: { agent_id: "test-agent" },
      localization_hints: { primary_language: "en" },
      ...DEFAULTS[type],
      ...payload,
    };
  }

  started = (session?: string) => this.make("session.started", { summary_normal: "Working." }, session);
  completed = (session?: string) => this.make("session.completed", { summary_normal: "Done." }, session);
  tool = (session?: string) => this.make("tool.invoked", { tool: "read", summary_normal: "Reading." }, session);
  state = (from: string, to: string, session?: string) => this.make("state.changed", { from_state: from, to_state: to }, session);
  progress = (percent: number, session?: string) => this.make("progress.updated", { progress: { percent } }, session);
  output = (chunk: string, position: number, session?: string, complete = false) =>
    this.make("output.streaming", { chunk, position, complete, output_id: "out_1" }, session);
  confirmation = (session?: string) =>
    this.make(
      "awaiting.confirmation",
      {
        action: "Delete it.",
        consequence: "It is gone.",
        reply_token: `rpl_${this.#made}`,
        timeout_seconds: 180,
        default_decision: "reject",
        summary_normal: "Delete it?",
      },
      session,
    );
}

const DEFAULTS: Readonly<Record<string, JsonObject>> = {
  "awaiting.confirmation": { urgency: "critical" },
  "awaiting.clarification": { urgency: "critical" },
  "session.errored": { urgency: "critical" },
  "handoff.requested": { urgency: "critical" },
};
