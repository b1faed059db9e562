import { describe, expect, it } from "vitest";
import { hearLive, NOWHERE } from "../../testing/live.ts";
import { readItem } from "../../testing/read-item.ts";
import type { JsonObject } from "../json.ts";
import { AAEP } from "./aaep.ts";
import { CORE_CONTEXT } from "./names.ts";

const { live } = AAEP;

let count = 0;
const time = (second: number) => new Date(Date.UTC(2026, 6, 1, 9) + second * 1000).toISOString();
const event = (second: number, type: string, fields: object = {}): JsonObject =>
  ({
    "@context": CORE_CONTEXT,
    type: `aaep:agent.${type}`,
    event_id: `evt_${++count}`,
    session_id: "sess_1",
    timestamp: time(second),
    producer: { agent_id: "a" },
    localization_hints: { primary_language: "en" },
    summary_normal: "Said.",
    ...fields,
  }) as JsonObject;
const started = (second = 0) => event(second, "session.started");
const completed = (second: number) => event(second, "session.completed");
const state = (second: number, from: string, to: string) =>
  event(second, "state.changed", { from_state: from, to_state: to, urgency: "background" });
const confirm = (second: number, token = "rpl_1", fields: object = {}) =>
  event(second, "awaiting.confirmation", {
    urgency: "critical",
    action: "Drop the table.",
    consequence: "Rows are lost.",
    reply_token: token,
    timeout_seconds: 60,
    default_decision: "reject",
    risk_level: "high",
    irreversible: true,
    ...fields,
  });
const drop = (second: number) => event(second, "tool.invoked", { tool: "drop_table", tool_call_id: "call_1", irreversible: true });
const dropped = (second: number) => event(second, "tool.completed", { tool: "drop_table", tool_call_id: "call_1", status: "success" });
const reply = (second: number, decision: string, token = "rpl_1"): JsonObject => ({
  type: "confirmation.reply",
  subscription_id: "sub_1",
  reply_token: token,
  timestamp: time(second),
  decision,
});

const hear = (recording: readonly JsonObject[], session = "sess_1") => hearLive(AAEP, recording).get(session);
const rules = (recording: readonly JsonObject[], session = "sess_1") =>
  (hear(recording, session)?.heard ?? []).flatMap(({ told, at: heardAt }) =>
    told.map(({ finding, at }) => `${finding.rule} of ${at}, told at ${heardAt}`),
  );
const stateAfter = (recording: readonly JsonObject[]) => hear(recording)?.state ?? {};
const reading = (item: JsonObject) => {
  const { value, facts } = readItem(item);
  return AAEP.read(value, facts);
};

describe("a session heard live", () => {
  const asked = () => [started(), state(1, "idle", "awaiting_input"), confirm(2)];
  const done = () => [state(4, "awaiting_input", "calling_tool"), drop(5), dropped(6)];

  it("accepts an action that was answered before it", () => {
    expect(rules([...asked(), reply(3, "accept"), ...done(), completed(7)])).toEqual([]);
  });

  it("tells of an action, at its place, that its rejection comes later and was given before", () => {
    expect(rules([...asked(), drop(5), reply(3, "reject")])).toContain("aaep/rejected-action-not-invoked of 4, told at 5");
    expect(rules([...asked(), drop(5), reply(6, "accept")])).toContain("aaep/confirmation-blocks of 4, told at 5");
  });

  it("judges an action without an answer when the session ends", () => {
    const unanswered = [...asked(), drop(5), dropped(6), completed(7)];
    expect(rules(unanswered)).toContain("aaep/irreversible-accept-unseen of 4, told at 6");
    expect(rules(unanswered.slice(0, -1))).not.toContainEqual(expect.stringContaining("accept-unseen"));
  });

  it("takes the lack of a reply to mean something once the session has had one", () => {
    const second = [state(7, "calling_tool", "awaiting_input"), confirm(8, "rpl_2"), { ...drop(9), tool_call_id: "call_2" }];
    expect(rules([...asked(), reply(3, "accept"), ...done(), ...second])).toContain("aaep/confirmation-blocks of 10, told at 10");
  });

  it("tells a token that its agent used before, in whichever session", () => {
    const elsewhere = { ...confirm(1), session_id: "sess_0" };
    const told = hear([elsewhere, ...asked()])?.heard.flatMap((one) => one.told) ?? [];
    expect(told.find(({ finding }) => finding.rule === "aaep/reply-token-unique")).toMatchObject({ at: 4, finding: { since: 1 } });
  });

  it("tells a reply to nothing known, and says nothing of one to a session that is over", () => {
    expect(rules([reply(1, "accept")], NOWHERE)).toEqual(["aaep/reply-token-known of 1, told at 1"]);
    const over = [...asked(), reply(3, "reject"), state(4, "awaiting_input", "thinking"), completed(5)];
    expect(rules([...over, reply(6, "accept")])).toEqual(rules(over));
  });

  it("leaves a tombstone at its end, which only a start opens again", () => {
    const over = [started(), completed(1)];
    expect(live.hasEnded(stateAfter(over))).toBe(true);
    expect(JSON.stringify(stateAfter(over)).length).toBeLessThan(120);
    expect(rules([...over, state(2, "idle", "thinking")])).toEqual(["aaep/nothing-after-end of 3, told at 3"]);
    const again = [...over, started(2), state(3, "idle", "thinking")];
    expect(rules(again)).toEqual(["aaep/session-id-reused of 3, told at 3"]);
    expect(live.hasEnded(stateAfter(again))).toBe(false);
  });

  it("gives what belongs to no session its own findings only", () => {
    const outside = event(1, "state.changed", { from_state: "thinking", to_state: "idle", urgency: "background", session_id: 7 });
    const told = hear([outside, outside], NOWHERE)?.heard.flatMap((one) => one.told) ?? [];
    expect(told.map(({ finding }) => finding)).toEqual(reading(outside).findings);
    expect(live.session(reading(outside))).toBeUndefined();
  });
});

describe("the state of a session", () => {
  const calls = (howMany: number, types: readonly string[], fields: object = {}) =>
    Array.from({ length: howMany }, (_, index) =>
      types.map((type) => event(1, type, { tool: "grep", tool_call_id: `call_3f1c2d3e0b1c4d3e${index}`, status: "success", ...fields })),
    ).flat();
  const sizeAfter = (recording: readonly JsonObject[]) => JSON.stringify(stateAfter(recording)).length;

  it("is bounded after thousands of calls, whether they end or not", () => {
    expect(sizeAfter([started(), ...calls(5000, ["tool.invoked", "tool.completed"])])).toBeLessThan(30_000);
    expect(sizeAfter([started(), ...calls(5000, ["tool.invoked"])])).toBeLessThan(30_000);
  });

  it("lets go of questions that are done with", () => {
    const questions = Array.from({ length: 100 }, (_, index) => [
      state(index, index === 0 ? "idle" : "thinking", "awaiting_input"),
      confirm(index, `rpl_${index}`),
      reply(index, "reject", `rpl_${index}`),
      state(index, "awaiting_input", "thinking"),
    ]).flat();
    expect(rules([started(), ...questions])).toEqual([]);
    expect(sizeAfter([started(), ...questions])).toBeLessThan(12_000);
  });

  it("keeps long texts in brief", () => {
    const long = "x".repeat(50_000);
    const said = [
      event(0, "session.started", { producer: { agent_id: long } }),
      event(1, "state.changed", { from_state: "idle", to_state: long, producer: { agent_id: long } }),
      event(2, "tool.invoked", { tool: long, tool_call_id: long }),
      event(3, "output.streaming", { chunk: long, output_id: long, position: 0, complete: false }),
      confirm(4, long, { action: long, allowed_replies: [long], extra_context: { tool: long, more: long } }),
      event(5, "awaiting.clarification", { question: long, reply_token: "r", accepted_response_kinds: [long], choices: [{ value: long }] }),
    ];
    expect(sizeAfter(said)).toBeLessThan(10_000);
    const next = event(6, "output.streaming", { chunk: "", output_id: long, position: 50_000, complete: true });
    expect(rules([...said, next]).filter((told) => told.startsWith("aaep/output-position"))).toEqual([]);
  });
});

describe("the names of an event", () => {
  it("tell agents apart, whatever characters they have", () => {
    const identity = (agent_id: string, event_id: string) => live.identity(reading({ ...started(), event_id, producer: { agent_id } }));
    expect(identity("a", "1b")).not.toBe(identity("a1", "b"));
    expect(identity("a", "x".repeat(9999))?.length).toBeLessThan(600);
    expect(live.identity(reading(reply(1, "accept")))).toBeNull();
  });

  it("join a reply with its question", () => {
    expect(live.answerable(reading(confirm(1)))).toBe("rpl_1");
    expect(live.answers(reading(reply(1, "accept")))).toBe("rpl_1");
    expect(live.answerable(reading(started()))).toBeUndefined();
    expect(live.session(reading(reply(1, "accept")))).toBeUndefined();
  });
});
