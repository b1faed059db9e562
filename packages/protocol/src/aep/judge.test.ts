import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { aepRecordings, hearAll, hearOne } from "../../testing/aep.ts";
import { createPick } from "../../testing/defect.ts";
import type { JsonObject } from "../json.ts";
import { createJudge } from "../judge.ts";
import type { JudgeOptions, TracedFinding } from "../protocol.ts";
import { AEP } from "./aep.ts";
import { call, completed, denied, event, failed, inSession, part, requested, response, without } from "./example-events.ts";

const CONVERSATION = { conversation_id: "conv_1" };
const JOINS = ["aep/response-needs-request", "aep/response-action-id", "aep/response-carries-action-id"];

function rulesOf(items: readonly JsonObject[]): readonly string[] {
  return hearAll(items)
    .map(({ finding }) => finding.rule)
    .filter((rule) => rule !== "aep/should-carry" && rule !== "aep/request-needs-outcome");
}

function messagesOf(rule: string, items: readonly JsonObject[]): readonly string[] {
  return hearAll(items).flatMap(({ finding }) => (finding.rule === rule ? [finding.message] : []));
}

/** Processes items generated one by one, for recordings too long to hold in memory. */
function forgottenAfter(count: number, make: (index: number) => JsonObject, options: Partial<JudgeOptions> = {}) {
  const told: TracedFinding[] = [];
  const judge = createJudge(AEP, { tell: (one) => told.push(one), ...options });
  for (let index = 0; index < count; index++) {
    const { reading, facts } = hearOne(make(index));
    judge.handle(reading, index + 1, facts);
  }
  return { judge, told };
}

describe("a response that was recorded before its event", () => {
  it("is held until the event comes, and then joined", () => {
    expect(rulesOf([response(2, 1, "allow"), requested(1), completed(3)])).toEqual([]);
    expect(rulesOf([response(2, 1, "deny"), requested(1), completed(3)])).toEqual(["aep/ran-despite-denial"]);
    expect(rulesOf([response(2, 1, "allow"), response(3, 1, "deny"), requested(1)])).toEqual(["aep/one-response"]);
  });

  it("is told as lost at its own place when the event never comes", () => {
    const told = hearAll([response(2, 9, "allow"), requested(1), completed(3)]).filter(({ finding }) => JOINS.includes(finding.rule));
    expect(told).toMatchObject([
      { at: 1, eventId: "rsp_2", finding: { rule: "aep/response-needs-request", pointer: "/request_event_id" } },
    ]);
  });

  it("is told a wrong or missing action id wherever it stands", () => {
    const wrong = { ...response(2, 1, "allow"), action_id: "call_2" };
    const missing = without(response(2, 1, "allow"), "action_id");
    for (const items of [
      [requested(1), wrong, completed(3)],
      [wrong, requested(1), completed(3)],
      [wrong, completed(3), requested(1)],
    ]) {
      expect(rulesOf(items).filter((rule) => JOINS.includes(rule))).toEqual(["aep/response-action-id"]);
    }
    expect(rulesOf([missing, requested(1)])).toEqual(["aep/response-carries-action-id"]);
    const [told] = hearAll([wrong, requested(1)]).filter(({ finding }) => finding.rule === "aep/response-action-id");
    expect(told).toMatchObject({ at: 1, eventId: "rsp_2", sessionId: "sess_abc", finding: { since: 2 } });
  });

  it("does not move the row of the action that it wrongly names", () => {
    const other = { ...call(4, "action.requested", { id: "call_2", input: 1 }) };
    const done = call(5, "action.completed", { id: "call_2", status: "success" });
    const wrong = { ...response(2, 1, "deny"), action_id: "call_2" };
    expect(rulesOf([requested(1), other, wrong, response(3, 1, "allow"), done])).toEqual(["aep/response-action-id"]);
    expect(rulesOf([wrong, other, requested(1), response(3, 1, "allow"), done])).toEqual(["aep/response-action-id"]);
  });

  it("is compared with the outcome by where both were recorded", () => {
    const warnings = (items: readonly JsonObject[]) => rulesOf(items).filter((rule) => rule !== "aep/outcome-needs-request");
    expect(warnings([response(2, 1, "allow"), completed(3), requested(1)])).toEqual([]);
    expect(warnings([completed(3), response(2, 1, "allow"), requested(1)])).toEqual(["aep/response-before-outcome"]);
    expect(warnings([response(2, 1, "deny"), completed(3), requested(1)])).toEqual(["aep/ran-despite-denial"]);
    expect(warnings([response(2, 1, "deny"), failed(3, { status: "cancelled" }), requested(1)])).toEqual([]);
    expect(warnings([response(2, 1, "deny"), denied(3), requested(1)])).toEqual([]);
  });

  it("answers a streamed part of the model's text, too", () => {
    const delta = inSession(1, "model.delta", { content: [part("response")] });
    expect(rulesOf([without(response(2, 1, "continue"), "action_id"), delta])).toEqual([]);
  });

  it("is joined like any other, whatever the order of a recording", () => {
    fc.assert(
      fc.property(aepRecordings, fc.nat(), fc.boolean(), (recording, seed, broken) => {
        const items = broken
          ? recording.map((item) => (item["action_id"] === undefined ? item : { ...item, action_id: "other" }))
          : recording;
        const pick = createPick(seed);
        const mixed = items.map((item) => ({ item, place: pick(1_000_000) })).sort((a, b) => a.place - b.place);
        const joins = (some: readonly JsonObject[]) =>
          hearAll(some)
            .filter(({ finding }) => JOINS.includes(finding.rule))
            .map(({ eventId, finding }) => `${eventId} ${finding.rule}`)
            .sort();
        expect(joins(mixed.map(({ item }) => item))).toEqual(joins(items));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("is held in bounded memory, and what was let go of is counted, not told", () => {
    const { judge, told } = forgottenAfter(40_000, (index) => ({
      ...response(2, 1, "allow"),
      id: `rsp_${index}`,
      request_event_id: `evt_${index}`,
    }));
    expect(judge.forgotten).toBeGreaterThan(0);
    judge.end();
    const lost = told.filter(({ finding }) => finding.rule === "aep/response-needs-request");
    expect(lost.length + judge.forgotten).toBe(40_000);
    expect(lost.length).toBeLessThanOrEqual(16_384);
    expect(lost.at(-1)?.at).toBe(40_000);
  });
});

describe("events without a session id", () => {
  const inConversation = (item: JsonObject, session: JsonObject = CONVERSATION): JsonObject => ({ ...item, session });

  it("are joined within their conversation", () => {
    expect(rulesOf([inConversation(completed(2))])).toEqual(["aep/outcome-needs-request"]);
    expect(rulesOf([inConversation(requested(1)), inConversation(completed(2)), inConversation(failed(3))])).toEqual(["aep/one-outcome"]);
    expect(rulesOf([inConversation(requested(1)), inConversation(completed(2), { conversation_id: "conv_2" })])).toEqual([
      "aep/outcome-needs-request",
    ]);
    expect(rulesOf([inConversation(requested(1)), response(2, 1, "deny"), inConversation(completed(3))])).toEqual([
      "aep/ran-despite-denial",
    ]);
    expect(hearAll([inConversation(requested(1))])).toMatchObject([
      { sessionId: undefined, finding: { rule: "aep/request-needs-outcome" } },
    ]);
  });

  it("are kept apart from a session whose id is the same text, and from another agent's conversation", () => {
    expect(rulesOf([inConversation(requested(1), { id: "conv_1" }), inConversation(completed(2))])).toEqual(["aep/outcome-needs-request"]);
    expect(rulesOf([inConversation({ ...requested(1), agent: { slug: "cursor" } }), inConversation(completed(2))])).toEqual([
      "aep/outcome-needs-request",
    ]);
  });

  it("do not begin or end a conversation, which may have many sessions", () => {
    const boundaries = ["session.start", "session.start", "session.end", "session.end"].map((type, index) =>
      event(index, type, { session: CONVERSATION }),
    );
    expect(rulesOf([...boundaries, inConversation(requested(7)), inConversation(completed(8))])).toEqual(
      boundaries.map(() => "aep/session-boundary-id"),
    );
  });

  it("are left alone when they name no conversation either", () => {
    expect(rulesOf([without(completed(2), "session"), without(failed(3), "session")])).toEqual([]);
  });
});

describe("what is told once", () => {
  it("is told once for each unknown type, and once for each member that is null", () => {
    const weather = inSession(1, "weather.changed");
    const tide = { ...inSession(2, "tide.changed"), id: "evt_2" };
    expect(messagesOf("aep/type-known", [weather, tide, { ...weather, id: "evt_3" }])).toEqual([
      'The type "weather.changed" is not in the vocabulary.',
      'The type "tide.changed" is not in the vocabulary.',
    ]);
    const nulls = (index: number) => ({
      ...inSession(index, "model.thought", { content: [part("thought"), { type: "thought", text: "a", style: null }] }),
      model: null,
      user: { email: null },
    });
    const told = hearAll([nulls(1), nulls(2), { ...nulls(3), content: [{ type: "thought", text: "a", style: null }] }]);
    expect(told.flatMap(({ finding }) => (finding.rule === "aep/no-null" ? [finding.pointer] : []))).toEqual([
      "/content/1/style",
      "/model",
      "/user/email",
    ]);
  });

  it("stays bounded when every event has a type of its own", () => {
    const told = hearAll(Array.from({ length: 500 }, (_, index) => ({ ...inSession(1, `made.up${index}`), id: `evt_${index}` })));
    expect(told.length).toBeGreaterThan(10);
    expect(told.length).toBeLessThan(100);
  });
});

describe("what was forgotten", () => {
  it("is nothing in a recording of ordinary length", () => {
    const { judge } = forgottenAfter(10_000, (index) => ({ ...inSession(1, "agent.start"), id: `evt_${index}` }));
    judge.end();
    expect(judge.forgotten).toBe(0);
  });

  it("counts an answer to an event of which only the id is known any more", () => {
    const count = 20_000;
    const item = (index: number) =>
      index < count ? { ...inSession(1, "agent.start"), id: `evt_${index}` } : { ...response(1, 1, "allow"), request_event_id: "evt_0" };
    expect(forgottenAfter(count, item).judge.forgotten).toBe(0);
    expect(forgottenAfter(count + 1, item).judge.forgotten).toBe(1);
  });

  it("counts finished rows, of a long session and of sessions that ended long ago", () => {
    const rows = forgottenAfter(14_000, (index) => {
      const id = `call_${index >> 1}`;
      const item = index % 2 === 0 ? requested(1, { id }) : call(2, "action.completed", { id, status: "success" });
      return { ...item, id: `evt_${index}` };
    });
    expect(rows.judge.forgotten).toBeGreaterThan(0);
    const ended = forgottenAfter(3 * 1030, (index) => {
      const item = [requested(1), completed(2), inSession(3, "session.end")][index % 3] as JsonObject;
      return { ...item, id: `evt_${index}`, session: { id: `sess_${Math.floor(index / 3)}` } };
    });
    expect(ended.judge.forgotten).toBe(1030 - 1024);
  });
});

describe("messages", () => {
  it("say one wrong metric once", () => {
    const told = hearAll([{ ...completed(2), metrics: { duration_ms: "12" } }]).filter(
      ({ finding }) => finding.rule === "aep/metrics-object",
    );
    expect(told).toMatchObject([{ finding: { pointer: "/metrics/duration_ms" } }]);
  });

  it("do not claim more than was heard", () => {
    expect(messagesOf("aep/outcome-needs-request", [completed(2)])).toEqual(["Action call_1 was not requested before."]);
    expect(messagesOf("aep/one-outcome", [requested(1), failed(2, { status: "cancelled" }), completed(3)])).toEqual([
      "Action call_1 was cancelled before.",
    ]);
    expect(messagesOf("aep/one-outcome", [requested(1), failed(2, { status: "timeout" }), completed(3)])).toEqual([
      "Action call_1 had timed out before.",
    ]);
  });
});
