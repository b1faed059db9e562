import type { ClarificationReply, ConfirmationReply } from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";
import { isObject, type JsonObject } from "@earshot/protocol/json";
import { EarshotError } from "@earshot/protocol/problem";
import { fitsKinds } from "@earshot/protocol/reply-refusal";
import type { IncomingEvent } from "./incoming.ts";

type ResponseKind = "freetext" | "yes_no" | "multiple_choice" | "numeric";

/** An open question. */
export interface Prompt {
  /** Echoed unchanged, never made up. */
  readonly token: string;
  readonly kind: "confirmation" | "clarification";
  readonly event: JsonObject;
  readonly session: string;
  readonly agent: string;
  /** By the caller's monotonic clock. */
  readonly deadline: number;
  /** For a clarification. */
  readonly kinds: readonly ResponseKind[];
  /** For `multiple_choice`: the values, one of which is the response. */
  readonly choices: readonly string[];
}

/** Why a prompt is closed. */
export type PromptEnd = "answered" | "deadline" | "went-on" | "resolved" | "session-ended";

export interface ClosedPrompt {
  readonly prompt: Prompt;
  readonly why: PromptEnd;
}

const MAX_PROMPTS = 256;
const KINDS = ["freetext", "yes_no", "multiple_choice", "numeric"] as const;

/** Open questions: shown until answered here, until the deadline, or until the producer continues without them. */
export class OpenPrompts {
  readonly #open = new Map<string, Prompt>();

  /** `now` is wall time: a delayed question has less time left. */
  handle(incoming: IncomingEvent, at: number, now: number): readonly ClosedPrompt[] {
    const { type, event, session, agent } = incoming;
    if (type === "aaep:agent.awaiting.confirmation" || type === "aaep:agent.awaiting.clarification") {
      this.#add(readPrompt(incoming, at, now));
      return [];
    }
    if (isTerminalType(type))
      return this.#close(
        [...this.#open.values()].filter((one) => one.session === session),
        "session-ended",
      );
    if (type !== "aaep:agent.state.changed") return [];
    const resolved = this.#open.get(resolvedToken(event) ?? "");
    if (resolved !== undefined && resolved.session === session) return this.#close([resolved], "resolved");
    if (event["from_state"] !== "awaiting_input" || event["to_state"] === "awaiting_input") return [];
    const asked = [...this.#open.values()].filter((one) => one.session === session && one.agent === agent);
    // With several questions it is unclear which one was answered: the others may be open.
    return asked.length === 1 ? this.#close(asked, "went-on") : [];
  }

  find(token: string): Prompt | undefined {
    return this.#open.get(token);
  }

  /** Marks it as answered from here, once. */
  answered(token: string): void {
    this.#open.delete(token);
  }

  tick(at: number): readonly ClosedPrompt[] {
    return this.#close(
      [...this.#open.values()].filter(({ deadline }) => deadline <= at),
      "deadline",
    );
  }

  dueAt(): number | undefined {
    let due: number | undefined;
    for (const { deadline } of this.#open.values()) if (due === undefined || deadline < due) due = deadline;
    return due;
  }

  list(): readonly Prompt[] {
    return [...this.#open.values()];
  }

  #add(prompt: Prompt | undefined): void {
    if (prompt === undefined) return;
    if (this.#open.size >= MAX_PROMPTS) {
      const [oldest] = this.#open.keys();
      if (oldest !== undefined) this.#open.delete(oldest);
    }
    this.#open.set(prompt.token, prompt);
  }

  #close(prompts: readonly Prompt[], why: PromptEnd): readonly ClosedPrompt[] {
    for (const { token } of prompts) this.#open.delete(token);
    return prompts.map((prompt) => ({ prompt, why }));
  }
}

/** The question that a state change ends, if Earshot's extension names it. */
export function resolvedToken({ extensions }: JsonObject): string | undefined {
  const own = isObject(extensions) ? extensions["earshot"] : undefined;
  const token = isObject(own) ? own["resolved"] : undefined;
  return typeof token === "string" ? token : undefined;
}

/** The question in an event; undefined if it cannot be answered. */
export function readPrompt(
  { event, type, session, agent }: Pick<IncomingEvent, "event" | "type" | "session" | "agent">,
  at: number,
  now: number,
): Prompt | undefined {
  const { reply_token: token, timeout_seconds: seconds, timestamp } = event;
  if (typeof token !== "string" || typeof seconds !== "number" || !(seconds > 0)) return undefined;
  const saidAt = Date.parse(String(timestamp));
  const elapsed = Number.isFinite(saidAt) ? Math.max(0, now - saidAt) : 0;
  const kind = type === "aaep:agent.awaiting.confirmation" ? "confirmation" : "clarification";
  const deadline = at + Math.max(0, seconds * 1000 - elapsed);
  return { token, kind, event, session, agent, deadline, kinds: readKinds(event), choices: readChoices(event) };
}

function readKinds({ accepted_response_kinds: said }: JsonObject): readonly ResponseKind[] {
  const kinds = Array.isArray(said) ? KINDS.filter((kind) => said.includes(kind)) : [];
  return kinds.length === 0 ? ["freetext"] : kinds;
}

function readChoices({ choices }: JsonObject): readonly string[] {
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((one) => (isObject(one) && typeof one["value"] === "string" ? [one["value"]] : []));
}

/** A person's answer. Never made up by the subscriber. */
export type PromptReply = ConfirmationAnswer | ClarificationAnswer;

export interface ConfirmationAnswer {
  readonly decision: "accept" | "reject";
  /** `user:ana`. */
  readonly decidedBy?: string;
  readonly rationale?: string;
  /** The accepted alternative; a producer that does not support it treats the reply as a rejection. */
  readonly modifiedAction?: object;
}

export interface ClarificationAnswer {
  readonly response: string | number | boolean;
  readonly decidedBy?: string;
  readonly confidence?: number;
}

/** The reply message, or a problem if it does not answer this question. */
export function toReplyMessage(
  prompt: Pick<Prompt, "token" | "kind" | "event" | "kinds" | "choices">,
  reply: PromptReply,
  from: { readonly subscriptionId: string; readonly now: number },
): ConfirmationReply | ClarificationReply {
  const base = {
    reply_token: prompt.token,
    subscription_id: from.subscriptionId,
    timestamp: new Date(from.now).toISOString(),
    ...(reply.decidedBy === undefined ? {} : { decided_by: reply.decidedBy.slice(0, 256) }),
  };
  if (prompt.kind === "confirmation") {
    if (!("decision" in reply)) throw wrong("A confirmation takes a decision: accept or reject.");
    const { decision, rationale, modifiedAction } = reply;
    const allowed = prompt.event["allowed_replies"];
    if (Array.isArray(allowed) && !allowed.includes(decision)) throw wrong(`This confirmation does not take ${decision}.`);
    return {
      type: "confirmation.reply",
      ...base,
      decision,
      ...(rationale === undefined || rationale === "" ? {} : { decision_rationale: rationale.slice(0, 4096) }),
      ...(modifiedAction === undefined ? {} : { modified_action: modifiedAction }),
    };
  }
  if (!("response" in reply)) throw wrong("A question takes a response.");
  const { response, confidence } = reply;
  if (!fits(response, prompt)) throw wrong(`This question takes ${prompt.kinds.join(", or ")}.`);
  return { type: "clarification.reply", ...base, response, ...(confidence === undefined ? {} : { confidence }) };
}

function fits(response: string | number | boolean, { kinds, choices }: Pick<Prompt, "kinds" | "choices">): boolean {
  if (typeof response === "number" && !Number.isFinite(response)) return false;
  if (response === "" || (typeof response === "string" && response.length > 16_384)) return false;
  return fitsKinds(response, kinds, choices);
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "ANSWER_INVALID", message });
}
