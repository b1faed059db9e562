import { randomBytes } from "node:crypto";
import { CORE_CONTEXT, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Defect } from "./defects.ts";

export const newSeededId = (prefix: string): string => `${prefix}_${randomBytes(16).toString("hex")}`;

type Settle = (answer: JsonValue) => void;
interface Open {
  readonly kind: "confirmation" | "clarification";
  readonly kinds: readonly string[];
  readonly deadlineMs: number;
  settle: Settle;
  settled: boolean;
}

interface Asking {
  readonly action: string;
  readonly tool: string;
  readonly irreversible: boolean;
  readonly seconds: number;
}

/** Valid responses of an agent without a defect. */
const RESPONDS: Readonly<Record<string, (response: JsonValue | undefined) => boolean>> = {
  freetext: (response) => typeof response === "string",
  yes_no: (response) => typeof response === "boolean",
  numeric: (response) => typeof response === "number",
  multiple_choice: (response) => response === "red" || response === "blue",
};

/** A scripted agent, written from the specification alone, with at most one defect. */
export class SeededAgent {
  /** Its effects on the world. */
  readonly effects: string[] = [];
  readonly #defect: Defect | undefined;
  readonly #publish: (event: JsonObject) => void;
  readonly #anybody: () => boolean;
  readonly #open = new Map<string, Open>();
  readonly #answered = new Map<string, Settle>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The state of each running session. */
  readonly states = new Map<string, string>();
  readonly #kept = new Map<string, string>();

  constructor(defect: Defect | undefined, publish: (event: JsonObject) => void, anybody: () => boolean) {
    this.#defect = defect;
    this.#publish = publish;
    this.#anybody = anybody;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Nobody is left to answer: open questions take their defaults. */
  unattended(): void {
    if (this.#defect === "no-default-after-close" || this.#anybody()) return;
    for (const one of [...this.#open.values()]) if (!one.settled) one.settle("reject");
  }

  /** Takes a reply, and returns which check failed: only a producer with that defect tells the sender. */
  reply(message: JsonObject): string | undefined {
    const token = String(message["reply_token"]);
    const decision = message["decision"];
    const response = message["response"];
    const isConfirmation = message["type"] === "confirmation.reply";
    const forged =
      this.#defect === "forged-token-honoured" && isConfirmation ? [...this.#open.values()].findLast((one) => !one.settled) : undefined;
    const one = this.#open.get(token) ?? forged;
    if (one === undefined) return "invalid_token";
    if (one.settled) {
      const late = this.#answered.get(token);
      if (late !== undefined && decision === "accept") late("accept");
      return "consumed";
    }
    if (one.kind !== (isConfirmation ? "confirmation" : "clarification") && this.#defect !== "wrong-kind-honoured") return "wrong_kind";
    if (isConfirmation && decision !== "accept" && decision !== "reject" && this.#defect !== "odd-decision-honoured") return "bad_decision";
    const { timestamp, subscription_id: subscription } = message;
    const isDated = typeof timestamp === "string" || this.#defect === "undated-reply-honoured";
    const isInTime = !(Date.parse(String(timestamp)) > one.deadlineMs) || this.#defect === "late-dated-reply-honoured";
    const isNamed = typeof subscription === "string" || this.#defect === "unnamed-subscription-honoured";
    if (!isDated || !isInTime || !isNamed) return "bad_form";
    const isOther = message["modified_action"] !== undefined && this.#defect !== "modified-action-honoured";
    const fits =
      one.kind === "confirmation" ||
      this.#defect === "clarification-any-kind" ||
      (this.#defect === "unlisted-choice-honoured" && typeof response === "string") ||
      one.kinds.some((kind) => RESPONDS[kind]?.(response) === true);
    if (!fits) return "bad_response";
    const all = this.#defect === "one-answer-for-all" ? [...this.#open.values()].filter((other) => !other.settled) : [];
    for (const other of all) other.settle(decision ?? null);
    one.settle(
      isConfirmation
        ? decision === "reject" || isOther
          ? "reject"
          : "accept"
        : one.kind === "confirmation"
          ? "accept"
          : (response ?? null),
    );
    return undefined;
  }

  async run(situation: string, words = ""): Promise<void> {
    const session = this.#defect === "session-reused" ? this.#reused("sess") : newSeededId("sess");
    const say = (type: string, fields: JsonObject = {}) => this.#say(session, type, fields);
    if (this.#defect !== "no-session-start") say("session.started", { summary_normal: `Working on: ${situation}.` });
    this.#enter(session, "thinking");
    switch (situation) {
      case "tool":
        this.#tool(session, "look_up_weather", "success");
        break;
      case "failing-tool":
        this.#tool(session, "no_such_tool", "error");
        break;
      case "error":
        return this.#end(session, "session.errored", {
          error_category: "permanent",
          summary_normal: "Failed on purpose.",
          ...(this.#defect === "error-not-critical" ? { urgency: "normal" } : { urgency: "critical" }),
        });
      case "confirm":
        await this.#act(session, { action: "Send the weekly report to the team.", tool: "send_mail", irreversible: false, seconds: 120 });
        break;
      case "irreversible":
        await this.#act(session, { action: "Delete the folder old-reports.", tool: "delete_folder", irreversible: true, seconds: 300 });
        break;
      case "timeout":
        await this.#act(session, { action: "Archive the mail of last year.", tool: "archive_mail", irreversible: true, seconds: 1 });
        break;
      case "clarify":
        await this.#ask(session, ["freetext"]);
        break;
      case "clarify-yes-no":
        await this.#ask(session, ["yes_no"]);
        break;
      case "clarify-choice":
        await this.#ask(session, ["multiple_choice"]);
        break;
      case "clarify-number":
        await this.#ask(session, ["numeric"]);
        break;
      case "handoff":
        this.#enter(session, "handing_off");
        if (this.#defect !== "handoff-silent") {
          say("handoff.requested", {
            urgency: "critical",
            reason: "A person was asked for.",
            target_kind: "human",
            summary_normal: "A person takes over.",
          });
          if (this.#defect === "works-after-handoff") this.#tool(session, "look_up_weather", "success");
        }
        break;
      case "secret":
        this.#tool(
          session,
          "call_service",
          "success",
          newSeededId("call"),
          false,
          this.#defect === "secret-told" ? words : "With the key.",
        );
        break;
      case "busy":
        for (let number = 1; number <= 10; number++) this.#tool(session, `check_service_${number}`, "success");
        break;
      default:
        break;
    }
    if (this.states.get(session) === "silent") return this.#end(session, "session.completed", { summary_normal: "Done." });
    if (situation !== "handoff") await this.#write(session, situation === "long" ? 12 : 1);
    if (this.#defect !== "no-terminal-event") this.#end(session, "session.completed", { summary_normal: "Done." });
  }

  #end(session: string, type: string, fields: JsonObject): void {
    this.states.delete(session);
    this.#say(session, type, fields);
  }

  async #write(session: string, sentences: number): Promise<void> {
    this.#enter(session, "writing_output");
    const output = newSeededId("out");
    let position = 0;
    for (let number = 1; number <= sentences; number++) {
      const chunk = `This is sentence ${number}. `;
      const complete = number === sentences;
      this.#say(session, "output.streaming", {
        chunk,
        position,
        complete,
        output_id: output,
        coalesce_hint: complete ? "completion" : "sentence",
      });
      position += chunk.length;
    }
  }

  #tool(session: string, tool: string, status: "success" | "error", callId = newSeededId("call"), irreversible = false, args = ""): void {
    const isUnannounced = this.#defect === "tool-unannounced" && tool === "look_up_weather";
    if (this.states.get(session) !== "calling_tool") this.#enter(session, "calling_tool");
    if (!isUnannounced) {
      this.#say(session, "tool.invoked", {
        tool,
        tool_call_id: callId,
        ...(args === "" ? {} : { args_summary: args }),
        summary_normal: `Using ${tool}.`,
        irreversible: irreversible && this.#defect !== "risk-understated",
        risk_level: irreversible && this.#defect !== "risk-understated" ? "high" : "low",
      });
    }
    if (status === "success") this.effects.push(tool);
    const error = status === "error" ? { error_message: "There is no such tool." } : {};
    if (!isUnannounced)
      this.#say(session, "tool.completed", { tool, tool_call_id: callId, status, summary_normal: `${tool} is over.`, ...error });
  }

  /** Asks, waits, and acts or does not. */
  async #act(session: string, { action, tool, irreversible, seconds }: Asking): Promise<void> {
    const callId = newSeededId("call");
    const invoke = () => this.#tool(session, tool, "success", callId, irreversible);
    if (this.#defect === "acts-without-asking" && irreversible) return invoke();
    const token = this.#defect === "token-reused" ? this.#reused("rpl") : newSeededId("rpl");
    this.#enter(session, "awaiting_input");
    if (this.#defect === "effect-while-asked") this.effects.push(tool);
    this.#say(session, "awaiting.confirmation", {
      urgency: "critical",
      action,
      consequence: irreversible ? "It cannot be undone." : "The team will read it.",
      reply_token: token,
      timeout_seconds: seconds,
      default_decision: this.#defect === "default-declared-accept" ? "accept" : "reject",
      risk_level: irreversible ? "high" : "medium",
      irreversible,
      reversibility: irreversible ? "irreversible" : "reversible_with_effort",
      extra_context: { tool, tool_call_id: callId },
      summary_normal: `${action} Shall I?`,
    });
    if (this.#defect === "acts-before-answer") invoke();
    if (this.#defect === "implies-the-action")
      this.#say(session, "tool.completed", { tool, tool_call_id: callId, status: "success", summary_normal: "Done already." });
    const answer = await this.#wait(token, { kind: "confirmation", kinds: [] }, seconds);
    const timedOut = answer === "timeout";
    const accepted = answer === "accept" || (timedOut && this.#defect === "default-applied-accept");
    const late = this.#late();
    const takesMore = this.#defect === (timedOut ? "late-reply-honoured" : "second-reply-honoured");
    if (takesMore) this.#answered.set(token, () => late.settle(true));
    if (accepted) {
      if (this.#defect === "silent-acceptance") return this.#enter(session, "thinking", "Accepted.");
      this.#enter(session, "calling_tool", "Accepted: it is done now.");
      return invoke();
    }
    if (this.#defect === "silent-rejection") {
      this.states.set(session, "silent");
      return;
    }
    this.#enter(session, "thinking", timedOut ? "Nobody answered in time: it is left undone." : "It is left undone.");
    if (this.#defect === "acts-after-rejection") invoke();
    if (await late.within(takesMore ? 2000 : 0)) invoke();
  }

  /** The same id each time. */
  #reused(prefix: string): string {
    const id = this.#kept.get(prefix) ?? newSeededId(prefix);
    this.#kept.set(prefix, id);
    return id;
  }

  #late(): Late {
    let settle = (_: boolean) => {};
    const came = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    return {
      settle: (value) => settle(value),
      within: (ms) => (ms === 0 ? Promise.resolve(false) : Promise.race([came, this.#after(ms).then(() => false)])),
    };
  }

  async #ask(session: string, kinds: readonly string[]): Promise<void> {
    this.#enter(session, "awaiting_input");
    const token = newSeededId("rpl");
    const choices = [
      { value: "red", label: "Red" },
      { value: "blue", label: "Blue" },
    ];
    this.#say(session, "awaiting.clarification", {
      urgency: "critical",
      question: "Which one?",
      reply_token: token,
      timeout_seconds: 120,
      accepted_response_kinds: kinds,
      ...(kinds.includes("multiple_choice") ? { choices } : {}),
      summary_normal: "Which one shall I take?",
    });
    if (this.#defect === "clarification-not-awaited") this.#tool(session, "book_room", "success");
    await this.#wait(token, { kind: "clarification", kinds }, 120);
    if (this.#defect === "clarification-silent") this.states.set(session, "silent");
    else this.#enter(session, "thinking", "Thank you.");
  }

  #wait(token: string, { kind, kinds }: Pick<Open, "kind" | "kinds">, seconds: number): Promise<JsonValue> {
    return new Promise((resolve) => {
      const one: Open = { kind, kinds, deadlineMs: Date.now() + seconds * 1000, settled: false, settle: () => {} };
      one.settle = (answer) => {
        if (one.settled) return;
        one.settled = true;
        resolve(answer);
      };
      this.#open.set(token, one);
      if (!this.#anybody()) one.settle("reject");
      if (this.#defect === "default-missing") return;
      void this.#after(this.#defect === "default-early" ? seconds * 100 : seconds * 1000).then(() => one.settle("timeout"));
    });
  }

  #after(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      this.#timers.add(timer);
    });
  }

  #enter(session: string, state: string, summary?: string): void {
    const from = this.states.get(session) ?? "idle";
    if (from === "silent") return;
    this.states.set(session, state);
    const shown = this.#defect === "state-chain-broken" && from !== "idle" ? "deciding" : from;
    this.#say(session, "state.changed", {
      from_state: shown,
      to_state: state,
      urgency: "background",
      ...(summary === undefined ? {} : { summary_normal: summary }),
    });
  }

  #say(session: string, type: string, fields: JsonObject): void {
    const skew = this.#defect === "back-dated" ? -3_600_000 : this.#defect === "future-dated" ? 3_600_000 : 0;
    const reused = this.#defect === "event-id-reused" && type === "output.streaming" ? this.#reused("evt") : undefined;
    this.#publish({
      "@context": CORE_CONTEXT,
      aaep_version: "1.0.0",
      type: `aaep:agent.${type}`,
      event_id: reused ?? newSeededId("evt"),
      session_id: session,
      timestamp: new Date(Date.now() + skew).toISOString(),
      producer: { agent_id: "seeded" },
      localization_hints: { primary_language: "en" },
      ...(typeof fields["summary_normal"] === "string" ? { summary_terse: fields["summary_normal"] } : {}),
      ...fields,
    });
  }
}

interface Late {
  readonly settle: (value: boolean) => void;
  readonly within: (ms: number) => Promise<boolean>;
}
