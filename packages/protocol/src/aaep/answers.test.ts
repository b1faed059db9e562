import { describe, expect, it } from "vitest";
import { judgeRecording } from "../../testing/judge-recording.ts";
import type { JsonObject } from "../json.ts";
import { AAEP } from "./aaep.ts";

/** Questions, answers, defaults and filters as compact event sequences: which errors are reported, and where. */
type Fields = Readonly<Record<string, unknown>>;
const event = (type: string, second: number, fields: Fields = {}): Fields => ({ type: `aaep:agent.${type}`, second, ...fields });
const start = event("session.started", 0, { summary_normal: "Working." });
const done = (second: number) => event("session.completed", second, { summary_normal: "Done." });
const state = (second: number, from: string, to: string) => event("state.changed", second, { from_state: from, to_state: to });
const ask = (second: number, fields: Fields = {}) =>
  event("awaiting.confirmation", second, {
    urgency: "critical",
    action: "Send the mail.",
    consequence: "It is sent.",
    reply_token: "rpl_1",
    timeout_seconds: 30,
    default_decision: "reject",
    ...fields,
  });
const invoke = (second: number, tool: string, fields: Fields = {}) =>
  event("tool.invoked", second, { tool, summary_normal: "Going.", ...fields });
const complete = (second: number, tool: string, fields: Fields = {}) =>
  event("tool.completed", second, { tool, status: "success", ...fields });
const run = (second: number, tool: string, fields: Fields = {}) => [invoke(second, tool, fields), complete(second + 1, tool)];
const reply = (second: number, decision: string, token = "rpl_1"): Fields => ({
  type: "confirmation.reply",
  second,
  reply_token: token,
  decision,
  subscription_id: "sub_1",
});
const request = (capabilities: Fields): Fields => ({
  type: "subscription.request",
  aaep_version: "1.0.0",
  subscriber_id: "r",
  capabilities,
});
const accepted = (honored: Fields, id = "sub_1"): Fields => ({
  type: "subscription.accepted",
  subscription_id: id,
  aaep_version: "1.0.0",
  producer: { agent_id: "a" },
  honored_capabilities: honored,
});
const REPLIES = { supports_confirmation_reply: true };
const handshake = [request(REPLIES), accepted(REPLIES)];
const filtered = (exclude: string) => [
  request({ ...REPLIES, event_filters: { exclude: [exclude] } }),
  accepted({ ...REPLIES, event_filters: { exclude: [exclude] } }),
];

function errors(...items: readonly Fields[]): string[] {
  return told(items)
    .filter(({ severity }) => severity === "error")
    .map(({ where }) => where);
}

function told(items: readonly Fields[]) {
  const recording = items.map(({ second, ...item }, index) => {
    const timestamp = second === undefined ? {} : { timestamp: new Date(Date.UTC(2026, 0, 1) + Number(second) * 1000).toISOString() };
    const isMessage = !String(item["type"]).startsWith("aaep:");
    return (
      isMessage
        ? { ...item, ...timestamp }
        : {
            "@context": "https://aaep-protocol.org/context/v1",
            event_id: `evt_${index}`,
            session_id: "sess_1",
            producer: { agent_id: "a" },
            ...timestamp,
            ...item,
          }
    ) as JsonObject;
  });
  return judgeRecording(AAEP, recording).map(({ severity, at, rule }) => ({ severity, where: `${at} ${rule?.slice(5)}` }));
}
const LINK = { extra_context: { tool: "send_mail" } };
const CALL = { extra_context: { tool: "send_mail", tool_call_id: "call_1" } };

describe("an answer that is recorded after the action", () => {
  it("shows that the action was too early, at the place of the action", () => {
    expect(
      errors(
        start,
        ask(2, { irreversible: true }),
        ...run(3, "send_mail", { irreversible: true }),
        reply(5, "reject"),
        state(6, "idle", "thinking"),
        done(7),
      ),
    ).toEqual(["3 confirmation-blocks", "3 irreversible-needs-accept"]);
    expect(
      errors(
        start,
        ask(2, CALL),
        invoke(3, "send_mail", { tool_call_id: "call_1" }),
        reply(5, "accept"),
        complete(6, "send_mail", { tool_call_id: "call_1" }),
        done(8),
      ),
    ).toEqual(["3 confirmation-blocks"]);
  });
  it("is believed when its time is before the action", () => {
    expect(errors(start, ask(2, LINK), ...run(4, "send_mail"), reply(3, "accept"), done(8))).toEqual([]);
  });
  it("of another session shows that replies were recorded, so that none was given here", () => {
    const other = [
      ask(20, { session_id: "sess_2", reply_token: "rpl_2", action: "Other." }),
      reply(21, "reject", "rpl_2"),
      state(22, "idle", "thinking"),
      done(23),
    ].map((item) => (String(item["type"]).startsWith("aaep:") ? { ...item, session_id: "sess_2" } : item));
    expect(
      errors(
        start,
        ask(2, { irreversible: true }),
        ...run(3, "send_mail", { irreversible: true }),
        done(8),
        { ...start, second: 19, session_id: "sess_2" },
        ...other,
      ),
    ).toEqual(["3 confirmation-blocks", "3 irreversible-needs-accept"]);
  });
});

describe("defaults", () => {
  it("start a reversible action when the time is over, whether the tool is linked or not", () => {
    for (const link of [{}, LINK])
      expect(
        errors(
          ...handshake,
          start,
          state(1, "idle", "awaiting_input"),
          ask(2, { default_decision: "accept", ...link }),
          state(33, "awaiting_input", "calling_tool"),
          ...run(34, "send_mail"),
          done(36),
        ),
      ).toEqual([]);
  });
  it("of reject forbid it", () => {
    expect(
      errors(
        ...handshake,
        start,
        state(1, "idle", "awaiting_input"),
        ask(2, LINK),
        state(33, "awaiting_input", "calling_tool"),
        ...run(34, "send_mail"),
        done(36),
      ),
    ).toEqual(["7 timeout-default"]);
  });
  it("apply at once where nobody can reply, and not where somebody can", () => {
    const story = [start, ask(2, { default_decision: "accept", ...LINK }), ...run(3, "send_mail"), done(6)];
    expect(errors(request({ supports_clarification_reply: true }), accepted({ supports_clarification_reply: true }), ...story)).toEqual([]);
    expect(errors(...handshake, ...story)).toEqual(["5 confirmation-blocks"]);
  });
  it("are not undone by a late reply", () => {
    expect(errors(start, ask(2, { default_decision: "accept", ...LINK }), ...run(34, "send_mail"), reply(36, "reject"), done(38))).toEqual(
      [],
    );
  });
});

describe("after a reject", () => {
  it("a tool that the question does not name is another action", () => {
    expect(errors(start, ask(2, LINK), reply(3, "reject"), ...run(4, "search_web"), state(6, "idle", "thinking"), done(7))).toEqual([]);
  });
  it("the first tool is taken for the action when the question names none", () => {
    expect(errors(start, ask(2), reply(3, "reject"), ...run(4, "search_web"), state(6, "idle", "thinking"), done(7))).toEqual([
      "4 rejected-action-not-invoked",
    ]);
  });
  it("the state change tells of that question, and another one goes on waiting", () => {
    const second = ask(3, { reply_token: "rpl_2", action: "Delete it.", irreversible: true });
    expect(
      errors(
        start,
        state(1, "idle", "awaiting_input"),
        ask(2),
        second,
        reply(4, "reject"),
        state(5, "awaiting_input", "thinking"),
        reply(6, "accept", "rpl_2"),
        ...run(7, "remove", { irreversible: true }),
        done(9),
      ),
    ).toEqual([]);
  });
});

describe("an accept", () => {
  it("covers the irreversible call after a reversible look", () => {
    expect(
      errors(start, ask(2), reply(3, "accept"), ...run(4, "check_balance"), ...run(6, "transfer", { irreversible: true }), done(9)),
    ).toEqual([]);
  });
  it("covers one irreversible call, not two", () => {
    expect(
      errors(
        start,
        ask(2),
        reply(3, "accept"),
        ...run(4, "transfer", { irreversible: true }),
        ...run(6, "transfer", { irreversible: true }),
        done(9),
      ),
    ).toEqual(["6 irreversible-needs-accept"]);
  });
  it("is not followed by a tool that the question does not name", () => {
    expect(errors(start, ask(2, LINK), reply(3, "accept"), ...run(4, "search_web"), done(9))).toEqual(["6 accepted-action-invoked"]);
  });
});

describe("an accept that names another action", () => {
  const changed = { ...reply(3, "accept"), modified_action: { to: "ben" } };
  it("may be taken for a refusal, by a producer that knows no changes", () => {
    expect(errors(start, ask(2), changed, state(4, "idle", "thinking"), done(9))).toEqual([]);
  });
  it("may be followed by the action, by one that does", () => {
    expect(errors(start, ask(2), changed, ...run(4, "send_mail", { irreversible: true }), done(9))).toEqual([]);
  });
});

describe("a clarification that nobody answers in time", () => {
  const asked = event("awaiting.clarification", 2, {
    urgency: "critical",
    question: "Which one?",
    reply_token: "rpl_2",
    timeout_seconds: 5,
  });
  const moved = state(8, "idle", "thinking");
  const isLeftOpen = (...items: readonly Fields[]) => told(items).some(({ where }) => where.endsWith("question-left-open"));
  it("is over, also when no reply had been recorded by then", () => {
    const later = [ask(9), reply(10, "accept"), ...run(11, "send_mail"), done(14)];
    expect(isLeftOpen(start, asked, moved, ...later)).toBe(false);
    expect(isLeftOpen(...handshake, start, asked, moved, ...later)).toBe(false);
  });
  it("is over, and was not refused, when a reply comes too late", () => {
    const late = { type: "clarification.reply", second: 8, reply_token: "rpl_2", response: "a", subscription_id: "sub_1" };
    expect(errors(start, asked, late, done(9))).not.toContain("4 rejection-reported");
    expect(errors(...handshake, start, asked, late, done(9))).not.toContain("6 rejection-reported");
  });
  it("is left open when the session completes before", () => {
    expect(isLeftOpen(start, asked, ask(3), reply(4, "accept"), ...run(4, "send_mail"), done(6))).toBe(true);
  });
});

describe("work that goes on before the answer to a clarification", () => {
  const asked = event("awaiting.clarification", 2, {
    urgency: "critical",
    question: "Which one?",
    reply_token: "rpl_2",
    timeout_seconds: 30,
  });
  const answered = { type: "clarification.reply", second: 8, reply_token: "rpl_2", response: "a", subscription_id: "sub_1" };
  it("is told, also when no reply had been recorded by then", () => {
    const story = [
      start,
      state(1, "idle", "awaiting_input"),
      asked,
      state(3, "awaiting_input", "calling_tool"),
      ...run(4, "book"),
      answered,
    ];
    expect(errors(...story, done(9))).toEqual(["7 clarification-blocks"]);
    expect(errors(...handshake, ...story, done(9))).toContain("9 clarification-blocks");
  });
});

describe("a question that was withdrawn", () => {
  it("is not accepted later, also when no reply had been recorded by then", () => {
    const story = (second: number) => [
      start,
      state(1, "idle", "awaiting_input"),
      ask(2, { ...CALL, irreversible: true }),
      state(4, "awaiting_input", "thinking"),
      reply(second, "accept"),
      state(7, "thinking", "calling_tool"),
      invoke(8, "send_mail", { tool_call_id: "call_1", irreversible: true }),
      complete(9, "send_mail", { tool_call_id: "call_1" }),
      done(10),
    ];
    expect(errors(...story(6))).toEqual(["7 cancelled-token-dead"]);
    expect(errors(...story(3))).toEqual([]);
  });
  it("does not let its action run", () => {
    expect(
      errors(
        ...handshake,
        start,
        state(1, "idle", "awaiting_input"),
        ask(2, CALL),
        state(3, "awaiting_input", "thinking"),
        invoke(4, "send_mail", { tool_call_id: "call_1" }),
        complete(5, "send_mail", { tool_call_id: "call_1" }),
        done(6),
      ),
    ).toEqual(["7 confirmation-blocks"]);
  });
});

describe("what a filter hides", () => {
  it("is not missed", () => {
    expect(errors(...filtered("aaep:agent.session.*"), ...run(1, "grep"))).toEqual([]);
    expect(errors(...filtered("aaep:agent.tool.invoked"), start, complete(1, "grep"), done(2))).toEqual([]);
    expect(errors(...filtered("aaep:agent.tool.completed"), start, invoke(1, "grep"), done(2))).toEqual([]);
  });
  it("is missed where nothing hides it", () => {
    expect(errors(...handshake, start, complete(1, "grep"), done(2))).toEqual(["4 tool-completed-needs-invoked"]);
  });
  it("may not be sent, however many have asked not to get it", () => {
    const two = [
      ...filtered("aaep:agent.tool.*"),
      request({ ...REPLIES, event_filters: { exclude: ["aaep:agent.tool.*"] } }),
      accepted({ ...REPLIES, event_filters: { exclude: ["aaep:agent.tool.*"] } }, "sub_2"),
    ];
    expect(errors(...two, start, ...run(1, "grep"), done(3))).toEqual(["6 filter-honored", "7 filter-honored"]);
  });
});

describe("handshakes", () => {
  it("are matched whatever the order of the answers", () => {
    expect(
      errors(
        request({ max_events_per_second: 9 }),
        request({ max_events_per_second: 5 }),
        accepted({ max_events_per_second: 5 }, "sub_2"),
        accepted({ max_events_per_second: 9 }),
      ),
    ).toEqual([]);
    expect(errors(request({ max_events_per_second: 5 }), accepted({ max_events_per_second: 9 }))).toEqual(["2 honored-not-looser"]);
  });
  it("that failed give nobody the right to reply", () => {
    const rejected = { type: "subscription.rejected", reason_code: "authorization_denied", reason_message: "No." };
    expect(errors(request(REPLIES), rejected, start, ask(2), reply(3, "reject"), state(4, "idle", "thinking"), done(5))).toEqual([
      "5 reply-subscription",
    ]);
  });
  it("may be closed from both sides at once", () => {
    const close = { type: "subscription.close", subscription_id: "sub_1" };
    expect(errors(...handshake, close, close)).toEqual([]);
  });
});
