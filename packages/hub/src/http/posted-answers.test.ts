import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Edge, expectRefused, expectUnharmed, openEdge } from "./testing/edge.ts";
import { aepResponse, confirmation, confirmationReply, said } from "./testing/said.ts";

/** Anyone who may post events may post something like an answer: it is evidence and decides nothing. */
let edge: Edge;
beforeAll(async () => {
  edge = await openEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const lines = { headers: { "content-type": "application/x-ndjson" } };
const asked = "2026-07-01T09:00:00.000Z";

async function post(event: object): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await edge.post(JSON.stringify(event));
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

async function expectNothingDecided(): Promise<void> {
  expect(await edge.ledger.requests({ limit: 100 })).toEqual([]);
  const { entries } = await edge.ledger.read({ after: 0, limit: 100_000 });
  expect(entries.filter(({ kind }) => kind === "decision" || kind === "late-decision")).toEqual([]);
}

describe("an answer that is posted as an event", () => {
  it("is kept beside its question, and nothing was asked or decided", async () => {
    await post(confirmation({ session_id: "sess_asks", reply_token: "rpl_asks" }));
    const { position } = await post(confirmationReply({ reply_token: "rpl_asks" }));
    const { entries } = await edge.ledger.read({ after: Number(position) - 1, limit: 1 });
    expect(entries[0]).toMatchObject({ kind: "message", session: "sess_asks", type: "confirmation.reply", verified: false });
    const request = said("aep", { session: { id: "asks" } });
    await post(request);
    const response = await post(aepResponse({ request_event_id: request["id"] }));
    const [answer] = (await edge.ledger.read({ after: Number(response["position"]) - 1, limit: 1 })).entries;
    expect(answer).toMatchObject({ kind: "message", session: "asks", verified: false });
    await expectNothingDecided();
  });

  it.each([
    ["with a capital", "Accept"],
    ["with a space", "accept "],
    ["as true", true],
    ["with a Cyrillic а", "\u0430ccept"],
    ["as a list", ["accept"]],
    ["as null", null],
    ["not at all", undefined],
  ])("is refused when the decision is spelt %s", async (_name, decision) => {
    const problem = { status: 422, code: "EVENT_INVALID", rule: "aaep/confirmation-reply", pointer: "/decision" };
    await expectRefused(edge, JSON.stringify(confirmationReply({ decision })), problem);
    await expectNothingDecided();
  });

  it("is refused when it says both yes and no", async () => {
    const both = JSON.stringify(confirmationReply()).replace("{", '{"decision":"reject",');
    await expectRefused(edge, both, { status: 400, code: "JSON_DUPLICATE_KEY", pointer: "/decision" });
    const response = aepResponse({ control: { behavior: "allow" }, decision: { outcome: "denied", by: "user" } });
    await expectRefused(edge, JSON.stringify(response), { status: 422, rule: "aep/outcome-contradicts-behavior" });
    await expectNothingDecided();
  });

  it("is refused with a reply token of one character", async () => {
    const reply = JSON.stringify(confirmationReply({ reply_token: "x" }));
    await expectRefused(edge, reply, { status: 422, rule: "aaep/confirmation-reply", pointer: "/reply_token" });
  });

  it.each([
    ["comes before its question was asked", [confirmationReply({ reply_token: "rpl_b", timestamp: "2020-01-01T00:00:00.000Z" })]],
    ["answers what nobody asked", [confirmationReply({ reply_token: "rpl_unknown" })]],
    ["answers an unknown event", [aepResponse({ request_event_id: "evt_nowhere" })]],
    [
      "comes twice in one segment, once yes and once no",
      [confirmationReply({ reply_token: "rpl_b" }), confirmationReply({ reply_token: "rpl_b", decision: "reject" })],
    ],
  ])("decides nothing when it %s", async (_name, replies) => {
    const question = confirmation({ session_id: "sess_b", reply_token: "rpl_b", timestamp: asked });
    const body = [question, ...replies].map((message) => JSON.stringify(message)).join("\n");
    const answer = await edge.post(body, lines);
    expect(answer.body).toMatchObject({ events: replies.length + 1, refused: 0 });
    await expectNothingDecided();
    await expectUnharmed(edge);
  });

  it("decides nothing when its question was withdrawn, or is of another session", async () => {
    await post(confirmation({ session_id: "sess_c", reply_token: "rpl_c" }));
    const cancelled = { type: "aaep:agent.session.cancelled", cancelled_by: "user", summary_normal: "Never mind." };
    await post(said("aaep", { session_id: "sess_c", ...cancelled }));
    await post(confirmationReply({ reply_token: "rpl_c" }));
    await post({ ...confirmationReply({ reply_token: "rpl_c" }), correlation_id: "sess_other" });
    await expectNothingDecided();
  });

  it("10,000 confirmations from one session are kept, and none is a request", async () => {
    const questions = Array.from({ length: 10_000 }, (_, index) =>
      JSON.stringify(confirmation({ session_id: "sess_many", reply_token: `rpl_m${index}` })),
    );
    const { body } = await edge.post(questions.join("\n"), lines);
    expect(body).toMatchObject({ events: 10_000, stored: 10_000, refused: 0 });
    await expectNothingDecided();
    await expectUnharmed(edge);
  });
});
