import { describe, expect, it, vi } from "vitest";
import { createManifest } from "../producer/manifest.ts";
import { ANA, TEST_OFFER, testRequest } from "../producer/testing/test-producer.ts";
import { serveTestProducer } from "./testing/serve.ts";

const until = (holds: () => void) => vi.waitFor(holds, { timeout: 20_000, interval: 5 });

const reply = (subscriptionId?: string) => ({
  type: "confirmation.reply",
  reply_token: "rpl_1",
  decision: "accept",
  timestamp: "2026-07-01T00:00:00.000Z",
  ...(subscriptionId === undefined ? {} : { subscription_id: subscriptionId }),
});

describe("a handshake over HTTP", () => {
  it("is answered in the body, with the address of the stream", async () => {
    await using serving = await serveTestProducer();
    const answer = await serving.post("/subscriptions", testRequest({ languages: ["en"] }));
    expect(answer.status).toBe(201);
    const accepted = await answer.json();
    expect(accepted).toMatchObject({ type: "subscription.accepted", honored_capabilities: { languages: ["en"] } });
    expect(answer.headers.get("location")).toBe(`/aaep/v1/events?subscription_id=${accepted.subscription_id}`);
    const stream = await serving.stream(`/events?subscription_id=${accepted.subscription_id}`);
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    serving.feed.append(serving.make.started());
    await until(() => expect(stream.types).toEqual(["session.started"]));
    expect(stream.names).toEqual(["aaep.event"]);
    expect(stream.ids).toEqual(["evt_000001"]);
    expect(stream.text).toMatch(/event: aaep\.event\nid: evt_000001\ndata: \{[^\n]+\}\n\n$/);
  });

  it("is refused with the message and the status that fit", async () => {
    await using serving = await serveTestProducer({ maxSubscriptions: 1 });
    const ask = async (body: object, token = "") => {
      const answer = await serving.post("/subscriptions", body, token === "" ? {} : { authorization: `Bearer ${token}` });
      return [answer.status, (await answer.json()).reason_code, answer.headers.get("retry-after")];
    };
    expect(await ask({ ...testRequest(), aaep_version: "99.99.99" })).toEqual([409, "version_unsupported", null]);
    expect(await ask(testRequest({ accept_signed_manifests_only: true }))).toEqual([409, "manifest_signature_required", null]);
    expect(await ask(testRequest({ event_filters: { exclude: ["a*b"] } }))).toEqual([409, "capabilities_incompatible", null]);
    expect(await ask(testRequest(), "nobody")).toEqual([401, "authentication_required", null]);
    expect(await ask(testRequest(), "stranger")).toEqual([403, "authorization_denied", null]);
    expect((await ask(testRequest()))[0]).toBe(201);
    expect(await ask(testRequest())).toEqual([429, "rate_limit", "30"]);
  });

  it("that makes no sense is refused as such", async () => {
    await using serving = await serveTestProducer();
    const status = async (body: unknown, headers?: Record<string, string>) => (await serving.post("/subscriptions", body, headers)).status;
    expect(await status("{")).toBe(400);
    expect(await status("[]")).toBe(400);
    expect(await status({ type: "subscription.request" })).toBe(400);
    expect(await status(reply("sub_1"))).toBe(400);
    expect(await status(testRequest(), { "content-type": "text/plain" })).toBe(415);
    expect(await status({ ...testRequest(), subscriber_name: "x".repeat(300_000) })).toBe(413);
    expect((await fetch(`${serving.url}/subscriptions`)).status).toBe(405);
    expect((await fetch(`${serving.url}/nowhere`)).status).toBe(404);
  });

  it("is worth nothing to anybody else", async () => {
    await using serving = await serveTestProducer();
    const { subscription_id: id } = await (await serving.post("/subscriptions", testRequest())).json();
    const stolen = await serving.stream(`/events?subscription_id=${id}`, { authorization: "Bearer ben" });
    expect(stolen.status).toBe(404);
    const close = { type: "subscription.close", subscription_id: id };
    expect((await serving.post("/replies", close, { authorization: "Bearer ben" })).status).toBe(404);
    expect((await serving.post("/replies", close)).status).toBe(204);
    expect((await serving.post("/replies", close)).status).toBe(404);
  });
});

describe("a stream over HTTP", () => {
  it("can be resumed after the last event, and after none", async () => {
    await using serving = await serveTestProducer();
    const { subscription_id: id } = await (await serving.post("/subscriptions", testRequest())).json();
    const path = `/events?subscription_id=${id}`;
    const first = await serving.stream(path);
    await until(() => expect(first.lastId).toBeDefined());
    const before = first.lastId ?? "";
    serving.feed.append(serving.make.started());
    serving.feed.append(serving.make.tool());
    await until(() => expect(first.items).toHaveLength(2));
    first.cut();
    await until(() => expect(serving.producer.find(id, ANA)?.isAttached).toBe(false));
    serving.feed.append(serving.make.completed());
    const second = await serving.stream(path, { "last-event-id": first.ids[0] ?? "" });
    await until(() => expect(second.types).toEqual(["tool.invoked", "session.completed"]));
    second.cut();
    const third = await serving.stream(path, { "last-event-id": before });
    await until(() => expect(third.types).toEqual(["session.started", "tool.invoked", "session.completed"]));
    third.cut();
    const fourth = await serving.stream(path, { "last-event-id": third.lastId ?? "" });
    serving.feed.append(serving.make.started("sess_two"));
    await until(() => expect(fourth.types).toEqual(["session.started"]));
  });

  it("ends with the reason when its subscription is closed", async () => {
    await using serving = await serveTestProducer();
    const { subscription_id: id } = await (await serving.post("/subscriptions", testRequest())).json();
    const stream = await serving.stream(`/events?subscription_id=${id}`);
    expect((await serving.post("/replies", { type: "subscription.close", subscription_id: id })).status).toBe(204);
    await until(() => expect(stream.isOver).toBe(true));
    expect(stream.items).toEqual([{ type: "subscription.close", subscription_id: id, reason_code: "subscription_closed" }]);
  });

  it("begins with where things stand when the last event is not known", async () => {
    await using serving = await serveTestProducer();
    serving.feed.append(serving.make.started());
    const stream = await serving.stream("/events", { "last-event-id": "evt_longago" });
    await until(() => expect(stream.items).toMatchObject([{ type: "aaep:agent.state.changed", from_state: "idle", to_state: "idle" }]));
    expect(stream.ids).toEqual([undefined]);
  });

  it("has no names where a page asks for none", async () => {
    await using serving = await serveTestProducer();
    const stream = await serving.stream("/events?unnamed=1");
    serving.feed.append(serving.make.started());
    await until(() => expect(stream.items).toHaveLength(1));
    expect([stream.names, stream.ids]).toEqual([[undefined], ["evt_000001"]]);
  });

  it("says every ten seconds that it is there, and where it could be resumed", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await using serving = await serveTestProducer();
      const capabilities = { event_filters: { include: [] } };
      const { subscription_id: id } = await (await serving.post("/subscriptions", testRequest(capabilities))).json();
      const stream = await serving.stream(`/events?subscription_id=${id}`);
      await until(() => expect(stream.lastId).toBeDefined());
      const before = stream.lastId;
      for (let count = 0; count < 10; count++) serving.feed.append(serving.make.tool());
      await until(() => expect(serving.producer.find(id, ANA)?.cursor).toBe(10));
      const heard = stream.text.length;
      vi.advanceTimersByTime(10_000);
      await until(() => expect(stream.text.slice(heard)).toMatch(/^:\n\nid: evt_\w+\n\n$/));
      expect(stream.lastId).not.toBe(before);
      expect(stream.items).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is not opened without a handshake where that is not allowed", async () => {
    await using serving = await serveTestProducer({ allowsImplicit: false });
    expect((await serving.stream()).status).toBe(400);
    expect((await serving.post("/messages", testRequest())).status).toBe(201);
  });

  it("ends with a goodbye when the producer stops", async () => {
    await using serving = await serveTestProducer();
    const { subscription_id: id } = await (await serving.post("/subscriptions", testRequest())).json();
    const stream = await serving.stream(`/events?subscription_id=${id}`);
    const other = await serving.stream();
    serving.producer.close();
    await until(() => expect([stream.isOver, other.isOver]).toEqual([true, true]));
    expect(stream.items.at(-1)).toMatchObject({ type: "subscription.close", subscription_id: id, reason_code: "producer_shutdown" });
    expect((await serving.post("/subscriptions", testRequest())).status).toBe(503);
  });

  it("of a peer that reads nothing does not hold up the others, and holds little", async () => {
    await using serving = await serveTestProducer();
    const { subscription_id: id } = await (await serving.post("/subscriptions", testRequest())).json();
    // The body is not read, so the connection's window fills up.
    const abort = new AbortController();
    await fetch(`${serving.url}/events?subscription_id=${id}`, { signal: abort.signal });
    const reader = await serving.stream();
    const long = "x".repeat(10_000);
    for (let count = 0; count < 1500; count++) serving.feed.append(serving.make.make("tool.invoked", { tool: "t", summary_normal: long }));
    await until(() => expect(reader.items).toHaveLength(1500));
    expect(serving.producer.find(id, ANA)?.cursor).toBeLessThan(1500);
    abort.abort();
  });
});

describe("replies over HTTP", () => {
  it("get the same answer whatever becomes of them", async () => {
    await using serving = await serveTestProducer();
    const capabilities = { supports_confirmation_reply: true };
    const { subscription_id: id } = await (await serving.post("/subscriptions", testRequest(capabilities))).json();
    const status = async (body: object, token = "ana") =>
      (await serving.post("/replies", body, { authorization: `Bearer ${token}` })).status;
    expect(await status(reply(id))).toBe(204);
    expect(serving.replies).toHaveLength(1);
    expect(await status(reply("sub_unknown"))).toBe(204);
    expect(await status(reply(id), "ben")).toBe(204);
    expect(await status(reply(id), "viewer")).toBe(204);
    expect(serving.replies).toHaveLength(1);
    expect(await status(reply())).toBe(400);
    expect(await status({ ...reply(id), decision: "maybe" })).toBe(400);
  });

  it("renegotiate with an answer", async () => {
    await using serving = await serveTestProducer();
    const { subscription_id: id } = await (await serving.post("/subscriptions", testRequest())).json();
    const change = (capabilities: object, subscription = id) =>
      serving.post("/replies", { type: "subscription.renegotiate", subscription_id: subscription, capabilities });
    const accepted = await change({ max_events_per_second: 3 });
    expect([accepted.status, (await accepted.json()).honored_capabilities.max_events_per_second]).toEqual([200, 3]);
    expect((await change({}, "sub_unknown")).status).toBe(404);
    expect((await change({ accept_signed_manifests_only: true })).status).toBe(409);
    expect((await change({})).status).toBe(404);
  });
});

describe("messages beside a stream without a handshake", () => {
  it("are answered as the next item on it", async () => {
    await using serving = await serveTestProducer();
    const stream = await serving.stream();
    expect((await serving.post("/messages", { kind: "user_input", text: "hello" })).status).toBe(202);
    await until(() => expect(stream.types).toEqual(["user_input.ack", "session.started"]));
    const filter = { event_filters: { exclude: ["aaep:agent.tool.*"] } };
    expect((await serving.post("/messages", testRequest(filter))).status).toBe(202);
    await until(() => expect(stream.items[2]).toMatchObject({ type: "subscription.accepted", honored_capabilities: filter }));
    expect(stream.names[2]).toBeUndefined();
    serving.feed.append(serving.make.tool());
    serving.feed.append(serving.make.confirmation());
    await until(() => expect(stream.types.slice(3)).toEqual(["awaiting.confirmation"]));
    expect((await serving.post("/messages", { ...testRequest(), aaep_version: "99.99.99" })).status).toBe(202);
    await until(() => expect(stream.items[4]).toMatchObject({ reason_code: "version_unsupported" }));
    expect((await serving.post("/messages", reply("sub_random"))).status).toBe(204);
    expect((await serving.post("/messages", reply("sub_random"))).status).toBe(204);
    expect(serving.replies).toHaveLength(2);
    expect((await serving.post("/messages", { kind: "nonsense" })).status).toBe(400);
    expect(serving.producer.size).toBe(1);
  });

  it("are not lost when they come before the stream", async () => {
    await using serving = await serveTestProducer();
    expect((await serving.post("/messages", { kind: "user_input", text: "hello" })).status).toBe(202);
    expect((await serving.post("/messages", testRequest({ max_events_per_second: 9 }))).status).toBe(202);
    const other = await serving.stream("/events", { authorization: "Bearer ben" });
    const stream = await serving.stream();
    serving.feed.append(serving.make.completed());
    await until(() => expect(stream.types).toContain("session.completed"));
    expect(stream.types.slice(0, 2)).toEqual(["user_input.ack", "subscription.accepted"]);
    await until(() => expect(other.types).toEqual(["session.completed"]));
  });

  it("reach the stream of the same holder only", async () => {
    await using serving = await serveTestProducer();
    const mine = await serving.stream();
    const theirs = await serving.stream("/events", { authorization: "Bearer ben" });
    await serving.post("/messages", testRequest(), { authorization: "Bearer ben" });
    await until(() => expect(theirs.types).toEqual(["subscription.accepted"]));
    expect(mine.items).toEqual([]);
  });

  it("stop a session, where somebody can", async () => {
    const stopped: object[] = [];
    await using serving = await serveTestProducer({
      other: (message) => {
        if (message["type"] !== "earshot:session.stop") return undefined;
        stopped.push(message);
        return {};
      },
    });
    expect((await serving.post("/sessions/sess_one/stop", { reason: "enough" })).status).toBe(202);
    expect((await fetch(`${serving.url}/sessions/sess_two/stop`, { method: "POST" })).status).toBe(202);
    expect(stopped).toEqual([
      { type: "earshot:session.stop", session_id: "sess_one", reason: "enough" },
      { type: "earshot:session.stop", session_id: "sess_two" },
    ]);
    await using other = await serveTestProducer();
    expect((await other.post("/sessions/sess_one/stop", {})).status).toBe(400);
  });
});

describe("the manifest", () => {
  it("is at its well-known place, signed on request", async () => {
    const manifest = createManifest(TEST_OFFER, { transports: ["sse"], maxSubscriptions: 5, multiAgent: "shared-session" });
    await using serving = await serveTestProducer({ manifest: () => manifest, offer: () => ({ ...TEST_OFFER, signedManifest: "a.b.c" }) });
    const plain = await fetch(`${serving.origin}/.well-known/aaep-manifest.json`);
    expect([plain.status, await plain.json()]).toEqual([200, manifest]);
    const signed = await fetch(`${serving.origin}/.well-known/aaep-manifest.json`, { headers: { accept: "application/jose" } });
    expect(await signed.text()).toBe("a.b.c");
  });
});

describe("pages of other origins", () => {
  it("may read where they are allowed to", async () => {
    await using serving = await serveTestProducer({}, { allowOrigin: (origin) => origin === "https://at.example" });
    const ask = (origin: string) =>
      fetch(`${serving.url}/subscriptions`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
      });
    const allowed = await ask("https://at.example");
    expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([204, "https://at.example"]);
    expect(allowed.headers.get("access-control-allow-methods")).toBe("POST");
    expect((await ask("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
    const answer = await serving.post("/subscriptions", testRequest(), { origin: "https://at.example" });
    expect(answer.headers.get("access-control-expose-headers")).toContain("location");
  });
});
