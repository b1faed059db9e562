import type { Capabilities } from "@earshot/protocol";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { describe, expect, it } from "vitest";
import { createConnector } from "../node/connectors.ts";
import { createManifest } from "../producer/manifest.ts";
import { signManifest, trustKeys } from "../producer/signed-manifest.ts";
import type { IncomingEvent, SubscriptionProblem } from "./incoming.ts";
import { readProducerAddress } from "./producer-address.ts";
import { Subscriber } from "./subscriber.ts";
import type { SubscriberOptions, SubscriberState } from "./subscriber-options.ts";
import { confirmationEvent, testEvent } from "./testing/events.ts";
import { type LiveProducer, type LiveProducerOptions, openLiveProducer } from "./testing/live-producer.ts";
import { until } from "./testing/until.ts";
import type { SubscriberClock } from "./waiting.ts";

const CLOCK: SubscriberClock = {
  monotonic: () => performance.now(),
  now: () => Date.now(),
  random: () => 0,
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
/** Nothing is held back or merged. */
const ALL: Capabilities = {
  supports_confirmation_reply: true,
  supports_clarification_reply: true,
  supported_conformance_levels: [1, 2, 3],
  coalesce_boundaries: ["none", "word", "sentence", "paragraph", "completion"],
  cognitive_load: "high",
};

function open(url: string, capabilities: Capabilities = ALL, more: Partial<SubscriberOptions> = {}, headers = {}) {
  const troubles: SubscriptionProblem[] = [];
  const states: SubscriberState[] = [];
  const subscriber = new Subscriber({
    connector: createConnector(readProducerAddress(url), { headers }),
    request: { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "tests", capabilities },
    clock: CLOCK,
    onTrouble: (trouble) => troubles.push(trouble),
    onState: (state) => states.push(state),
    limits: { retryMs: 20, longestRetryMs: 100 },
    ...more,
  });
  return { subscriber, troubles, states };
}

function listen(subscriber: Subscriber): IncomingEvent[] {
  const heard: IncomingEvent[] = [];
  void (async () => {
    for await (const incoming of subscriber) heard.push(incoming);
  })().catch(() => {}); // what it ends with is asked for where it matters
  return heard;
}

const now = () => new Date().toISOString();
const tool = (index: number) => testEvent("tool.invoked", { tool: `step_${index}`, summary_normal: `Step ${index}.`, timestamp: now() });
const steps = (heard: readonly IncomingEvent[]) => heard.flatMap((one) => (one.event["tool"] === undefined ? [] : [one.event["tool"]]));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_one, index) => from + index);
const TRANSPORTS = [
  ["server-sent events", (live: LiveProducer) => live.url],
  ["a WebSocket", (live: LiveProducer) => live.wsUrl],
  ["a Unix socket", (live: LiveProducer) => live.socketUrl],
] as const;
const EXPECTED = range(0, 60).map((index) => `step_${index}`);

describe.each(TRANSPORTS)("over %s", (_name, urlOf) => {
  it("events come as they were said, after a handshake", async () => {
    await using live = await openLiveProducer();
    const { subscriber } = open(urlOf(live));
    await using _closing = subscriber;
    expect(await subscriber.opened).toMatchObject({ producer: { agent_id: "deploy-bot" }, honored_capabilities: ALL });
    const heard = listen(subscriber);
    const said = tool(0);
    live.say(said);
    await until(() => heard.length === 1);
    expect(heard[0]?.event).toEqual(said);
    expect(subscriber.state).toBe("open");
  });

  it("every event comes once and in order, however often it is cut", async () => {
    await using live = await openLiveProducer();
    const { subscriber } = open(urlOf(live));
    await using _closing = subscriber;
    await subscriber.opened;
    const heard = listen(subscriber);
    for (const index of range(0, 60)) {
      live.say(tool(index));
      if (index % 20 === 5) await until(() => steps(heard).length > index - 5);
      if (index % 20 === 10) live.cut();
    }
    await until(() => steps(heard).length >= 60, "sixty steps");
    expect(steps(heard)).toEqual(EXPECTED);
  });

  it("another process goes on where this one was, and misses nothing", async () => {
    await using live = await openLiveProducer();
    const { subscriber: first } = open(urlOf(live));
    await first.opened;
    for (const index of range(0, 30)) live.say(tool(index));
    const taken: IncomingEvent[] = [];
    while (taken.length < 20) taken.push(...((await first.take(20 - taken.length)) ?? []));
    first.dealtWith();
    const resume = JSON.parse(JSON.stringify(first.resume));
    await first.close(); // ten of them were never taken
    for (const index of range(30, 60)) live.say(tool(index));
    const { subscriber: second } = open(urlOf(live), ALL, { resume });
    await using _closing = second;
    const heard = listen(second);
    await until(() => steps(heard).at(-1) === "step_59");
    const known = new Set(taken.map(({ eventId }) => eventId));
    const all = [...taken, ...heard.filter(({ eventId }) => !known.has(eventId))];
    expect(steps(all)).toEqual(EXPECTED);
  });

  it("what a person answers reaches the producer, once, with its own token", async () => {
    await using live = await openLiveProducer();
    const { subscriber } = open(urlOf(live));
    await using _closing = subscriber;
    const { subscription_id } = (await subscriber.opened) ?? {};
    const heard = listen(subscriber);
    live.say(confirmationEvent("rpl_1", { timestamp: now() }));
    await until(() => heard.length === 1);
    expect(live.replies).toEqual([]); // nothing answers by itself
    expect(await subscriber.reply("rpl_1", { decision: "reject", decidedBy: "user:ana", rationale: "Wrong database." })).toBe(true);
    await until(() => live.replies.length === 1);
    expect(live.replies[0]).toMatchObject({
      type: "confirmation.reply",
      reply_token: "rpl_1",
      decision: "reject",
      subscription_id,
      decided_by: "user:ana",
      decision_rationale: "Wrong database.",
    });
    expect(await subscriber.reply("rpl_1", { decision: "accept" })).toBe(false);
    expect(await subscriber.reply("rpl_made_up", { decision: "accept" })).toBe(false);
    expect(live.replies).toHaveLength(1);
  });

  it("an answer that is given during a cut is sent after it", async () => {
    await using live = await openLiveProducer();
    const { subscriber, states } = open(urlOf(live));
    await using _closing = subscriber;
    await subscriber.opened;
    const heard = listen(subscriber);
    live.say(confirmationEvent("rpl_1", { timestamp: now() }));
    await until(() => heard.length === 1);
    const restarting = live.restart();
    await until(() => states.includes("cut"));
    const answered = subscriber.reply("rpl_1", { decision: "accept" });
    await restarting;
    expect(await answered).toBe(true);
    await until(() => live.replies.length === 1);
    expect(live.replies[0]).toMatchObject({ decision: "accept", subscription_id: subscriber.subscriptionId });
  });

  it("other terms are agreed on, and closing is said", async () => {
    await using live = await openLiveProducer();
    const { subscriber } = open(urlOf(live));
    const before = await subscriber.opened;
    const heard = listen(subscriber);
    const accepted = await subscriber.renegotiate({ max_events_per_second: 7 });
    expect(accepted).toMatchObject({
      subscription_id: before?.subscription_id,
      honored_capabilities: { max_events_per_second: 7, cognitive_load: "high" },
    });
    live.say(tool(0));
    await until(() => heard.length === 1);
    await subscriber.close();
    await until(() => live.producer.size === 0, "the end of the subscription");
    expect(subscriber.state).toBe("closed");
  });

  it("a producer that stops is waited for, and its subscribers go on", async () => {
    await using live = await openLiveProducer();
    const { subscriber, states } = open(urlOf(live));
    await using _closing = subscriber;
    await subscriber.opened;
    const heard = listen(subscriber);
    for (const index of range(0, 30)) live.say(tool(index));
    await until(() => steps(heard).length === 30);
    await live.restart();
    for (const index of range(30, 60)) live.say(tool(index));
    await until(() => steps(heard).length >= 60);
    expect(steps(heard)).toEqual(EXPECTED);
    expect(states).toContain("cut");
  });

  it("a subscriber that cannot keep up makes the producer wait, and asks for less", async () => {
    await using live = await openLiveProducer();
    const overload = { high: 50, low: 5, calmMs: 60_000, pauseMs: 60_000 };
    const { subscriber } = open(urlOf(live), ALL, { limits: { queue: 100, overload } });
    await using _closing = subscriber;
    await subscriber.opened;
    for (const index of range(0, 300)) live.say(tool(index));
    await until(() => subscriber.waiting >= 50, "more than it takes");
    expect(subscriber.waiting).toBeLessThanOrEqual(100);
    const heard = listen(subscriber);
    await until(() => subscriber.accepted?.honored_capabilities.cognitive_load === "low", "other terms");
    expect(subscriber.accepted?.honored_capabilities).toMatchObject({
      max_events_per_second: expect.any(Number),
      coalesce_boundaries: ["paragraph", "completion"],
    });
    await subscriber.renegotiate({ max_events_per_second: 100_000 });
    await until(() => heard.length >= 300, "all of them");
    expect(steps(heard)).toEqual(range(0, 300).map((index) => `step_${index}`));
  });
});

describe("a producer that refuses", () => {
  it.each(TRANSPORTS.slice(0, 2))("for want of a credential is not asked again, over %s", async (_name, urlOf) => {
    await using live = await openLiveProducer({ token: "secret" });
    const { subscriber } = open(urlOf(live), ALL, { isPatient: true });
    await expect(subscriber.opened).rejects.toMatchObject({ problem: { code: "PRODUCER_REFUSED" } });
    await expect(subscriber.take()).rejects.toMatchObject({ problem: { code: "PRODUCER_REFUSED" } });
    await using other = open(urlOf(live), ALL, {}, { authorization: "Bearer secret" }).subscriber;
    expect(await other.opened).toBeDefined();
  });

  it("a version is refused", async () => {
    await using live = await openLiveProducer();
    const request = { type: "subscription.request", aaep_version: "99.0.0", subscriber_id: "tests", capabilities: {} } as const;
    const { subscriber } = open(live.url, {}, { request });
    await expect(subscriber.opened).rejects.toThrow("version_unsupported");
  });

  it("nobody at all is a failure at first, and waited for where that is wanted", async () => {
    await using live = await openLiveProducer();
    live.shut(true);
    await expect(open(live.url).subscriber.opened).rejects.toMatchObject({ problem: { code: "PRODUCER_UNREACHABLE" } });
    await using patient = open(live.url, ALL, { isPatient: true }).subscriber;
    live.shut(false);
    expect(await patient.opened).toBeDefined();
  });
});

describe("a signed manifest", () => {
  const signed = async (agentId = "deploy-bot") => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const offer: LiveProducerOptions["offer"] = {};
    const manifest = createManifest(
      {
        producer: { agent_id: agentId },
        versions: ["1.0.0"],
        levels: [1, 2, 3],
        boundaries: [],
        extensions: [],
        takesConfirmations: true,
        takesClarifications: true,
        ...offer,
      },
      { transports: ["sse"], maxSubscriptions: 100, multiAgent: "shared-session" },
    );
    return { jws: await signManifest(manifest, { key: privateKey }), key: (await exportJWK(publicKey)) as JWK };
  };
  const demanding = { ...ALL, accept_signed_manifests_only: true };

  it("is verified where it is demanded", async () => {
    const { jws, key } = await signed();
    await using live = await openLiveProducer({ offer: { signedManifest: jws } });
    await using subscriber = open(live.url, demanding, { verify: trustKeys([key]) }).subscriber;
    expect(await subscriber.opened).toMatchObject({ signed_manifest: jws });
  });

  it.each([
    ["by somebody else", async () => (await signed()).key, "deploy-bot"],
    ["for another producer", undefined, "other-bot"],
  ])("that was made %s ends it", async (_name, otherKey, agentId) => {
    const { jws, key } = await signed(agentId);
    await using live = await openLiveProducer({ offer: { signedManifest: jws } });
    const verify = trustKeys([otherKey === undefined ? key : await otherKey()]);
    const { subscriber } = open(live.url, demanding, { verify, isPatient: true });
    await expect(subscriber.opened).rejects.toMatchObject({ problem: { code: "MANIFEST_UNTRUSTED" } });
  });

  it("that the producer has not is refused by the producer itself", async () => {
    await using live = await openLiveProducer();
    const { key } = await signed();
    const { subscriber } = open(live.url, demanding, { verify: trustKeys([key]) });
    await expect(subscriber.opened).rejects.toThrow("manifest_signature_required");
  });

  it("cannot be demanded without a key to trust", async () => {
    expect(() => open("http://127.0.0.1:1", demanding)).toThrow("no key is named");
  });
});
