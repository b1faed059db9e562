import type { JsonObject } from "@earshot/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { AaepClient, confirmationReplyOf, subscriptionRequestOf } from "../aaep/testing/aaep-client.ts";
import { callJson } from "../access/testing/test-device.ts";
import { openAaepHub } from "./testing/aaep-hub.ts";

const own = await openAaepHub();
const { admin, hub, producer, say, confirm, answered } = own;
afterAll(own.close);

const viewer = new AaepClient(hub.url, own.viewer);
const approver = new AaepClient(hub.url, (await own.addApprover("Ana's phone")).headers);
const other = new AaepClient(hub.url, (await own.addApprover("Ben's phone")).headers);

const begin = (session: string) => say("session.started", session, { summary_normal: "Begins." });
const isResolution = (event: JsonObject) => event["extensions"] !== undefined;
const REPLIES = { supports_confirmation_reply: true, supports_clarification_reply: true, languages: ["en"] };

describe("a subscriber over HTTP", () => {
  it("is told what it gets before the first event, and gets what its terms say", async () => {
    const answer = await viewer.post(
      "/subscriptions",
      subscriptionRequestOf({ max_events_per_second: 5, languages: ["de", "en"], event_filters: { exclude: ["aaep:agent.session.*"] } }),
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      type: "subscription.accepted",
      aaep_version: "1.0.0",
      producer: { agent_name: "Earshot" },
      honored_capabilities: { max_events_per_second: 5, languages: ["de", "en"], event_filters: { exclude: ["aaep:agent.session.*"] } },
      manifest_uri: `${hub.url}/.well-known/aaep-manifest.json`,
    });
    const id = String(answer.body["subscription_id"]);
    expect(answer.headers.get("location")).toBe(`/aaep/v1/events?subscription_id=${id}`);
    await using stream = await viewer.open(id);
    await begin("sess_filtered");
    await say("state.changed", "sess_filtered", { from_state: "idle", to_state: "thinking", sequence_number: 1 });
    await say("session.errored", "sess_filtered", { urgency: "critical", error_category: "unknown", summary_normal: "Broke." });
    await stream.until(({ types }) => types.includes("session.errored"));
    expect(stream.types.filter((type) => type !== "state.changed")).toEqual(["session.errored"]);
    expect(stream.events.some((event) => "sequence_number" in event)).toBe(false);
  });

  it("answers a question once it may decide, and the agent and everybody else hear of it", async () => {
    const [id, seen] = [await approver.subscribe(REPLIES), await viewer.subscribe(REPLIES)];
    await using stream = await approver.open(id);
    await using watching = await viewer.open(seen);
    await begin("sess_asks");
    const { request } = await confirm("sess_asks");
    const isAsked = (event: JsonObject) => event["type"] === "aaep:agent.awaiting.confirmation" && event["session_id"] === "sess_asks";
    const { reply_token: token } = await stream.find(isAsked);
    expect(token).toMatch(/^rpl_[\da-f]{32}$/);
    // Wrong ones first: a viewer's, an invented token, the agent's own, another subscription's.
    const wrong = [
      await viewer.post("/replies", confirmationReplyOf(token, seen, "reject")),
      await approver.post("/replies", confirmationReplyOf("rpl_00000000000000000000000000000000", id, "reject")),
      await approver.post("/replies", confirmationReplyOf("rpl_same", id, "reject")),
      await other.post("/replies", confirmationReplyOf(token, id, "reject")),
    ];
    expect(wrong.map(({ status, body }) => ({ status, body }))).toEqual(wrong.map(() => ({ status: 204, body: {} })));
    expect(await approver.post("/replies", confirmationReplyOf(token, id))).toMatchObject({ status: 204 });
    expect(await answered(request)).toMatchObject({ waits: false, state: "answered-by-person", answer: { word: "accept" } });
    expect(await approver.post("/replies", confirmationReplyOf(token, id, "reject"))).toMatchObject({ status: 204 });
    for (const one of [stream, watching]) {
      const told = await one.find(isResolution);
      expect(told).toMatchObject({
        summary_normal: "Allowed by Ana's phone.",
        extensions: { earshot: { resolved: token, outcome: "accepted" } },
      });
    }
    expect(await answered(request)).toMatchObject({ answer: { word: "accept" } });
  });

  it("that joins midway hears how things stand, and what is asked", async () => {
    await begin("sess_midway");
    await say("state.changed", "sess_midway", { from_state: "idle", to_state: "awaiting_input", summary_normal: "Waiting for you." });
    const { request } = await confirm("sess_midway");
    const id = await approver.subscribe(REPLIES);
    await using stream = await approver.open(id);
    const ofSession = (event: JsonObject) => event["session_id"] === "sess_midway";
    const asked = await stream.find((event) => ofSession(event) && event["type"] === "aaep:agent.awaiting.confirmation");
    expect(await stream.find((event) => ofSession(event) && event["type"] === "aaep:agent.state.changed")).toMatchObject({
      from_state: "awaiting_input",
      to_state: "awaiting_input",
    });
    await approver.post("/replies", confirmationReplyOf(asked["reply_token"], id, "reject"));
    expect(await answered(request)).toMatchObject({ answer: { word: "reject" } });
  });

  it("gets everything after the last event it has, and is told how things stand when that is not known", async () => {
    const id = await viewer.subscribe({ event_filters: { include: ["aaep:agent.tool.*", "aaep:agent.state.*"] } });
    const tool = (number: number) =>
      say("tool.invoked", "sess_resumes", { tool: `tool_${number}`, summary_normal: "Runs.", tool_call_id: `call_${number}` });
    const tools = (events: readonly JsonObject[]) =>
      events.filter(({ type }) => type === "aaep:agent.tool.invoked").map(({ tool: name }) => name);
    await begin("sess_resumes");
    let last: string | undefined;
    {
      await using stream = await viewer.open(id);
      await tool(1);
      await stream.until(({ events }) => tools(events).length === 1);
      last = stream.lastId;
    }
    await tool(2);
    {
      await using stream = await viewer.open(id, { "last-event-id": String(last) });
      await tool(3);
      await stream.until(({ events }) => tools(events).length === 2);
      expect(tools(stream.events)).toEqual(["tool_2", "tool_3"]);
    }
    await using stream = await viewer.open(id, { "last-event-id": "evt_ffffffffffffffffffffffffffffffff" });
    await stream.find((event) => event["session_id"] === "sess_resumes" && event["from_state"] === event["to_state"]);
    await tool(4);
    await stream.until(({ events }) => tools(events).length === 1);
    expect(tools(stream.events)).toEqual(["tool_4"]);
  });

  it("hears nothing any more of what was erased, wherever it resumes from", async () => {
    const id = await viewer.subscribe({ event_filters: { include: ["aaep:agent.tool.*"] } });
    await say("session.started", "sess_erased", { event_id: "evt_erasedBegins", summary_normal: "Begins." });
    const tool = (name: string) => say("tool.invoked", "sess_erased", { tool: name, summary_normal: "Runs." });
    const tools = (events: readonly JsonObject[]) => events.map(({ tool: name }) => name);
    await tool("first");
    let last: string | undefined;
    {
      await using stream = await viewer.open(id, { "last-event-id": "evt_erasedBegins" });
      await stream.until(({ events }) => tools(events).includes("first"));
      last = stream.lastId;
      const { position } = await tool("erased");
      await stream.until(({ events }) => tools(events).includes("erased"));
      await callJson(hub.url, "/api/erase", { position }, admin);
    }
    await tool("third");
    await using stream = await viewer.open(id, { "last-event-id": String(last) });
    await stream.until(({ events }) => tools(events).includes("third"));
    expect(tools(stream.events)).toEqual(["third"]);
  });

  it("renegotiates, and closes; nobody else does it for them", async () => {
    const id = await viewer.subscribe({ languages: ["en"], max_events_per_second: 50 });
    const renegotiate = { type: "subscription.renegotiate", subscription_id: id, capabilities: { max_events_per_second: 2 } };
    expect(await approver.post("/replies", renegotiate)).toMatchObject({ status: 404 });
    expect(await viewer.post("/replies", renegotiate)).toMatchObject({
      status: 200,
      body: { type: "subscription.accepted", subscription_id: id, honored_capabilities: { max_events_per_second: 2, languages: ["en"] } },
    });
    await using stream = await viewer.open(id);
    const close = { type: "subscription.close", subscription_id: id, reason_code: "subscriber_shutdown" };
    expect(await approver.post("/replies", close)).toMatchObject({ status: 404 });
    expect((await approver.open(id)).status).toBe(404);
    expect(await viewer.post("/replies", close)).toMatchObject({ status: 204 });
    await stream.until(({ isOver }) => isOver);
    expect((await viewer.open(id)).status).toBe(404);
  });

  it("without a credential is refused in the protocol's own words", async () => {
    const nobody = new AaepClient(hub.url, {});
    expect(await nobody.post("/subscriptions", subscriptionRequestOf())).toMatchObject({
      status: 401,
      body: { type: "subscription.rejected", reason_code: "authentication_required" },
    });
    expect(await new AaepClient(hub.url, producer).post("/subscriptions", subscriptionRequestOf())).toMatchObject({
      status: 403,
      body: { type: "subscription.rejected", reason_code: "authorization_denied" },
    });
    expect((await nobody.open()).status).toBe(401);
  });

  it("stops a session when it may decide", async () => {
    await begin("sess_stop");
    const { request } = await confirm("sess_stop");
    const stop = { type: "earshot:session.stop", session_id: "sess_stop", reason: "Enough." };
    await viewer.post("/messages", stop);
    expect((await viewer.post("/sessions/sess_stop/stop", {})).status).toBe(403);
    const standing = () => callJson(hub.url, "/v1/sessions/sess_stop/standing", undefined, producer);
    expect(await standing()).toEqual({ stopped: false });
    expect((await approver.post("/sessions/sess_stop/stop", { reason: "Enough." })).status).toBe(202);
    expect(await callJson(hub.url, "/v1/sessions/sess_stop/standing?wait=20000", undefined, producer)).toEqual({
      stopped: true,
      reason: "Enough.",
    });
    expect(await answered(request)).toMatchObject({ answer: { word: "reject" } });
  });
});

it("the manifest says what there is, to everybody", async () => {
  const manifest = await callJson(hub.url, "/.well-known/aaep-manifest.json");
  expect(manifest).toMatchObject({
    type: "aaep:producer.manifest",
    agent_name: "Earshot",
    conformance_levels_supported: [1, 2, 3],
    extensions: { earshot: { prefix: "/aaep/v1", multi_agent_pattern: "shared-session" } },
  });
});
