import { randomBytes } from "node:crypto";
import { CORE_CONTEXT, type JsonObject } from "@earshot/protocol";

export const newAgentId = (prefix: string): string => `${prefix}_${randomBytes(16).toString("hex")}`;

/** A question for the person at the subscriber. Its words say what to do, for people and programs alike. */
export interface PlayedQuestion {
  readonly words: string;
  readonly seconds: number;
  readonly kinds?: readonly string[];
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

export interface AskedQuestion {
  readonly token: string;
  readonly event: JsonObject;
}

export const PLAYED_AGENT = { agent_id: "earshot-check", agent_name: "Earshot check" } as const;

/** An agent that only sends events: one session, each event legal after the previous ones. */
export class PlayedAgent {
  readonly #session = newAgentId("sess");
  readonly #publish: (event: JsonObject) => void;
  #state = "idle";

  constructor(publish: (event: JsonObject) => void, summary: string) {
    this.#publish = publish;
    this.emit("aaep:agent.session.started", { summary_normal: summary });
    this.enter("thinking");
  }

  emit(type: string, fields: JsonObject): JsonObject {
    const event = {
      "@context": CORE_CONTEXT,
      aaep_version: "1.0.0",
      type,
      event_id: newAgentId("evt"),
      session_id: this.#session,
      timestamp: new Date().toISOString(),
      producer: PLAYED_AGENT,
      urgency: "normal",
      localization_hints: { primary_language: "en" },
      ...fields,
    };
    this.#publish(event);
    return event;
  }

  /** Repeats an event. */
  repeat(event: JsonObject): void {
    this.#publish(event);
  }

  enter(state: string, summary?: string): void {
    this.emit("aaep:agent.state.changed", {
      from_state: this.#state,
      to_state: state,
      urgency: "background",
      ...(summary === undefined ? {} : { summary_normal: summary }),
    });
    this.#state = state;
  }

  progress(percent: number): void {
    this.emit("aaep:agent.progress.updated", { urgency: "background", progress: { percent } });
  }

  confirm({ words, seconds }: PlayedQuestion): AskedQuestion {
    this.enter("awaiting_input");
    const token = newAgentId("rpl");
    const event = this.emit("aaep:agent.awaiting.confirmation", {
      urgency: "critical",
      action: words,
      consequence: "Nothing happens: this is a check.",
      reply_token: token,
      timeout_seconds: seconds,
      default_decision: "reject",
      risk_level: "low",
      irreversible: false,
      reversibility: "reversible",
      summary_normal: words,
    });
    return { token, event };
  }

  clarify({ words, seconds, kinds = ["freetext"], choices }: PlayedQuestion): AskedQuestion {
    this.enter("awaiting_input");
    const token = newAgentId("rpl");
    const event = this.emit("aaep:agent.awaiting.clarification", {
      urgency: "critical",
      question: words,
      reply_token: token,
      timeout_seconds: seconds,
      accepted_response_kinds: kinds,
      ...(choices === undefined ? {} : { choices: choices.map(({ value, label }) => ({ value, label })) }),
      summary_normal: words,
    });
    return { token, event };
  }

  act(): void {
    const call = { tool: "do_nothing", tool_call_id: newAgentId("call") };
    this.enter("calling_tool", "Accepted.");
    this.emit("aaep:agent.tool.invoked", { ...call, summary_normal: "Doing nothing, as announced." });
    this.emit("aaep:agent.tool.completed", { ...call, status: "success", summary_normal: "Nothing was done." });
  }

  end(): void {
    this.emit("aaep:agent.session.completed", { summary_normal: "This part of the check is over." });
  }
}
