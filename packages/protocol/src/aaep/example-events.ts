import type { JsonObject } from "../json.ts";
import type { RuleExample, RuleExamples } from "../rule.ts";
import { CORE_CONTEXT, type CoreType } from "./names.ts";

/** Builders for the rule examples. `full` is a complete session around the given events, numbered and timestamped by position. */
export type Fields = Readonly<Record<string, unknown>>;

export const event = (type: CoreType | string, fields: Fields = {}): Fields => ({
  type: type.includes(":") ? type : `aaep:${type}`,
  ...fields,
});
export const started = (fields: Fields = {}) =>
  event("agent.session.started", { summary_normal: "Looking into the slow page.", ...fields });
export const completed = (fields: Fields = {}) =>
  event("agent.session.completed", { summary_normal: "The slow query is fixed.", ...fields });
export const errored = (fields: Fields = {}) =>
  event("agent.session.errored", {
    urgency: "critical",
    error_category: "transient",
    summary_normal: "The database did not answer.",
    ...fields,
  });
export const cancelled = (fields: Fields = {}) =>
  event("agent.session.cancelled", { cancelled_by: "user", summary_normal: "Stopped as you asked.", ...fields });
export const state = (from: string, to: string, fields: Fields = {}) =>
  event("agent.state.changed", { from_state: from, to_state: to, ...fields });
export const progress = (fields: Fields, rest: Fields = {}) => event("agent.progress.updated", { progress: fields, ...rest });
export const invoked = (tool: string, fields: Fields = {}) =>
  event("agent.tool.invoked", { tool, summary_normal: `Running ${tool}.`, ...fields });
export const done = (tool: string, fields: Fields = {}) =>
  event("agent.tool.completed", { tool, status: "success", summary_normal: `${tool} is done.`, ...fields });
export const chunk = (words: string, position: number, complete: boolean, fields: Fields = {}) =>
  event("agent.output.streaming", { chunk: words, position, complete, ...fields });
export const confirm = (token: string, fields: Fields = {}) =>
  event("agent.awaiting.confirmation", {
    urgency: "critical",
    action: "Drop the table orders_old.",
    consequence: "41,200 rows are lost.",
    reply_token: token,
    timeout_seconds: 60,
    default_decision: "reject",
    risk_level: "high",
    irreversible: true,
    summary_normal: "Drop the table orders_old? This cannot be undone.",
    ...fields,
  });
export const clarify = (token: string, fields: Fields = {}) =>
  event("agent.awaiting.clarification", {
    urgency: "critical",
    question: "Which region?",
    reply_token: token,
    timeout_seconds: 60,
    summary_normal: "Which region shall I use?",
    ...fields,
  });
export const handoff = (fields: Fields = {}) =>
  event("agent.handoff.requested", {
    urgency: "critical",
    reason: "A person must sign this.",
    target_kind: "human",
    summary_normal: "I hand this to a person.",
    ...fields,
  });
export const reply = (token: string, decision: string, fields: Fields = {}): Fields => ({
  type: "confirmation.reply",
  reply_token: token,
  decision,
  subscription_id: "sub_1",
  timestamp: "2026-07-01T09:00:04.500Z",
  ...fields,
});
export const answer = (token: string, response: unknown, fields: Fields = {}): Fields => ({
  type: "clarification.reply",
  reply_token: token,
  response,
  subscription_id: "sub_1",
  timestamp: "2026-07-01T09:00:04.500Z",
  ...fields,
});
export const request = (capabilities: Fields = {}, fields: Fields = {}): Fields => ({
  type: "subscription.request",
  aaep_version: "1.0.0",
  subscriber_id: "screen-reader",
  capabilities,
  ...fields,
});
export const accepted = (honored: Fields = {}, fields: Fields = {}): Fields => ({
  type: "subscription.accepted",
  subscription_id: "sub_1",
  aaep_version: "1.0.0",
  producer: { agent_id: "query-doctor" },
  honored_capabilities: honored,
  ...fields,
});
export const rejected = (fields: Fields = {}): Fields => ({
  type: "subscription.rejected",
  reason_code: "rate_limit",
  reason_message: "Too many subscriptions.",
  ...fields,
});
export const manifest = (fields: Fields = {}): Fields => ({
  "@context": CORE_CONTEXT,
  type: "aaep:producer.manifest",
  agent_id: "query-doctor",
  aaep_versions_supported: ["1.0.0"],
  ...fields,
});

/** Completes each event with the envelope members it omits; a field set to undefined is removed. */
export function recording(...items: readonly Fields[]): JsonObject[] {
  return items.map((item, index) => {
    const type = String(item["type"]);
    const isMessage = /^(?:subscription|confirmation|clarification)\./.test(type) || type === "aaep:producer.manifest";
    const whole: Record<string, unknown> = isMessage
      ? { ...item }
      : {
          "@context": CORE_CONTEXT,
          event_id: `evt_${index + 1}`,
          session_id: "sess_1",
          timestamp: `2026-07-01T09:00:${String(index + 1).padStart(2, "0")}.000Z`,
          producer: { agent_id: "query-doctor" },
          localization_hints: { primary_language: "en-US" },
          ...item,
        };
    for (const key of Object.keys(whole)) if (whole[key] === undefined) delete whole[key];
    return whole as JsonObject;
  });
}

export const full = (...items: readonly Fields[]) => recording(started(), ...items, completed());
/** Like `full`, for a subscriber with these terms. */
export const subscribed = (terms: Fields, ...items: readonly Fields[]) =>
  recording(request(terms), accepted(terms), started(), ...items, completed());
export const both = (passes: RuleExample, fails: RuleExample): RuleExamples => ({ passes, fails });
export const told = (passes: string, fails: string): RuleExamples => ({ passes: { told: passes }, fails: { told: fails } });
/** A passing and a failing session that differ only in the first event. */
export const startedWith = (good: Fields, bad: Fields) => both(recording(started(good), completed()), recording(started(bad), completed()));
export const inside = (good: Fields, bad: Fields) => both(full(good), full(bad));

export const thinking = state("idle", "thinking");
export const waiting = state("thinking", "awaiting_input");
/** An accepted irreversible action, from the question to its completion. */
export const accept = [
  thinking,
  waiting,
  confirm("rpl_1"),
  reply("rpl_1", "accept"),
  state("awaiting_input", "calling_tool", { summary_normal: "You agreed." }),
  invoked("drop_table", { tool_call_id: "call_1", irreversible: true, risk_level: "high" }),
  done("drop_table", { tool_call_id: "call_1" }),
];
export const reject = [
  thinking,
  waiting,
  confirm("rpl_1", { extra_context: { tool: "drop_table" } }),
  reply("rpl_1", "reject"),
  state("awaiting_input", "thinking", { summary_normal: "You declined." }),
];
export const OPSX = [CORE_CONTEXT, "https://acme.example/opsx/v1"];
export const deep = (levels: number): unknown => (levels === 0 ? 1 : { inner: deep(levels - 1) });
export const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index]));

export function choices(...values: readonly string[]): Fields[] {
  return values.map((value, index) => ({ value, label: `Region ${index + 1}` }));
}

export function pair(tool: string, first: Fields, second: Fields = {}): Fields[] {
  return [invoked(tool, first), done(tool, second)];
}

export function swap(items: readonly Fields[], index: number, item: Fields): Fields[] {
  return items.map((old, at) => (at === index ? item : old));
}

export function asked(fields: Fields = {}, response: unknown = "eu-west", rest: Fields = {}): Fields[] {
  return [
    thinking,
    waiting,
    clarify("rpl_1", fields),
    answer("rpl_1", response, rest),
    state("awaiting_input", "thinking", { summary_normal: "Thank you." }),
  ];
}

export function again(token: string): Fields[] {
  return [
    state("calling_tool", "awaiting_input"),
    confirm(token, { action: "Drop the table carts_old." }),
    reply(token, "reject", { timestamp: "2026-07-01T09:00:12.000Z" }),
    state("awaiting_input", "thinking", { summary_normal: "You declined." }),
  ];
}

export function numbered(first: number, second: number | undefined, third: number): JsonObject[] {
  return recording(started({ sequence_number: first }), { ...thinking, sequence_number: second }, completed({ sequence_number: third }));
}

/** A session with a subscriber, from its start to a confirmation with these fields, and what follows. */
export const whileAsked = (fields: Fields, ...items: readonly Fields[]) =>
  recording(request(), accepted(), started(), thinking, waiting, confirm("rpl_1", fields), ...items);

export function timedOut(tool: string): JsonObject[] {
  const late = (second: number) => ({ timestamp: `2026-07-01T09:05:${String(second).padStart(2, "0")}.000Z` });
  return whileAsked(
    {},
    state("awaiting_input", "calling_tool", late(1)),
    invoked(tool, { irreversible: true, ...late(2) }),
    done(tool, late(3)),
    completed(late(4)),
  );
}

export function renegotiated(honored: Fields): JsonObject[] {
  const first = { preferred_verbosity: "terse", pace_wpm: 150 };
  const change = { type: "subscription.renegotiate", subscription_id: "sub_1", capabilities: { pace_wpm: 180 } };
  return recording(request(first), accepted(first), change, accepted(honored));
}

export function filtered(sent: Fields): JsonObject[] {
  const filters = { event_filters: { include: ["aaep:agent.*"], exclude: ["aaep:agent.progress.updated"] } };
  return recording(request(filters), accepted(filters), started(), sent, completed());
}

export function hurried(count: number): JsonObject[] {
  const rate = { max_events_per_second: 5 };
  const crowd = Array.from({ length: count }, () => progress({ step: 1 }, { timestamp: "2026-07-01T09:00:03.000Z" }));
  return recording(request(rate), accepted(rate), started(), ...crowd, completed({ timestamp: "2026-07-01T09:00:59.000Z" }));
}

export function spokenIn(language: string): JsonObject[] {
  const french = { languages: ["fr"] };
  const said = { localization_hints: { primary_language: language } };
  return recording(request(french), accepted(french), started(said), completed(said));
}

export function worded(verbosity: string): JsonObject[] {
  const terse = { preferred_verbosity: "terse" };
  const half = progress({ percent: 50 }, { verbosity, summary_terse: "Half.", summary_normal: "Half of the files have been read." });
  return recording(request(terse), accepted(terse), started(), half, completed());
}

export function hinted(hint: string): JsonObject[] {
  const boundaries = { coalesce_boundaries: ["sentence", "completion"] };
  return recording(request(boundaries), accepted(boundaries), started(), chunk("Hello.", 0, true, { coalesce_hint: hint }), completed());
}
