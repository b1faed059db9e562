import { writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { confirmationRequested as asks, hookEventOf } from "../requests/testing/engine-bench.ts";
import { openTestHub } from "./testing/test-hub.ts";
import { validEvent } from "./testing/valid-event.ts";

type Body = Readonly<Record<string, unknown>>;

const own = await openTestHub();
const { home, producer, viewer, admin: approver, send } = own;
afterAll(own.close);

/** Uses the real time. */
const confirmation = (more: object = {}) => asks({ timestamp: new Date().toISOString(), ...more });

async function ask(event: object = confirmation()): Promise<Body & { readonly id: string; readonly digest: string }> {
  expect(await send("/v1/events", producer, event)).toMatchObject({ status: 200 });
  for (;;) {
    const { requests } = (await send("/api/requests?before=999999999&limit=1", viewer)).body as { readonly requests: readonly Body[] };
    const [request] = requests;
    if (request !== undefined) return request as Awaited<ReturnType<typeof ask>>;
  }
}

describe("an answer over HTTP", () => {
  it("is given by an approver, under the name of the device, and learnt by who asked", async () => {
    const { id, digest } = await ask();
    const heard = send(`/v1/answers/${id}?wait=20000`, producer);
    const answered = await send(`/api/requests/${id}/answer`, approver, {
      digest,
      answer: "accept",
      reason: "Fine.",
      by: "somebody else",
      decided_by: "user:eve",
    });
    expect(answered).toMatchObject({ status: 200, body: { state: "answered-by-person", decision: { by: "a browser", reason: "Fine." } } });
    expect(await heard).toMatchObject({ status: 200, body: { waits: false, answer: { word: "accept" }, state: "answered-by-person" } });
    expect((await send(`/api/requests/${id}?wait=100`, viewer)).body).toMatchObject({ takenAt: expect.any(String) });
  });

  it("will be found under the id that the verdict names; a question above the limit is refused there", async () => {
    const event = confirmation({ session_id: "sess_crowded" });
    const { body: verdict } = await send("/v1/events", producer, event);
    expect(verdict).toMatchObject({ duplicate: false, flags: expect.any(Array), request: expect.stringMatching(/^req_/) });
    expect(verdict).not.toHaveProperty("notAsked");
    expect(await send(`/v1/answers/${String(verdict["request"])}`, producer)).toMatchObject({ status: 200, body: { waits: true } });
    const more = Array.from({ length: 52 }, () => confirmation({ session_id: "sess_crowded" }));
    const { body } = await send("/v1/events?verdicts=all", producer, more);
    expect(body).toMatchObject({ events: 52, stored: 52, refused: 0, notAsked: 3 });
    const last = confirmation({ session_id: "sess_crowded" });
    expect(await send("/v1/events", producer, last)).toMatchObject({ status: 200, body: { notAsked: { code: "TOO_MANY_OPEN" } } });
    expect(await send("/v1/events", {}, confirmation())).toEqual({
      status: 200,
      body: { position: expect.any(Number), duplicate: false, flags: expect.any(Array) },
    });
  });

  it("is not taken from anybody else", async () => {
    const { id, digest } = await ask();
    const body = { digest, answer: "accept" };
    expect(await send(`/api/requests/${id}/answer`, {}, body)).toMatchObject({ status: 401 });
    expect(await send(`/api/requests/${id}/answer`, viewer, body)).toMatchObject({ status: 403 });
    expect(await send(`/api/requests/${id}/answer`, producer, body)).toMatchObject({ status: 403 });
    expect(await send(`/v1/answers/${id}`, viewer)).toMatchObject({ status: 403 });
    expect(await send("/api/requests", producer)).toMatchObject({ status: 403 });
    expect((await send(`/api/requests/${id}`, viewer)).body).toMatchObject({ state: "open" });
  });

  it.each([
    ["without a digest", { answer: "accept" }, 400],
    ["with an empty digest", { digest: "", answer: "accept" }, 400],
    ["with another digest", { digest: "forged", answer: "accept" }, 409],
    ["spelt with a capital", { answer: "Accept" }, 422],
    ["with a space", { answer: "accept " }, 422],
    ["as true", { answer: true }, 422],
    ["with a Cyrillic letter", { answer: "\u0430ccept" }, 422],
    ["as a list", { answer: ["accept"] }, 422],
    ["as null", { answer: null }, 422],
    ["not at all", {}, 422],
    ["of another kind of question", { answer: "allow" }, 422],
    ["with a response", { answer: "accept", response: "yes" }, 422],
    ["with an edit, where there is no input", { answer: "accept", edit: [{ pointer: "/a", value: 1 }] }, 422],
    ["with a reason that is no text", { answer: "accept", reason: 1 }, 422],
    ["with a message of 20,000 characters", { answer: "reject", message: "x".repeat(20_000) }, 422],
    ["twice in one body", '{"answer":"reject","answer":"accept"}', 400],
    ["as no object", "[]", 422],
  ])("decides nothing when it is given %s", async (_name, body, status) => {
    const { id, digest } = await ask();
    const sent = typeof body === "string" ? body : "digest" in body || !("answer" in body && status !== 400) ? body : { digest, ...body };
    const answer = await send(`/api/requests/${id}/answer`, approver, sent);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    if (typeof body !== "string" && "answer" in body) expect(answer.status).toBe(status);
    expect((await send(`/api/requests/${id}`, viewer)).body).toMatchObject({ state: "open", decision: null });
    await send(`/api/requests/${id}/withdraw`, approver, { digest });
  });

  it("that comes second is refused, as is one about an unknown request", async () => {
    const { id, digest } = await ask();
    expect(await send(`/api/requests/${id}/answer`, approver, { digest, answer: "reject" })).toMatchObject({ status: 200 });
    expect(await send(`/api/requests/${id}/answer`, approver, { digest, answer: "accept" })).toMatchObject({
      status: 409,
      body: { code: "DECIDED_ALREADY" },
    });
    expect(await send(`/api/requests/${id}/extend`, approver, { digest })).toMatchObject({ status: 409 });
    expect(await send("/api/requests/req_none/answer", approver, { digest, answer: "accept" })).toMatchObject({ status: 404 });
    expect(await send("/api/requests/%00", viewer)).toMatchObject({ status: 404 });
  });
});

describe("a confirmation that is wrong", () => {
  it.each([
    ["waits for 0 seconds", { timeout_seconds: 0 }],
    ["waits for less than nothing", { timeout_seconds: -5 }],
    ["waits for 30,000 years", { timeout_seconds: 1e12 }],
    ["waits for a text", { timeout_seconds: "300" }],
    ["waits for half a second", { timeout_seconds: 0.5 }],
    ["accepts by silence what is irreversible and of high risk", { default_decision: "accept" }],
    ["has a default spelt otherwise", { default_decision: "Reject" }],
    ["has no token", { reply_token: undefined }],
  ])("is refused and asks nothing when it %s", async (_name, more) => {
    const { open } = (await send("/api/requests", viewer)).body;
    expect(await send("/v1/events", producer, confirmation(more))).toMatchObject({ status: 422, body: { code: "EVENT_INVALID" } });
    expect((await send("/api/requests", viewer)).body).toMatchObject({ open });
  });
});

describe("a hook over HTTP", () => {
  it("asks, waits in slices, and gets an AEP response", async () => {
    const event = hookEventOf();
    const asked = await send("/aep/v1/hooks?asks=1&dialog=1", producer, event);
    expect(asked).toMatchObject({ status: 200, body: { waits: true, again: false, leftMs: expect.any(Number) } });
    const id = String(asked.body["request"]);
    const { digest } = (await send(`/api/requests/${id}`, viewer)).body;
    expect((await send(`/aep/v1/hooks/${id}?wait=10`, producer)).body).toMatchObject({ waits: true });
    const polled = send(`/aep/v1/hooks/${id}?wait=20000`, producer);
    const edit = [{ pointer: "/command", value: "npm run lint" }];
    expect(await send(`/api/requests/${id}/answer`, approver, { digest, answer: "allow", edit })).toMatchObject({ status: 200 });
    expect((await polled).body).toMatchObject({
      waits: false,
      response: {
        aep_version: "0.1",
        request_event_id: event["id"],
        control: { behavior: "allow", updated_input: { command: "npm run lint" } },
        decision: { outcome: "approved", by: "a browser" },
      },
    });
  });

  it("hears nothing about what others asked, and takes back only what is its own", async () => {
    const { body } = await send("/api/tokens", approver, { name: "other-producer", role: "producer", owner: "tests" });
    const other = { authorization: `Bearer ${String(body["token"])}` };
    const asked = await send("/aep/v1/hooks?asks=1&dialog=1", producer, hookEventOf());
    const id = String(asked.body["request"]);
    expect(await send(`/aep/v1/hooks/${id}`, other)).toMatchObject({ status: 404 });
    expect(await send(`/aep/v1/hooks/${id}/withdraw`, other, {})).toMatchObject({ status: 404 });
    expect(await send(`/aep/v1/hooks/${id}/withdraw`, producer, { reason: "Never mind." })).toMatchObject({
      status: 200,
      body: { state: "withdrawn" },
    });
  });

  it.each([
    ["no event", { hello: 1 }],
    ["an AAEP event", confirmation()],
    ["an event without a session", { ...hookEventOf(), session: undefined }],
    [
      "a response",
      { aep_version: "0.1", id: "rsp_1", request_event_id: "evt_1", time: new Date().toISOString(), control: { behavior: "allow" } },
    ],
  ])("that sends %s is refused", async (_name, event) => {
    const { status } = await send("/aep/v1/hooks", producer, event);
    expect(status).toBe(422);
  });

  it.each(["wait=soon", "asks=yes", "longest=-1"])("that says %s is told what is wrong", async (query) => {
    expect(await send(`/aep/v1/hooks?${query}`, producer, hookEventOf())).toMatchObject({ status: 400, body: { code: "WRONG_QUERY" } });
  });
});

describe("looking into a request", () => {
  it("tells everybody who may read what is in it, and what a change would make of it; and decides nothing", async () => {
    const { body: asked } = await send("/aep/v1/hooks?asks=1&dialog=1", producer, hookEventOf());
    const id = String(asked["request"]);
    const view = (await send(`/api/requests/${id}`, viewer)).body;
    expect(view).toMatchObject({ inspection: { command: "npm test", commands: [{ text: "npm test" }], irreversible: false } });
    const edit = [{ pointer: "/command", value: "rm -rf /srv" }];
    expect(await send(`/api/requests/${id}/inspect`, viewer, { edit })).toMatchObject({
      status: 200,
      body: {
        command: "rm -rf /srv",
        irreversible: true,
        risk: "high",
        dangers: expect.arrayContaining([{ id: "delete-recursive", sentence: "Deletes folders with everything in them." }]),
      },
    });
    expect((await send(`/api/requests/${id}`, viewer)).body).toMatchObject({ state: "open", digest: view["digest"] });
  });

  it.each<[string, unknown, number]>([
    ["without a change", {}, 422],
    ["at a place that is not there", { edit: [{ pointer: "/nothing", value: 1 }] }, 422],
  ])("is refused %s", async (_what, body, status) => {
    const { body: asked } = await send("/aep/v1/hooks?asks=1&dialog=1", producer, hookEventOf());
    expect(await send(`/api/requests/${String(asked["request"])}/inspect`, viewer, body)).toMatchObject({ status });
    expect(await send("/api/requests/req_unknown/inspect", viewer, { edit: [{ pointer: "", value: 1 }] })).toMatchObject({ status: 404 });
  });
});

describe("what people set", () => {
  it("pause, away, presence, stopped sessions: an approver sets them and everybody sees them", async () => {
    expect(await send("/api/pause", viewer, { forMs: 1000, reason: "No." })).toMatchObject({ status: 403 });
    expect(await send("/api/pause", approver, { forMs: 60_000 })).toMatchObject({ status: 422 });
    expect(await send("/api/pause", approver, { forMs: -1, reason: "No." })).toMatchObject({ status: 400 });
    expect(await send("/api/pause", approver, { forMs: 60_000, reason: "A release." })).toMatchObject({
      status: 200,
      body: { pause: { by: "a browser", reason: "A release." } },
    });
    expect((await send("/aep/v1/hooks?asks=1&dialog=1", producer, hookEventOf())).body).toMatchObject({
      response: { control: { behavior: "abstain" } },
    });
    expect((await send("/api/pause", approver, { forMs: 0 })).body).toMatchObject({ pause: null });
    expect((await send("/api/away", approver, { on: true })).body).toMatchObject({ away: { by: "a browser" }, attended: true });
    expect((await send("/api/away", approver, { on: false })).body).toMatchObject({ away: null });
    expect((await send("/api/presence", approver, {})).body).toMatchObject({ attended: true });
    await send("/aep/v1/hooks", producer, hookEventOf({ session: { id: "wild" } }));
    expect(await send("/api/sessions/unheard/stop", approver, {})).toMatchObject({ status: 404 });
    expect((await send("/api/sessions/wild/stop", approver, { reason: "It runs wild." })).body).toMatchObject({
      stopped: [{ session: "wild", reason: "It runs wild." }],
    });
    expect((await send("/aep/v1/hooks", producer, hookEventOf({ session: { id: "wild" } }))).body).toMatchObject({
      response: { control: { behavior: "stop" } },
    });
    expect((await send("/api/sessions/wild/lift", approver, {})).body).toMatchObject({ stopped: [] });
  });

  it("rules that allow more wait for an approver, who names what was shown; those that tighten do not", async () => {
    const look = async () => (await send("/api/policy", viewer)).body as { readonly pending: { readonly hash: string } | null } & Body;
    const run = async (command: string) => {
      const event = hookEventOf();
      const { body } = await send("/aep/v1/hooks", producer, { ...event, action: { ...(event["action"] as object), input: { command } } });
      return (body["response"] as { readonly control: Body }).control["behavior"];
    };
    writeFileSync(home.policy, "rules:\n  - name: no-deploy\n    match: { command: deploy }\n    answer: deny\n");
    expect(await look()).toMatchObject({ pending: null, troubles: [] });
    expect(await run("deploy")).toBe("deny");
    writeFileSync(home.policy, "rules:\n  - name: yes\n    match: { command: deploy }\n    answer: allow\n");
    const { pending } = await look();
    expect(pending).toMatchObject({ loosens: [expect.any(String), ...[]] });
    expect(await run("deploy")).toBe("deny");
    expect(await send("/api/policy/accept", producer, { hash: pending?.hash })).toMatchObject({ status: 403 });
    expect(await send("/api/policy/accept", viewer, { hash: pending?.hash })).toMatchObject({ status: 403 });
    expect(await send("/api/policy/accept", approver, { hash: "another" })).toMatchObject({ status: 409 });
    expect(await run("deploy")).toBe("deny");
    expect(await send("/api/policy/accept", approver, { hash: pending?.hash })).toMatchObject({ status: 200, body: { pending: null } });
    expect(await run("deploy")).toBe("allow");
    writeFileSync(home.policy, "rules: [");
    expect((await look())["troubles"]).toEqual([expect.stringContaining("policy.yaml")]);
    expect(await run("deploy")).toBe("allow");
  });

  it("and news arrives at once at a long poll", async () => {
    const { next } = (await send("/api/requests/news", viewer)).body;
    const told = send(`/api/requests/news?after=${String(next)}&wait=20000`, viewer);
    await ask(confirmation({ session_id: "sess_news" }));
    expect((await told).body).toMatchObject({ news: [{ what: "asked", session: "sess_news" }], missed: false });
  });
});

describe("whether a session may go on", () => {
  const standing = async (session: string, wait: number, headers = producer): Promise<unknown> =>
    (await send(`/v1/sessions/${session}/standing?wait=${wait}`, headers)).body;
  const start = (session: string) => send("/v1/events", producer, validEvent("aaep", { session_id: session }));

  it("is told a producer whose session was stopped, while it waits and whenever it asks", async () => {
    await start("sess_a");
    expect(await standing("sess_a", 0)).toEqual({ stopped: false });
    const waiting = standing("sess_a", 25_000);
    await send("/api/sessions/sess_a/stop", approver, { reason: "Enough." });
    expect(await waiting).toEqual({ stopped: true, reason: "Enough." });
    expect(await standing("sess_a", 25_000)).toEqual({ stopped: true, reason: "Enough." });
  });

  it("is told nobody about the sessions of another", async () => {
    const { body } = await send("/api/tokens", approver, { name: "other", role: "producer", owner: "tests" });
    const other = { authorization: `Bearer ${String(body["token"])}` };
    await start("sess_b");
    await send("/api/sessions/sess_b/stop", approver, {});
    expect(await standing("sess_b", 0)).toEqual({ stopped: true });
    expect(await standing("sess_b", 0, other)).toEqual({ stopped: false });
  });
});
