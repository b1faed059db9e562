import type { JsonObject } from "@earshot/protocol";
import { afterEach, describe, expect, it } from "vitest";
import type { OutgoingEvent } from "../shape/outgoing.ts";
import { PeerConnection } from "./connection.ts";
import type { PeerChannel, SubscriptionEnding } from "./subscription-ports.ts";
import {
  ANA,
  createTestProducer,
  EventMaker,
  ManualTime,
  runPendingTurns,
  type TestProducerOptions,
  testRequest,
} from "./testing/test-producer.ts";

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

class RecordingChannel implements PeerChannel {
  readonly said: JsonObject[] = [];
  closed: SubscriptionEnding | undefined;

  send(events: readonly OutgoingEvent[]): boolean {
    this.said.push(...events.map(({ text }) => JSON.parse(text) as JsonObject));
    return true;
  }

  sendMessage(message: JsonObject): void {
    this.said.push(message);
  }

  close(why: SubscriptionEnding): void {
    this.closed = why;
  }

  get types(): readonly string[] {
    return this.said.map((item) => String(item["type"] ?? item["kind"]).replace("aaep:agent.", ""));
  }
}

function open(options: TestProducerOptions = {}) {
  const time = new ManualTime();
  const make = new EventMaker();
  const kit = createTestProducer({
    time,
    other: (message) => {
      if (message["kind"] !== "user_input") return undefined;
      kit.feed.append(make.started());
      return { control: { kind: "user_input.ack" } };
    },
    ...options,
  });
  opened.push(kit.producer);
  const channel = new RecordingChannel();
  const connection = new PeerConnection(kit.producer, channel, { principal: ANA, mayBeImplicit: true });
  /** As bindings do: the answer is sent at once. */
  const say = (message: object) => {
    const received = connection.receive(message as JsonObject);
    if (received.kind === "answer") channel.sendMessage(received.message);
    return received;
  };
  return { ...kit, time, make, channel, connection, say };
}

describe("a connection", () => {
  it("answers a request before anything else, and sends nothing before it", async () => {
    const { say, feed, make, time, channel } = open();
    feed.append(make.started("sess_before"));
    await time.pass(500);
    expect(channel.said).toEqual([]);
    say(testRequest());
    feed.append(make.started());
    await time.pass(50);
    expect(channel.types).toEqual(["subscription.accepted", "state.changed", "session.started"]);
  });

  it("serves the defaults to a peer that sends something else first, from where it connected", async () => {
    const { say, time, channel, feed, make } = open();
    feed.append(make.started("sess_two"));
    expect(say({ kind: "user_input", text: "hello" })).toMatchObject({ kind: "answer" });
    await time.pass(50);
    expect(channel.types).toEqual(["user_input.ack", "session.started", "session.started"]);
  });

  it("lets a request take the place of what there was without a handshake, answer first", async () => {
    const { say, time, channel, feed, make, producer } = open();
    say({ kind: "user_input", text: "hello" });
    await time.pass(50);
    for (let count = 0; count < 3; count++) say(testRequest({ event_filters: { exclude: ["aaep:agent.tool.*"] } }, `reader ${count}`));
    expect(producer.size).toBe(1);
    feed.append(make.tool());
    feed.append(make.completed());
    await time.pass(50);
    const accepted = "subscription.accepted";
    expect(channel.types).toEqual(["user_input.ack", "session.started", accepted, accepted, accepted, "session.completed"]);
  });

  it("stays open after a rejection where it began without a handshake, and not where it began with one", () => {
    const { say } = open();
    say({ kind: "user_input", text: "hello" });
    const bad = { ...testRequest(), aaep_version: "99.99.99" };
    expect(say(bad)).toEqual({ kind: "answer", message: expect.objectContaining({ reason_code: "version_unsupported" }) });
    expect(open().say(bad)).toMatchObject({ kind: "answer", isLast: true, message: { reason_code: "version_unsupported" } });
  });

  it("carries several subscriptions of different subscribers, each on its own terms", async () => {
    const { say, time, channel, feed, make, producer } = open();
    say(testRequest({ event_filters: { include: ["aaep:agent.tool.*"] } }, "one"));
    say(testRequest({ event_filters: { include: ["aaep:agent.session.*"] } }, "two"));
    await runPendingTurns();
    feed.append(make.tool());
    feed.append(make.started());
    await time.pass(50);
    expect([...channel.types].sort()).toEqual(["session.started", "subscription.accepted", "subscription.accepted", "tool.invoked"]);
    say(testRequest({}, "one"));
    expect(producer.size).toBe(2);
    const [first, second] = channel.said.filter(({ type }) => type === "subscription.accepted").slice(-2);
    expect(say({ type: "subscription.close", subscription_id: first?.["subscription_id"] })).toEqual({ kind: "taken" });
    expect(say({ type: "subscription.close", subscription_id: second?.["subscription_id"] })).toEqual({ kind: "taken", isLast: true });
    expect(producer.size).toBe(0);
  });

  it("answers every request and every renegotiation, whatever they are like", () => {
    const { say } = open();
    expect(say({ type: "subscription.request" })).toMatchObject({ message: { type: "subscription.rejected", reason_code: "unknown" } });
    expect(say({ type: "subscription.renegotiate", subscription_id: "sub_x", capabilities: {} })).toMatchObject({
      message: { type: "subscription.rejected" },
    });
    expect(say({ type: "nonsense" })).toMatchObject({ kind: "refused" });
    expect(say({ type: "confirmation.reply" })).toMatchObject({ kind: "refused" });
    expect(say({ type: "subscription.accepted" })).toMatchObject({ kind: "refused" });
  });

  it("answers a change with the new terms before anything is sent by them", async () => {
    const { say, time, channel, feed, make } = open();
    say(testRequest());
    await runPendingTurns();
    const id = channel.said[0]?.["subscription_id"];
    feed.append(make.tool());
    say({ type: "subscription.renegotiate", subscription_id: id, capabilities: { event_filters: { exclude: ["aaep:agent.tool.*"] } } });
    feed.append(make.tool());
    await time.pass(50);
    expect(channel.types).toEqual(["subscription.accepted", "subscription.accepted"]);
  });

  it("takes replies without a handshake, whatever id they name or leave out, and with one only over it", () => {
    const reply = { type: "confirmation.reply", reply_token: "rpl_1", decision: "accept", timestamp: "2026-07-01T00:00:00.000Z" };
    const without = open();
    expect(without.say({ ...reply, subscription_id: "sub_invented" })).toEqual({ kind: "taken" });
    expect(without.say(reply)).toEqual({ kind: "taken" });
    expect(without.replies).toHaveLength(2);
    const strict = open();
    strict.say(testRequest({ supports_confirmation_reply: true }));
    strict.say({ ...reply, subscription_id: "sub_invented" });
    strict.say(reply);
    expect(strict.replies).toEqual([]);
    strict.say({ ...reply, subscription_id: strict.channel.said[0]?.["subscription_id"] });
    expect(strict.replies).toHaveLength(1);
  });

  it("takes everything along when it breaks", async () => {
    const { say, connection, producer, attended } = open();
    say(testRequest({ supports_confirmation_reply: true }));
    expect(attended.at(-1)).toEqual({ confirmations: 1, clarifications: 0 });
    connection.closed();
    expect(producer.size).toBe(0);
    expect(attended.at(-1)).toEqual({ confirmations: 0, clarifications: 0 });
  });

  it("says goodbye when the producer stops", async () => {
    const { say, producer, channel } = open();
    say(testRequest());
    producer.close();
    expect(channel.types.at(-1)).toBe("subscription.close");
    expect(channel.closed).toBe("stopping");
  });

  it("tells a subscriber of ours where to resume, and goes on there on another channel", async () => {
    const { say, time, channel, feed, make, producer } = open();
    say({ ...testRequest(), extensions: { earshot: { resume_after: "" } } });
    await runPendingTurns();
    feed.append(make.started());
    await time.pass(300);
    const point = channel.said.findLast(({ type }) => type === "earshot:resume.point");
    feed.append(make.tool());
    const second = new RecordingChannel();
    const again = new PeerConnection(producer, second, { principal: ANA, mayBeImplicit: true });
    const asked = { ...testRequest(), extensions: { earshot: { resume_after: point?.["event_id"] } } };
    expect(again.receive(asked as JsonObject)).toMatchObject({ kind: "answer" });
    await time.pass(300);
    expect(second.types.filter((type) => type !== "earshot:resume.point")).toEqual(["tool.invoked"]);
  });
});
