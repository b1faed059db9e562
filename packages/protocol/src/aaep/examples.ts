import type { JsonObject } from "../json.ts";
import type { Example, RuleExamples } from "../rule.ts";
import { CORE_CONTEXT, type CoreType } from "./names.ts";
import type { AaepRuleId } from "./rules.ts";

/**
 * One recording that keeps and one that breaks each rule. Short words make them: `full` is a session from start to end,
 * numbered and timed by its place, around the events given.
 */
type Fields = Readonly<Record<string, unknown>>;

const event = (type: CoreType | string, fields: Fields = {}): Fields => ({ type: type.includes(":") ? type : `aaep:${type}`, ...fields });
const started = (fields: Fields = {}) => event("agent.session.started", { summary_normal: "Looking into the slow page.", ...fields });
const completed = (fields: Fields = {}) => event("agent.session.completed", { summary_normal: "The slow query is fixed.", ...fields });
const errored = (fields: Fields = {}) =>
  event("agent.session.errored", {
    urgency: "critical",
    error_category: "transient",
    summary_normal: "The database did not answer.",
    ...fields,
  });
const cancelled = (fields: Fields = {}) =>
  event("agent.session.cancelled", { cancelled_by: "user", summary_normal: "Stopped as you asked.", ...fields });
const state = (from: string, to: string, fields: Fields = {}) =>
  event("agent.state.changed", { from_state: from, to_state: to, ...fields });
const progress = (fields: Fields, rest: Fields = {}) => event("agent.progress.updated", { progress: fields, ...rest });
const invoked = (tool: string, fields: Fields = {}) => event("agent.tool.invoked", { tool, summary_normal: `Running ${tool}.`, ...fields });
const done = (tool: string, fields: Fields = {}) =>
  event("agent.tool.completed", { tool, status: "success", summary_normal: `${tool} is done.`, ...fields });
const chunk = (words: string, position: number, complete: boolean, fields: Fields = {}) =>
  event("agent.output.streaming", { chunk: words, position, complete, ...fields });
const confirm = (token: string, fields: Fields = {}) =>
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
const clarify = (token: string, fields: Fields = {}) =>
  event("agent.awaiting.clarification", {
    urgency: "critical",
    question: "Which region?",
    reply_token: token,
    timeout_seconds: 60,
    summary_normal: "Which region shall I use?",
    ...fields,
  });
const handoff = (fields: Fields = {}) =>
  event("agent.handoff.requested", {
    urgency: "critical",
    reason: "A person must sign this.",
    target_kind: "human",
    summary_normal: "I hand this to a person.",
    ...fields,
  });
const reply = (token: string, decision: string, fields: Fields = {}): Fields => ({
  type: "confirmation.reply",
  reply_token: token,
  decision,
  subscription_id: "sub_1",
  timestamp: "2026-07-01T09:00:04.500Z",
  ...fields,
});
const answer = (token: string, response: unknown, fields: Fields = {}): Fields => ({
  type: "clarification.reply",
  reply_token: token,
  response,
  subscription_id: "sub_1",
  timestamp: "2026-07-01T09:00:04.500Z",
  ...fields,
});
const request = (capabilities: Fields = {}, fields: Fields = {}): Fields => ({
  type: "subscription.request",
  aaep_version: "1.0.0",
  subscriber_id: "screen-reader",
  capabilities,
  ...fields,
});
const accepted = (honored: Fields = {}, fields: Fields = {}): Fields => ({
  type: "subscription.accepted",
  subscription_id: "sub_1",
  aaep_version: "1.0.0",
  producer: { agent_id: "query-doctor" },
  honored_capabilities: honored,
  ...fields,
});
const rejected = (fields: Fields = {}): Fields => ({
  type: "subscription.rejected",
  reason_code: "rate_limit",
  reason_message: "Too many subscriptions.",
  ...fields,
});
const manifest = (fields: Fields = {}): Fields => ({
  "@context": CORE_CONTEXT,
  type: "aaep:producer.manifest",
  agent_id: "query-doctor",
  aaep_versions_supported: ["1.0.0"],
  ...fields,
});

/** Gives each event the envelope it leaves out; a field set to undefined is left out altogether. */
function recording(...items: readonly Fields[]): JsonObject[] {
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

const full = (...items: readonly Fields[]) => recording(started(), ...items, completed());
const both = (passes: Example, fails: Example): RuleExamples => ({ passes, fails });
const told = (passes: string, fails: string): RuleExamples => ({ passes: { told: passes }, fails: { told: fails } });
/** The same session with one field of its first event changed. */
const startedWith = (good: Fields, bad: Fields) => both(recording(started(good), completed()), recording(started(bad), completed()));
const inside = (good: Fields, bad: Fields) => both(full(good), full(bad));

const thinking = state("idle", "thinking");
const waiting = state("thinking", "awaiting_input");
/** An accepted irreversible action, from question to completion. */
const accept = [
  thinking,
  waiting,
  confirm("rpl_1"),
  reply("rpl_1", "accept"),
  state("awaiting_input", "calling_tool", { summary_normal: "You agreed." }),
  invoked("drop_table", { tool_call_id: "call_1", irreversible: true, risk_level: "high" }),
  done("drop_table", { tool_call_id: "call_1" }),
];
const reject = [
  thinking,
  waiting,
  confirm("rpl_1", { extra_context: { tool: "drop_table" } }),
  reply("rpl_1", "reject"),
  state("awaiting_input", "thinking", { summary_normal: "You declined." }),
];
const OPSX = [CORE_CONTEXT, "https://acme.example/opsx/v1"];
const deep = (levels: number): unknown => (levels === 0 ? 1 : { inner: deep(levels - 1) });
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index]));

export const AAEP_EXAMPLES: Readonly<Record<AaepRuleId, RuleExamples>> = {
  "aaep/required-fields": startedWith({}, { producer: undefined }),
  "aaep/context": startedWith({ "@context": OPSX }, { "@context": "https://acme.example/opsx/v1" }),
  "aaep/type-form": inside(thinking, { ...thinking, type: "agent.state.changed" }),
  "aaep/type-defined": inside(thinking, event("agent.thought.shared")),
  "aaep/type-compact": inside(thinking, { ...thinking, type: "https://aaep-protocol.org/types/agent.state.changed" }),
  "aaep/event-id": startedWith({ event_id: "evt_8a3f5b22" }, { event_id: "evt_8a3f-5b22" }),
  "aaep/session-id": both(recording(started(), completed()), recording(started({ session_id: "1" }), completed({ session_id: "1" }))),
  "aaep/timestamp": startedWith({ timestamp: "2026-07-01T10:00:01.000+01:00" }, { timestamp: "2026-02-30T09:00:01.000Z" }),
  "aaep/timestamp-precision": startedWith({ timestamp: "2026-07-01T09:00:01.000000Z" }, { timestamp: "2026-07-01T09:00:01.0Z" }),
  "aaep/producer": startedWith(
    { producer: { agent_id: "query-doctor", model: "m-1" } },
    { producer: { agent_id: "query-doctor", team: "data" } },
  ),
  "aaep/version": startedWith({ aaep_version: "1.0.0" }, { aaep_version: "1.0" }),
  "aaep/version-known": startedWith({ aaep_version: "1.0.0" }, { aaep_version: "7.1.0" }),
  "aaep/sequence-number": both(
    recording(started({ sequence_number: 0 }), completed({ sequence_number: 1 })),
    recording(started({ sequence_number: 0 }), thinking, completed({ sequence_number: -1 })),
  ),
  "aaep/verbosity": startedWith({ verbosity: "terse" }, { verbosity: "short" }),
  "aaep/urgency": startedWith({ urgency: "background" }, { urgency: "high" }),
  "aaep/localization-hints": startedWith(
    { localization_hints: { primary_language: "pt-BR" } },
    { localization_hints: { primary_language: "pt_BR" } },
  ),
  "aaep/localization-declared": startedWith({}, { localization_hints: undefined }),
  "aaep/correlation-id": startedWith({ correlation_id: "trace-1" }, { correlation_id: 17 }),
  "aaep/extensions-objects": startedWith(
    { "@context": OPSX, extensions: { opsx: { ticket: "OPS-7" } } },
    { "@context": OPSX, extensions: { opsx: "OPS-7" } },
  ),
  "aaep/extension-declared": startedWith(
    { "@context": OPSX, extensions: { opsx: { ticket: "OPS-7" } } },
    { extensions: { opsx: { ticket: "OPS-7" } } },
  ),
  "aaep/extension-declared-clearly": startedWith(
    { "@context": OPSX, extensions: { opsx: { ticket: "OPS-7" } } },
    { "@context": [CORE_CONTEXT, "https://acme.example/v1"], extensions: { opsx: { ticket: "OPS-7" } } },
  ),
  "aaep/extension-prefix": startedWith({ "@context": OPSX, extensions: { opsx: {} } }, { "@context": OPSX, extensions: { aaep: {} } }),
  "aaep/no-custom-fields": startedWith({ "@context": OPSX, extensions: { opsx: { ticket: "OPS-7" } } }, { ticket: "OPS-7" }),
  "aaep/size": both(
    full(),
    full(handoff({ packaged_context: Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`part${index}`, "x".repeat(10_000)])) })),
  ),
  "aaep/field-count": both(
    full(),
    recording(started({ "@context": OPSX }), event("opsx:deploy.done", { "@context": OPSX, ...many(30) }), completed()),
  ),
  "aaep/nesting": inside(handoff({ packaged_context: deep(4) }), handoff({ packaged_context: deep(10) })),
  "aaep/string-length": startedWith({ correlation_id: "trace-1" }, { correlation_id: "x".repeat(16_385) }),
  "aaep/integer-range": inside(
    handoff({ packaged_context: { rows: "9007199254740993" } }),
    handoff({ packaged_context: { rows: 9007199254740994 } }),
  ),
  "aaep/well-formed-text": both(
    full(chunk("Cafe\u0301 ", 0, false), chunk("closed.", 6, true)),
    full(chunk("Cafe", 0, false), chunk("\u0301 closed.", 4, true)),
  ),
  "aaep/no-secrets": both(
    full(...pair("deploy", { args_summary: "service: web" })),
    full(...pair("deploy", { args_summary: `token ghp_${"a1".repeat(18)}` })),
  ),
  "aaep/summary-advised": both(full(...pair("grep", {})), full(invoked("grep"), done("grep", { summary_normal: undefined }))),

  "aaep/session-started-payload": startedWith({}, { summary_normal: "" }),
  "aaep/session-completed-payload": both(full(), recording(started(), completed({ duration_ms: "fast" }))),
  "aaep/session-errored-payload": both(recording(started(), errored()), recording(started(), errored({ error_category: "timeout" }))),
  "aaep/session-cancelled-payload": both(recording(started(), cancelled()), recording(started(), cancelled({ cancelled_by: "policy" }))),
  "aaep/state-changed-payload": inside(thinking, state("idle", "thinking", { to_state: "" })),
  "aaep/progress-updated-payload": inside(progress({ percent: 60 }), progress({ percent: 160 })),
  "aaep/progress-not-empty": inside(progress({ step: 1 }), progress({})),
  "aaep/progress-step-within-total": inside(progress({ step: 2, total_steps: 5 }), progress({ step: 6, total_steps: 5 })),
  "aaep/tool-invoked-payload": both(full(...pair("grep", {})), full(...pair("grep", { summary_normal: undefined }))),
  "aaep/tool-completed-payload": both(full(...pair("grep", {})), full(invoked("grep"), done("grep", { status: "ok" }))),
  "aaep/error-message-advised": both(
    full(invoked("grep"), done("grep", { status: "error", error_message: "No such file." })),
    full(invoked("grep"), done("grep", { status: "error" })),
  ),
  "aaep/output-streaming-payload": inside(
    chunk("Hello.", 0, true),
    chunk("Hello.", 0, true, { content_type: "text/plain; charset=utf-8" }),
  ),
  "aaep/awaiting-confirmation-payload": both(full(...accept), full(...swap(accept, 2, confirm("rpl_1", { timeout_seconds: 0 })))),
  "aaep/awaiting-clarification-payload": both(full(...asked()), full(...asked({ accepted_response_kinds: ["text"] }))),
  "aaep/handoff-requested-payload": inside(handoff(), handoff({ target_kind: "boss" })),

  "aaep/errored-is-critical": both(recording(started(), errored()), recording(started(), errored({ urgency: undefined }))),
  "aaep/confirmation-is-critical": both(full(...accept), full(...swap(accept, 2, confirm("rpl_1", { urgency: "normal" })))),
  "aaep/clarification-is-critical": both(full(...asked()), full(...asked({ urgency: undefined }))),
  "aaep/handoff-is-critical": inside(handoff(), handoff({ urgency: "normal" })),
  "aaep/default-decision-safe": both(
    full(...accept),
    full(...swap(accept, 2, confirm("rpl_1", { default_decision: "accept", risk_level: "medium" }))),
  ),
  "aaep/default-decision-advised": both(
    full(...accept),
    full(...swap(accept, 2, confirm("rpl_1", { default_decision: "accept", risk_level: "low" }))),
  ),
  "aaep/reversibility-consistent": both(
    full(...swap(accept, 2, confirm("rpl_1", { reversibility: "irreversible" }))),
    full(...swap(accept, 2, confirm("rpl_1", { reversibility: "reversible" }))),
  ),
  "aaep/choices-needed": both(
    full(
      ...asked(
        {
          accepted_response_kinds: ["multiple_choice"],
          choices: choices("eu", "us"),
        },
        "eu",
      ),
    ),
    full(...asked({ accepted_response_kinds: ["freetext", "multiple_choice"] }, "eu")),
  ),

  "aaep/choices-distinct": both(
    full(...asked({ accepted_response_kinds: ["multiple_choice"], choices: choices("eu", "us") }, "eu")),
    full(...asked({ accepted_response_kinds: ["multiple_choice"], choices: choices("eu", "eu") }, "eu")),
  ),
  "aaep/default-allowed": both(
    full(...asked({ accepted_response_kinds: ["numeric"], default_response: "3" }, 3)),
    full(...asked({ accepted_response_kinds: ["numeric"], default_response: "three" }, 3)),
  ),

  "aaep/message-defined": both(recording(request(), accepted()), recording({ type: "subscription.pause", subscription_id: "sub_1" })),
  "aaep/subscription-request": both(recording(request(), accepted()), recording(request({}, { subscriber_id: undefined }), accepted())),
  "aaep/subscription-accepted": both(recording(request(), accepted()), recording(request(), accepted({}, { subscription_id: "sub-1" }))),
  "aaep/subscription-rejected": both(recording(request(), rejected()), recording(request(), rejected({ reason_code: "busy" }))),
  "aaep/subscription-renegotiate": both(
    recording(
      request(),
      accepted(),
      { type: "subscription.renegotiate", subscription_id: "sub_1", capabilities: { pace_wpm: 180 } },
      accepted(),
    ),
    recording(
      request(),
      accepted(),
      { type: "subscription.renegotiate", subscription_id: "sub_1", capabilities: { pace_wpm: 5 } },
      accepted(),
    ),
  ),
  "aaep/subscription-close": both(
    recording(request(), accepted(), { type: "subscription.close", subscription_id: "sub_1" }),
    recording(request(), accepted(), { type: "subscription.close" }),
  ),
  "aaep/confirmation-reply": both(full(...accept), full(...swap(accept, 3, reply("rpl_1", "accept", { note: "fine" })))),
  "aaep/clarification-reply": both(full(...asked()), full(...asked({}, "eu", { confidence: 7 }))),
  "aaep/manifest": both(recording(manifest()), recording(manifest({ aaep_versions_supported: [] }))),

  "aaep/session-starts-first": both(full(thinking), recording(thinking, completed())),
  "aaep/session-starts-once": both(full(), full(started())),
  "aaep/session-ends": both(full(thinking), recording(started(), thinking)),
  "aaep/session-ends-once": both(recording(started(), cancelled()), recording(started(), completed(), errored())),
  "aaep/completed-after-failure": both(recording(started(), errored()), recording(started(), errored(), completed())),
  "aaep/nothing-after-end": both(full(...pair("grep", {})), recording(started(), completed(), invoked("grep"))),
  "aaep/session-id-reused": both(
    recording(started(), completed(), started({ session_id: "sess_2" }), completed({ session_id: "sess_2" })),
    recording(started(), completed(), started(), completed()),
  ),
  "aaep/one-request-per-session": told(
    "The user asks for a second thing; the agent completes the session and starts another one with a new id.",
    "The user asks for a second thing; the agent goes on under the same session_id.",
  ),
  "aaep/event-id-unique": both(full(thinking), full(thinking, state("thinking", "deciding", { event_id: "evt_2" }))),
  "aaep/timestamps-ordered": both(full(thinking), full({ ...thinking, timestamp: "2026-07-01T08:59:59.000Z" })),
  "aaep/timestamps-ordered-across-agents": both(
    full(state("idle", "thinking", { producer: { agent_id: "helper" } })),
    full(state("idle", "thinking", { producer: { agent_id: "helper" }, timestamp: "2026-07-01T08:59:59.000Z" })),
  ),
  "aaep/timestamps-honest": told(
    "An event made at 09:00:00.250 says 09:00:00.250.",
    "All events of a session are stamped with the time at which it started.",
  ),
  "aaep/sequence-number-contiguous": both(numbered(0, 1, 2), numbered(0, 2, 3)),
  "aaep/sequence-number-all-or-none": both(numbered(0, 1, 2), numbered(0, undefined, 1)),
  "aaep/state-starts-idle": inside(thinking, state("thinking", "deciding")),
  "aaep/state-chain": both(full(thinking, state("thinking", "deciding")), full(thinking, state("deciding", "thinking"))),
  "aaep/state-announced": both(full(thinking, state("thinking", "calling_tool"), ...pair("grep", {})), full(thinking, ...pair("grep", {}))),
  "aaep/progress-thin": both(
    full(...[10, 20, 30, 40, 50, 60, 70].map((percent) => progress({ percent }))),
    full(...[1, 2, 3, 4, 5, 6, 7].map((percent) => progress({ percent }))),
  ),
  "aaep/progress-rises": both(
    full(progress({ percent: 20 }), progress({ percent: 60 })),
    full(progress({ percent: 60 }), progress({ percent: 20 })),
  ),
  "aaep/invocations-counted": both(
    recording(started(), ...pair("grep", {}), completed({ tool_invocations_count: 1 })),
    recording(started(), ...pair("grep", {}), completed({ tool_invocations_count: 4 })),
  ),
  "aaep/duration-honest": both(
    full(invoked("grep"), done("grep", { duration_ms: 900 })),
    full(invoked("grep"), done("grep", { duration_ms: 900_000 })),
  ),
  "aaep/tool-before-effect": told("The event is written, then the file is deleted.", "The file is deleted, then the event is written."),
  "aaep/tool-call-id-unique": both(
    full(
      ...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" }),
      ...pair("grep", { tool_call_id: "call_2" }, { tool_call_id: "call_2" }),
    ),
    full(
      ...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" }),
      ...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" }),
    ),
  ),
  "aaep/tool-completed-needs-invoked": both(full(...pair("grep", {})), full(done("grep"))),
  "aaep/tool-name-matches": both(
    full(...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" })),
    full(invoked("grep", { tool_call_id: "call_1" }), done("find", { tool_call_id: "call_1" })),
  ),
  "aaep/tool-completes-once": both(
    full(...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" })),
    full(...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" }), done("grep", { tool_call_id: "call_1" })),
  ),
  "aaep/tool-completes": both(full(...pair("grep", {})), full(invoked("grep"))),
  "aaep/tool-completed-before-state": both(
    full(thinking, state("thinking", "calling_tool"), invoked("grep"), done("grep"), state("calling_tool", "thinking")),
    full(thinking, state("thinking", "calling_tool"), invoked("grep"), state("calling_tool", "thinking"), done("grep")),
  ),
  "aaep/tool-call-id-advised": both(
    full(
      invoked("grep", { tool_call_id: "call_1" }),
      invoked("find", { tool_call_id: "call_2" }),
      done("grep", { tool_call_id: "call_1" }),
      done("find", { tool_call_id: "call_2" }),
    ),
    full(invoked("grep"), invoked("find"), done("grep"), done("find")),
  ),
  "aaep/tool-state": both(
    full(thinking, state("thinking", "calling_tool"), ...pair("grep", {})),
    full(thinking, ...pair("grep", {}), state("thinking", "calling_tool")),
  ),
  "aaep/output-position": both(
    full(chunk("Hello ", 0, false), chunk("you.", 6, true)),
    full(chunk("Hello ", 0, false), chunk("you.", 7, true)),
  ),
  "aaep/output-position-rises": both(
    full(chunk("Hello ", 0, false), chunk("to ", 6, false), chunk("you.", 9, true)),
    full(chunk("Hello ", 0, false), chunk("to ", 6, false), chunk("you.", 3, true)),
  ),
  "aaep/output-completes": both(full(chunk("Hello.", 0, true)), full(chunk("Hello.", 0, false))),
  "aaep/output-after-complete": both(
    full(chunk("Hello.", 0, true, { output_id: "out_1" }), chunk("Bye.", 0, true, { output_id: "out_2" })),
    full(chunk("Hello.", 0, true, { output_id: "out_1" }), chunk("Bye.", 6, false, { output_id: "out_1" })),
  ),

  "aaep/coalesce-hint-true": both(
    full(chunk("It is slow.", 0, false, { coalesce_hint: "sentence" }), chunk(" Why?", 11, true)),
    full(chunk("It is sl", 0, false, { coalesce_hint: "sentence" }), chunk("ow. Why?", 8, true)),
  ),

  "aaep/irreversible-needs-accept": both(
    full(...accept),
    full(thinking, invoked("transfer_funds", { irreversible: true }), done("transfer_funds")),
  ),
  "aaep/irreversible-accept-unseen": both(
    full(...accept),
    full(
      thinking,
      waiting,
      confirm("rpl_1"),
      state("awaiting_input", "thinking"),
      invoked("drop_table", { irreversible: true }),
      done("drop_table"),
    ),
  ),
  "aaep/irreversible-by-default": both(
    full(...accept),
    recording(
      request(),
      accepted(),
      started(),
      thinking,
      waiting,
      confirm("rpl_1", { risk_level: "low", default_decision: "accept", timeout_seconds: 2 }),
      state("awaiting_input", "calling_tool", { timestamp: "2026-07-01T09:00:10.000Z" }),
      invoked("drop_table", { irreversible: true, timestamp: "2026-07-01T09:00:11.000Z" }),
      done("drop_table", { timestamp: "2026-07-01T09:00:12.000Z" }),
      completed({ timestamp: "2026-07-01T09:00:13.000Z" }),
    ),
  ),
  "aaep/high-risk-needs-confirmation": both(full(...accept), full(...pair("restart_all", { risk_level: "high" }))),
  "aaep/invoked-as-confirmed": both(
    full(...swap(accept, 2, confirm("rpl_1", { extra_context: { tool_call_id: "call_1" } }))),
    full(
      ...swap(
        swap(accept, 2, confirm("rpl_1", { extra_context: { tool_call_id: "call_1" } })),
        5,
        invoked("drop_table", { tool_call_id: "call_1", risk_level: "high" }),
      ),
    ),
  ),
  "aaep/confirmation-blocks": both(
    full(...accept),
    recording(
      request(),
      accepted(),
      started(),
      thinking,
      waiting,
      confirm("rpl_1", { extra_context: { tool: "restart" } }),
      ...pair("restart", {}),
      completed(),
    ),
  ),
  "aaep/accepted-action-invoked": both(
    full(...accept),
    full(...accept.slice(0, 4), state("awaiting_input", "thinking", { summary_normal: "You agreed." })),
  ),
  "aaep/rejection-reported": both(full(...reject), full(...reject.slice(0, 4))),
  "aaep/rejected-action-not-invoked": both(full(...reject), full(...reject, ...pair("drop_table", { irreversible: true }))),
  "aaep/awaiting-state-before": both(
    full(...accept),
    full(thinking, ...accept.slice(2, 4), state("awaiting_input", "calling_tool", { summary_normal: "You agreed." }), ...accept.slice(5)),
  ),
  "aaep/awaiting-state-after": both(full(...accept), full(...accept.slice(0, 4), ...accept.slice(5))),
  "aaep/confirmation-not-repeated": both(full(...accept), full(thinking, waiting, confirm("rpl_2"), ...accept.slice(2))),
  "aaep/nothing-implies-action": told(
    "While it waits, the agent says: I would drop the table.",
    "While it waits, the agent says: the table is gone.",
  ),
  "aaep/reply-token-unique": both(full(...accept, ...again("rpl_2")), full(...accept, ...again("rpl_1"))),
  "aaep/reply-first-wins": both(
    full(...accept.slice(0, 4), reply("rpl_1", "reject"), ...accept.slice(4)),
    full(
      ...reject.slice(0, 4),
      reply("rpl_1", "accept"),
      state("awaiting_input", "calling_tool", { summary_normal: "You agreed." }),
      ...pair("drop_table", { irreversible: true }),
    ),
  ),
  "aaep/reply-token-known": both(full(...accept), full(...accept, reply("rpl_9", "accept"))),
  "aaep/reply-kind": both(full(...accept), full(...accept.slice(0, 3), answer("rpl_1", "yes"), ...accept.slice(3))),
  "aaep/reply-allowed": both(
    full(...swap(accept, 2, confirm("rpl_1", { allowed_replies: ["accept", "reject"] }))),
    full(...swap(reject, 2, confirm("rpl_1", { allowed_replies: ["accept"] }))),
  ),
  "aaep/reply-in-time": both(
    full(...reject),
    full(...swap(reject, 3, reply("rpl_1", "reject", { timestamp: "2026-07-01T09:30:00.000Z" }))),
  ),
  "aaep/reply-subscription": both(
    recording(
      request({ supports_confirmation_reply: true }),
      accepted({ supports_confirmation_reply: true }),
      started(),
      ...reject,
      completed(),
    ),
    recording(
      request({ supports_confirmation_reply: true }),
      accepted({ supports_confirmation_reply: true }),
      started(),
      ...swap(reject, 3, reply("rpl_1", "reject", { subscription_id: "sub_9" })),
      completed(),
    ),
  ),
  "aaep/reply-capable": both(
    recording(
      request({ supports_confirmation_reply: true }),
      accepted({ supports_confirmation_reply: true }),
      started(),
      ...reject,
      completed(),
    ),
    recording(request(), accepted(), started(), ...reject, completed()),
  ),
  "aaep/reply-authenticated": told(
    "A reply from an unknown connection is ignored, although its token is right.",
    "Whoever sends a known token is believed.",
  ),
  "aaep/reply-validated": told(
    "A reply with an invented token arrives; the question is still open, and the real answer counts.",
    "A reply with an invented token arrives, and the file is deleted.",
  ),
  "aaep/reply-failure-hidden": told(
    "Every well-formed reply is answered with 204.",
    "A used token is answered with 409 and the words: token already used.",
  ),
  "aaep/modified-action-rejected": told(
    "A reply accepts another table than the one asked about; the agent drops nothing and says so.",
    "A reply accepts another table than the one asked about; the agent drops the first one.",
  ),
  "aaep/timeout-default": both(full(...reject), timedOut("drop_table")),
  "aaep/cancelled-token-dead": both(
    full(...reject),
    recording(
      request(),
      accepted(),
      started(),
      thinking,
      waiting,
      confirm("rpl_1"),
      state("awaiting_input", "thinking", { summary_normal: "Not needed any more." }),
      reply("rpl_1", "accept", { timestamp: "2026-07-01T09:00:08.000Z" }),
      ...pair("drop_table", { irreversible: true }),
      completed(),
    ),
  ),
  "aaep/outcome-announced": both(full(...accept), full(...swap(accept, 4, state("awaiting_input", "calling_tool")))),
  "aaep/long-wait-progress": both(
    full(...reject),
    full(
      thinking,
      waiting,
      confirm("rpl_1", { timeout_seconds: 300 }),
      reply("rpl_1", "reject", { timestamp: "2026-07-01T09:04:00.000Z" }),
      state("awaiting_input", "thinking", { summary_normal: "You declined." }),
    ),
  ),
  "aaep/clarification-blocks": both(
    full(...asked()),
    full(
      ...asked().slice(0, 3),
      ...pair("create_bucket", {}),
      answer("rpl_1", "eu-west", { timestamp: "2026-07-01T09:00:06.500Z" }),
      state("awaiting_input", "thinking", { summary_normal: "Thank you." }),
    ),
  ),
  "aaep/clarification-followed": both(full(...asked()), full(...asked().slice(0, 4))),
  "aaep/clarification-response": both(
    full(...asked({ accepted_response_kinds: ["numeric"] }, 3)),
    full(...asked({ accepted_response_kinds: ["numeric"] }, "three")),
  ),
  "aaep/question-left-open": both(
    full(...accept),
    recording(request(), accepted(), started(), thinking, waiting, confirm("rpl_1"), completed()),
  ),
  "aaep/handoff-ends": both(full(handoff()), recording(started(), handoff(), errored())),
  "aaep/handoff-stops-work": both(full(...pair("grep", {}), handoff()), full(handoff(), ...pair("grep", {}))),
  "aaep/handoff-once": both(full(handoff()), full(handoff(), handoff())),
  "aaep/handoff-emitted": both(
    full(thinking, state("thinking", "handing_off"), handoff()),
    full(thinking, state("thinking", "handing_off")),
  ),
  "aaep/no-auto-reply": told(
    "A rule that the person wrote answers for this tool.",
    "The subscriber accepts everything while the person is away.",
  ),

  "aaep/handshake-answered": both(recording(request(), accepted()), recording(request())),
  "aaep/accepted-answers-request": both(recording(request(), accepted()), recording(accepted())),
  "aaep/subscription-known": both(
    recording(request(), accepted(), { type: "subscription.close", subscription_id: "sub_1" }),
    recording(request(), accepted(), { type: "subscription.close", subscription_id: "sub_2" }),
  ),
  "aaep/level-needs-replies": both(
    recording(request({ supported_conformance_levels: [1, 2], supports_confirmation_reply: true }), accepted()),
    recording(request({ supported_conformance_levels: [1, 2] }), accepted()),
  ),
  "aaep/filter-pattern": both(
    recording(
      request({ event_filters: { include: ["aaep:agent.tool.*"] } }),
      accepted({ event_filters: { include: ["aaep:agent.tool.*"] } }),
    ),
    recording(request({ event_filters: { include: ["aaep:*.invoked"] } }), accepted({ event_filters: { include: ["aaep:*.invoked"] } })),
  ),
  "aaep/honored-not-looser": both(
    recording(request({ max_events_per_second: 5 }), accepted({ max_events_per_second: 2 })),
    recording(request({ max_events_per_second: 5 }), accepted({ max_events_per_second: 10 })),
  ),
  "aaep/signed-manifest": both(
    recording(
      request({ accept_signed_manifests_only: true }),
      accepted({ accept_signed_manifests_only: true }, { signed_manifest: "aa.bb.cc" }),
    ),
    recording(request({ accept_signed_manifests_only: true }), accepted({ accept_signed_manifests_only: true })),
  ),
  "aaep/renegotiation-keeps": both(renegotiated({ preferred_verbosity: "terse", pace_wpm: 180 }), renegotiated({ pace_wpm: 180 })),
  "aaep/verbosity-honored": both(worded("terse"), worded("normal")),
  "aaep/language-honored": both(spokenIn("fr-CA"), spokenIn("en-US")),
  "aaep/terse-keeps-question": told(
    "A terse subscriber is asked: Drop the table orders_old in the database shop.",
    "A terse subscriber is asked: Drop the table.",
  ),
  "aaep/rate-keeps-tools": told(
    "At 2 events per second, ten tools take ten seconds to tell.",
    "At 2 events per second, only two of ten tools are told of.",
  ),
  "aaep/subscriptions-independent": told(
    "Beside a subscriber that takes 1 event per second, another hears ten tool calls in half a second.",
    "As soon as one subscriber takes 1 event per second, all others wait, too.",
  ),
  "aaep/manifest-honest": told(
    "event_types_emitted lists all types that come.",
    "event_types_emitted leaves out confirmations, and one arrives.",
  ),
  "aaep/filter-honored": both(filtered(handoff()), filtered(progress({ percent: 5 }))),
  "aaep/rate-honored": both(hurried(1), hurried(30)),
  "aaep/coalesce-hint-negotiated": both(hinted("sentence"), hinted("word")),
  "aaep/critical-always-delivered": told(
    "A confirmation reaches a subscriber that excludes it and is over its rate.",
    "A confirmation waits until the rate allows it.",
  ),
  "aaep/close-stops-events": told("After subscription.close the stream is silent.", "After subscription.close three more events arrive."),
  "aaep/verbosity-never-omits": told(
    "A terse subscriber gets every event with its terse summary.",
    "A terse subscriber gets no state changes.",
  ),
  "aaep/language-never-drops": told("A subscriber asks for Yoruba and gets English.", "A subscriber asks for Yoruba and gets nothing."),
  "aaep/manifest-published": told(
    "/.well-known/aaep-manifest.json answers with the manifest.",
    "/.well-known/aaep-manifest.json answers with 404.",
  ),
  "aaep/version-negotiated": told(
    "A subscriber asks for version 99.99.99 and is rejected with version_unsupported.",
    "A subscriber asks for version 99.99.99 and is accepted with 99.99.99.",
  ),
  "aaep/manifest-signature": told(
    "The signature of the manifest verifies with the key that was made known.",
    "One byte of the signed manifest was changed, and its signature does not verify.",
  ),
  "aaep/resume-complete": told(
    "The connection breaks after the third event; the resumed stream goes on with the fourth.",
    "The connection breaks after the third event; the resumed stream goes on with the sixth.",
  ),
  "aaep/unknown-tolerated": told(
    "An event of type `medai:patient.consulted` arrives, and the subscriber goes on listening.",
    "An event of type `medai:patient.consulted` arrives, and the subscriber hangs up.",
  ),
  "aaep/critical-announced": told(
    "A confirmation among two hundred progress events is spoken at once.",
    "A confirmation among two hundred progress events is never spoken.",
  ),
  "aaep/subscriber-closes": told(
    "The screen reader is quit: it sends subscription.close, then hangs up.",
    "The screen reader is quit: the connection just breaks.",
  ),
  "aaep/duplicates-ignored": told(
    "An event delivered twice is announced once.",
    "After a reconnect the last three events are spoken again.",
  ),
};

function choices(...values: readonly string[]): Fields[] {
  return values.map((value, index) => ({ value, label: `Region ${index + 1}` }));
}

function pair(tool: string, first: Fields, second: Fields = {}): Fields[] {
  return [invoked(tool, first), done(tool, second)];
}

function swap(items: readonly Fields[], index: number, item: Fields): Fields[] {
  return items.map((old, at) => (at === index ? item : old));
}

function asked(fields: Fields = {}, response: unknown = "eu-west", rest: Fields = {}): Fields[] {
  return [
    thinking,
    waiting,
    clarify("rpl_1", fields),
    answer("rpl_1", response, rest),
    state("awaiting_input", "thinking", { summary_normal: "Thank you." }),
  ];
}

function again(token: string): Fields[] {
  return [
    state("calling_tool", "awaiting_input"),
    confirm(token, { action: "Drop the table carts_old." }),
    reply(token, "reject", { timestamp: "2026-07-01T09:00:12.000Z" }),
    state("awaiting_input", "thinking", { summary_normal: "You declined." }),
  ];
}

function numbered(first: number, second: number | undefined, third: number): JsonObject[] {
  return recording(started({ sequence_number: first }), { ...thinking, sequence_number: second }, completed({ sequence_number: third }));
}

function timedOut(tool: string): JsonObject[] {
  const late = (second: number) => ({ timestamp: `2026-07-01T09:05:${String(second).padStart(2, "0")}.000Z` });
  return recording(
    request(),
    accepted(),
    started(),
    thinking,
    waiting,
    confirm("rpl_1"),
    state("awaiting_input", "calling_tool", late(1)),
    invoked(tool, { irreversible: true, ...late(2) }),
    done(tool, late(3)),
    completed(late(4)),
  );
}

function renegotiated(honored: Fields): JsonObject[] {
  const first = { preferred_verbosity: "terse", pace_wpm: 150 };
  const change = { type: "subscription.renegotiate", subscription_id: "sub_1", capabilities: { pace_wpm: 180 } };
  return recording(request(first), accepted(first), change, accepted(honored));
}

function filtered(sent: Fields): JsonObject[] {
  const filters = { event_filters: { include: ["aaep:agent.*"], exclude: ["aaep:agent.progress.updated"] } };
  return recording(request(filters), accepted(filters), started(), sent, completed());
}

function hurried(count: number): JsonObject[] {
  const rate = { max_events_per_second: 5 };
  const crowd = Array.from({ length: count }, () => progress({ step: 1 }, { timestamp: "2026-07-01T09:00:03.000Z" }));
  return recording(request(rate), accepted(rate), started(), ...crowd, completed({ timestamp: "2026-07-01T09:00:59.000Z" }));
}

function spokenIn(language: string): JsonObject[] {
  const french = { languages: ["fr"] };
  const said = { localization_hints: { primary_language: language } };
  return recording(request(french), accepted(french), started(said), completed(said));
}

function worded(verbosity: string): JsonObject[] {
  const terse = { preferred_verbosity: "terse" };
  const half = progress({ percent: 50 }, { verbosity, summary_terse: "Half.", summary_normal: "Half of the files have been read." });
  return recording(request(terse), accepted(terse), started(), half, completed());
}

function hinted(hint: string): JsonObject[] {
  const boundaries = { coalesce_boundaries: ["sentence", "completion"] };
  return recording(request(boundaries), accepted(boundaries), started(), chunk("Hello.", 0, true, { coalesce_hint: hint }), completed());
}
