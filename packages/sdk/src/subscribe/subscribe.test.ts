import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { confirmationEvent, testEvent } from "../../../aaep/src/subscriber/testing/events.ts";
import { openLiveProducer } from "../../../aaep/src/subscriber/testing/live-producer.ts";
import { until } from "../../../aaep/src/subscriber/testing/until.ts";
import { subscribe as subscribeInBrowser } from "../browser/subscribe.ts";
import { subscribe } from "../node/subscribe.ts";
import type { AaepEvent, AaepSubscription } from "./aaep-subscription.ts";

const AGENT = resolve("packages/aaep/src/subscriber/testing/stdio-agent.ts");
const now = () => new Date().toISOString();
const started = () => testEvent("session.started", { summary_normal: "At work.", timestamp: now() });

function listen(subscription: AaepSubscription): AaepEvent[] {
  const heard: AaepEvent[] = [];
  void (async () => {
    for await (const one of subscription) heard.push(one);
  })().catch(() => {}); // the tests ask for what it ends with
  return heard;
}

describe.each([
  ["Node", subscribe],
  ["a browser", subscribeInBrowser],
])("subscribe in %s", (_name, start) => {
  it.each(["url", "wsUrl"] as const)("gives the events of a producer as they were said, and ends with a word (%s)", async (where) => {
    await using live = await openLiveProducer();
    const subscription = start(live[where], { max_events_per_second: 50, preferred_verbosity: "detailed" });
    expect(await subscription.opened).toMatchObject({
      honored_capabilities: { max_events_per_second: 50, supports_confirmation_reply: true },
    });
    const said = started();
    live.say(said);
    for await (const heard of subscription) {
      expect(heard).toEqual(said);
      break;
    }
    expect(subscription.state).toBe("closed");
    await until(() => live.producer.size === 0, "the end of the subscription");
  });

  it("answers what a person answered, by the event that asked", async () => {
    await using live = await openLiveProducer();
    await using subscription = start(live.url);
    await subscription.opened;
    const heard = listen(subscription);
    const asked = confirmationEvent("rpl_1", { timestamp: now() });
    live.say(asked);
    await until(() => heard.length === 1);
    expect(subscription.prompts).toMatchObject([{ token: "rpl_1", kind: "confirmation" }]);
    await expect(subscription.reply(asked, { response: "yes" })).rejects.toThrow("takes a decision");
    expect(await subscription.reply(asked, { decision: "accept", decidedBy: "user:ana", modifiedAction: { table: "other" } })).toBe(true);
    expect(await subscription.reply(asked, { decision: "accept" })).toBe(false);
    expect(await subscription.reply(started(), { decision: "accept" })).toBe(false);
    await until(() => live.replies.length === 1);
    expect(live.replies[0]).toMatchObject({ decision: "accept", modified_action: { table: "other" } });
    expect(subscription.prompts).toEqual([]);
  });

  it.each([
    ["freetext", "a text"],
    ["yes_no", true],
    ["numeric", 4.5],
    ["multiple_choice", "eu"],
  ] as const)("answers a question of kind %s, and nothing that is not an answer to it", async (kind, response) => {
    await using live = await openLiveProducer();
    await using subscription = start(live.url);
    await subscription.opened;
    const heard = listen(subscription);
    const more = { question: "What?", reply_token: "rpl_q", timeout_seconds: 60, timestamp: now(), urgency: "critical" };
    const choices = [
      { value: "eu", label: "Europe" },
      { value: "us", label: "America" },
    ];
    live.say(
      testEvent("awaiting.clarification", { ...more, accepted_response_kinds: [kind], ...(kind === "multiple_choice" ? { choices } : {}) }),
    );
    await until(() => heard.length === 1);
    for (const wrong of ["", "mars", true, 7].filter(
      (one) => typeof one !== typeof response || (kind === "multiple_choice" && one === "mars"),
    ))
      await expect(subscription.reply("rpl_q", { response: wrong })).rejects.toThrow("This question takes");
    expect(await subscription.reply("rpl_q", { response, confidence: 0.9 })).toBe(true);
    await until(() => live.replies.length === 1);
    expect(live.replies[0]).toMatchObject({ type: "clarification.reply", response, confidence: 0.9 });
  });

  it("asks a session to stop, and is ended by a signal", async () => {
    await using live = await openLiveProducer();
    const stopping = new AbortController();
    const subscription = start(live.url, {}, { signal: stopping.signal });
    await subscription.opened;
    expect(await subscription.stopSession("sess_1", "enough")).toBe(true);
    expect(live.others).toEqual([{ type: "earshot:session.stop", session_id: "sess_1", reason: "enough" }]);
    stopping.abort();
    await until(() => subscription.state === "closed");
  });

  it("throws where nobody is, and waits where that is wanted", async () => {
    const events = start("http://127.0.0.1:1");
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ problem: { code: "PRODUCER_UNREACHABLE" } });
    await using live = await openLiveProducer();
    live.shut(true);
    await using patient = start(live.url, {}, { wait: true });
    live.shut(false);
    expect(await patient.opened).toBeDefined();
  });

  it("says only what it can do: who does not answer claims no level that asks for it", async () => {
    await using live = await openLiveProducer();
    await using subscription = start(live.url, { supports_confirmation_reply: false });
    expect((await subscription.opened)?.honored_capabilities.supported_conformance_levels).toEqual([1]);
    const heard = listen(subscription);
    live.say(confirmationEvent("rpl_1", { timestamp: now() }));
    await until(() => heard.length === 1);
    await expect(subscription.reply("rpl_1", { decision: "accept" })).rejects.toThrow("supports_confirmation_reply");
  });
});

describe("subscribe in Node alone", () => {
  it("reaches a local socket", async () => {
    await using live = await openLiveProducer();
    await using subscription = subscribe(live.socketUrl);
    await subscription.opened;
    const heard = listen(subscription);
    live.say(started());
    await until(() => heard.length === 1);
  });

  it("runs a producer, and ends it", async () => {
    const logs: string[] = [];
    const producer = {
      command: [process.execPath, AGENT, "2", "none"],
      onLog: (text: string) => logs.push(text),
    };
    await using subscription = subscribe(producer);
    const types: unknown[] = [];
    for await (const { type } of subscription) {
      types.push(type);
      if (type === "aaep:agent.session.completed") break;
    }
    expect(types).toEqual([
      "aaep:agent.session.started",
      "aaep:agent.progress.updated",
      "aaep:agent.progress.updated",
      "aaep:agent.session.completed",
    ]);
    expect(logs.join("")).toContain("ready");
  });
});
