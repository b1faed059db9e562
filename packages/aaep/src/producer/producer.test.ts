import { afterEach, describe, expect, it, vi } from "vitest";
import type { Feed } from "../feed.ts";
import { SHAPE_LIMITS } from "../shape/limits.ts";
import { PacedShaper } from "../shape/shaper.ts";
import { LogFeed } from "./log-feed.ts";
import type { KeptSubscription, SubscriptionKeeper } from "./producer-ports.ts";
import {
  ANA,
  BEN,
  createTestProducer,
  EventMaker,
  joinProducer,
  ManualTime,
  RecordingSink,
  runPendingTurns,
  slowFeed,
  TEST_OFFER,
  testRequest,
  VIEWER,
} from "./testing/test-producer.ts";

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

function create(options: Parameters<typeof createTestProducer>[0] = {}) {
  const time = new ManualTime();
  const made = createTestProducer({ time, ...options });
  opened.push(made.producer);
  return { ...made, time, make: new EventMaker() };
}

describe("a producer", () => {
  it("serves what comes, to each on its own terms", async () => {
    const kit = create();
    const all = joinProducer(kit);
    const noTools = joinProducer(kit, { event_filters: { exclude: ["aaep:agent.tool.*"] } });
    const nothing = joinProducer(kit, { event_filters: { include: [] } });
    await runPendingTurns();
    for (const event of [kit.make.started(), kit.make.tool(), kit.make.confirmation(), kit.make.completed()]) kit.feed.append(event);
    await kit.time.pass(100);
    expect(all.sink.types).toEqual(["session.started", "tool.invoked", "awaiting.confirmation", "session.completed"]);
    expect(noTools.sink.types).toEqual(["session.started", "awaiting.confirmation", "session.completed"]);
    expect(nothing.sink.types).toEqual(["awaiting.confirmation"]);
    expect(kit.failures).toEqual([]);
  });

  it("says where the hindmost listener stands, and when all were sent everything", async () => {
    const kit = create();
    expect([kit.producer.hindmost, kit.producer.isSettled]).toEqual([undefined, true]);
    const all = joinProducer(kit);
    const noTools = joinProducer(kit, { event_filters: { exclude: ["aaep:agent.tool.*"] } });
    await runPendingTurns();
    all.sink.isSlow = true;
    kit.feed.append(kit.make.started());
    await kit.time.pass(100);
    kit.feed.append(kit.make.tool());
    expect(kit.producer.isSettled).toBe(false);
    await kit.time.pass(100);
    expect([kit.producer.hindmost, kit.producer.isSettled]).toEqual([1, false]);
    expect(all.sink.types).toEqual(["session.started"]);
    all.sink.isSlow = false;
    all.subscription.drained(all.sink);
    await kit.time.pass(100);
    expect(all.sink.types).toEqual(["session.started", "tool.invoked"]);
    expect(noTools.sink.types).toEqual(["session.started"]);
    expect([kit.producer.hindmost, kit.producer.isSettled]).toEqual([2, true]);
  });

  it("reads the feed once for all who are up to date", async () => {
    const kit = create();
    for (let count = 0; count < 50; count++) joinProducer(kit);
    await runPendingTurns();
    const read = vi.spyOn(kit.feed, "read");
    kit.feed.append(kit.make.started());
    kit.feed.append(kit.make.tool());
    await kit.time.pass(50);
    expect(read.mock.calls.length).toBeLessThanOrEqual(2);
    expect(kit.time.timers).toBeLessThanOrEqual(1);
  });

  it("reads nothing while nobody listens", async () => {
    const log = new LogFeed();
    const read = vi.spyOn(log, "read");
    const kit = create({ log });
    for (let count = 0; count < 10; count++) log.append(kit.make.tool());
    await kit.time.pass(1000);
    expect(read).not.toHaveBeenCalled();
  });

  it("begins where the request was answered, not where the stream was opened", async () => {
    const kit = create();
    const outcome = kit.producer.subscribe(testRequest(), ANA, { isResumable: true });
    if (!outcome.ok) throw new Error("rejected");
    kit.feed.append(kit.make.started());
    await runPendingTurns();
    const sink = new RecordingSink();
    outcome.subscription.attach(sink, { joins: true });
    expect(sink.got).toEqual([]);
    await kit.time.pass(50);
    expect(sink.types).toEqual(["session.started"]);
  });

  it("summarizes running sessions for a late subscriber, with open questions", async () => {
    const kit = create();
    const asked = kit.make.confirmation("sess_two");
    kit.feed.append(kit.make.started());
    kit.feed.append(kit.make.state("idle", "thinking"));
    kit.feed.append(kit.make.started("sess_two"));
    kit.feed.append(kit.make.state("idle", "awaiting_input", "sess_two"));
    kit.feed.append(asked);
    kit.feed.append(kit.make.started("sess_over"));
    kit.feed.append(kit.make.completed("sess_over"));
    const { sink } = joinProducer(kit);
    await kit.time.pass(50);
    const states = sink.events.filter(({ type }) => type === "aaep:agent.state.changed");
    expect(states.map(({ session_id, from_state, to_state }) => [session_id, from_state, to_state])).toEqual([
      // A question goes first, together with its session's earlier events.
      ["sess_two", "awaiting_input", "awaiting_input"],
      ["sess_one", "thinking", "thinking"],
    ]);
    expect(sink.ids).toContain(asked["event_id"]);
    expect(sink.got.every(({ resumable }) => !resumable)).toBe(true);
    expect(sink.events.every((event) => event["sequence_number"] === undefined)).toBe(true);
  });

  it("shows what was asked before somebody joined, whatever its session said since", async () => {
    const kit = create();
    kit.feed.append(kit.make.started());
    const asked = kit.feed.append(kit.make.confirmation());
    const outcome = kit.producer.subscribe(testRequest(), ANA, { isResumable: true });
    if (!outcome.ok) throw new Error("rejected");
    const later = kit.feed.append(kit.make.progress(50));
    const sink = new RecordingSink();
    outcome.subscription.attach(sink, { joins: true });
    await kit.time.pass(50);
    expect(sink.ids).toEqual([asked.eventId, later.eventId]);
  });

  it("sums up nothing that the filter leaves out", async () => {
    const kit = create();
    kit.feed.append(kit.make.started());
    const { sink } = joinProducer(kit, { event_filters: { exclude: ["aaep:agent.state.changed"] } });
    await kit.time.pass(50);
    expect(sink.got).toEqual([]);
  });

  it("holds each to its own rate, and lets critical events pass", async () => {
    const kit = create();
    const slow = joinProducer(kit, { max_events_per_second: 1 });
    const fast = joinProducer(kit);
    await runPendingTurns();
    for (let count = 0; count < 20; count++) kit.feed.append(kit.make.tool());
    kit.feed.append(kit.make.confirmation("sess_two"));
    await kit.time.pass(3000);
    expect(fast.sink.got).toHaveLength(21);
    expect(slow.sink.types.filter((type) => type === "tool.invoked").length).toBeLessThanOrEqual(4);
    expect(slow.sink.types).toContain("awaiting.confirmation");
    await kit.time.pass(30_000);
    expect([...slow.sink.ids].sort()).toEqual([...fast.sink.ids].sort());
  });

  it("loses nothing of what is too much for a rate, and never keeps what is critical behind it", async () => {
    const kit = create();
    const slow = joinProducer(kit, { max_events_per_second: 2 });
    await runPendingTurns();
    const ids: string[] = [];
    for (let count = 0; count < 1500; count++) ids.push(kit.feed.append(kit.make.tool(`sess_${count % 3}`)).eventId);
    const asked = kit.feed.append(kit.make.confirmation("sess_1"));
    await kit.time.pass(10);
    const place = slow.sink.ids.indexOf(asked.eventId);
    expect(place).toBeGreaterThan(0);
    // Earlier events of its own session go first; other sessions wait.
    expect(slow.sink.events.slice(0, place).filter(({ session_id }) => session_id === "sess_1")).toHaveLength(500);
    for (let minute = 0; minute < 12; minute++) await kit.time.pass(60_000);
    expect([...new Set(slow.sink.ids)].sort()).toEqual([...ids, asked.eventId].sort());
    expect(slow.sink.ids).toHaveLength(1501);
    for (const session of ["sess_0", "sess_1", "sess_2"]) {
      const told = slow.sink.events.filter(({ session_id }) => session_id === session).map(({ event_id }) => event_id);
      expect(told).toEqual([...told].sort());
    }
  });

  it("looks up what a session said before a critical event, also when that is long ago", async () => {
    const kit = create({ log: new LogFeed({ maxEvents: 50_000, maxCharacters: 1 << 30 }) });
    const slow = joinProducer(kit, { max_events_per_second: 2 });
    const fast = joinProducer(kit);
    await runPendingTurns();
    const first = kit.feed.append(kit.make.started("sess_asking"));
    for (let count = 0; count < 600; count++) kit.feed.append(kit.make.tool("sess_other"));
    const own = kit.feed.append(kit.make.tool("sess_asking"));
    for (let count = 0; count < 6500; count++) kit.feed.append(kit.make.tool("sess_other"));
    const asked = kit.feed.append(kit.make.confirmation("sess_asking"));
    await kit.time.pass(100);
    expect(fast.sink.got).toHaveLength(7103);
    const told = slow.sink.ids.filter((id) => [first.eventId, own.eventId, asked.eventId].includes(id));
    expect(told).toEqual([first.eventId, own.eventId, asked.eventId]);
    expect(slow.sink.got.length).toBeLessThan(100);
    for (let count = 0; count < 12_000; count++) kit.feed.append(kit.make.tool("sess_other"));
    const again = kit.feed.append(kit.make.confirmation("sess_other"));
    await kit.time.pass(100);
    expect(slow.sink.ids.at(-1)).toBe(again.eventId);
    // Above the limit for a subscription, the session is summarized.
    expect(slow.sink.events.some(({ from_state: from, to_state: to }) => from === "calling_tool" && to === from)).toBe(true);
    expect(slow.sink.got.length).toBeLessThan(SHAPE_LIMITS.items);
  });

  it("stops for a stream that takes nothing, and goes on where it stopped", async () => {
    const kit = create();
    const { subscription, sink } = joinProducer(kit);
    const other = joinProducer(kit);
    await runPendingTurns();
    sink.isSlow = true;
    for (let count = 0; count < 2000; count++) kit.feed.append(kit.make.tool());
    await kit.time.pass(1000);
    expect(other.sink.got).toHaveLength(2000);
    expect(sink.got.length).toBeLessThan(100);
    sink.isSlow = false;
    subscription.drained(sink);
    await kit.time.pass(5000);
    expect(sink.ids).toEqual(other.sink.ids);
  });

  it("keeps no more for a stream that takes nothing when all of it is critical, and loses none of it", async () => {
    const kit = create({ log: new LogFeed({ maxEvents: 50_000, maxCharacters: 1 << 30 }) });
    const { subscription, sink } = joinProducer(kit);
    await runPendingTurns();
    sink.isSlow = true;
    const handle = vi.spyOn(PacedShaper.prototype, "handle");
    const ids: string[] = [];
    for (let count = 0; count < 6000; count++) ids.push(kit.feed.append(kit.make.confirmation(`sess_${count % 700}`)).eventId);
    await kit.time.pass(1000);
    expect(handle.mock.calls.length).toBeLessThan(700);
    handle.mockRestore();
    sink.isSlow = false;
    subscription.drained(sink);
    await kit.time.pass(5000);
    expect([...sink.ids].sort()).toEqual([...ids].sort());
    const told = Map.groupBy(sink.events, ({ session_id }) => session_id);
    for (const ofOne of told.values()) {
      const inOrder = ofOne.map(({ event_id }) => String(event_id));
      expect(inOrder).toEqual([...inOrder].sort());
    }
  });

  it("tells what became critical while a slow stream took nothing, as soon as it takes something, before all the rest", async () => {
    const kit = create();
    const { subscription, sink } = joinProducer(kit, { max_events_per_second: 1 });
    await runPendingTurns();
    sink.isSlow = true;
    kit.feed.append(kit.make.confirmation("sess_first"));
    await kit.time.pass(50);
    for (let count = 0; count < 1500; count++) kit.feed.append(kit.make.tool("sess_other"));
    const before = kit.feed.append(kit.make.tool("sess_asking"));
    const asked = kit.feed.append(kit.make.confirmation("sess_asking"));
    for (let count = 0; count < 500; count++) kit.feed.append(kit.make.tool("sess_other"));
    await kit.time.pass(1000);
    expect(sink.ids).not.toContain(asked.eventId);
    sink.isSlow = false;
    subscription.drained(sink);
    await kit.time.pass(20);
    expect(sink.ids.slice(-2)).toEqual([before.eventId, asked.eventId]);
    expect(sink.got.length).toBeLessThan(20);
  });

  it("sends a slow returning subscriber new questions first", async () => {
    const kit = create();
    const { subscription, sink } = joinProducer(kit, { max_events_per_second: 1 });
    await runPendingTurns();
    kit.feed.append(kit.make.tool("sess_other"));
    await kit.time.pass(50);
    subscription.detach(sink);
    for (let count = 0; count < 1000; count++) kit.feed.append(kit.make.tool("sess_other"));
    const asked = kit.feed.append(kit.make.confirmation("sess_asking"));
    const second = new RecordingSink();
    subscription.attach(second, { lastEventId: sink.lastId() });
    await kit.time.pass(50);
    expect(second.ids).toContain(asked.eventId);
    expect(second.got.length).toBeLessThan(20);
  });

  it("hands a subscription over to the stream that asked last", async () => {
    const kit = create();
    const { subscription, sink } = joinProducer(kit);
    await runPendingTurns();
    const second = new RecordingSink();
    subscription.attach(second);
    expect(sink.ending).toBe("superseded");
    subscription.detach(sink);
    await runPendingTurns();
    kit.feed.append(kit.make.started());
    await kit.time.pass(50);
    expect([sink.got.length, second.got.length]).toEqual([0, 1]);
  });

  it("goes on after the event that a stream has, without gap", async () => {
    const kit = create();
    const { subscription, sink } = joinProducer(kit);
    await runPendingTurns();
    for (let count = 0; count < 5; count++) kit.feed.append(kit.make.tool());
    await kit.time.pass(50);
    subscription.detach(sink);
    for (let count = 0; count < 5; count++) kit.feed.append(kit.make.tool());
    const second = new RecordingSink();
    subscription.attach(second, { lastEventId: sink.ids[2] });
    await kit.time.pass(50);
    expect([...sink.ids.slice(0, 3), ...second.ids]).toEqual([...sink.ids, ...second.ids.slice(-5)]);
  });

  it("says where things stand when what was missed is not kept any more", async () => {
    const kit = create({ log: new LogFeed({ maxEvents: 8 }) });
    const { subscription, sink } = joinProducer(kit);
    await runPendingTurns();
    const first = kit.feed.append(kit.make.started());
    kit.feed.append(kit.make.state("idle", "thinking"));
    await kit.time.pass(50);
    subscription.detach(sink);
    for (let count = 0; count < 20; count++) kit.feed.append(kit.make.tool());
    for (const lastEventId of [first.eventId, "evt_neverheardof"]) {
      const next = new RecordingSink();
      subscription.attach(next, { lastEventId });
      await kit.time.pass(50);
      expect(next.events).toMatchObject([{ type: "aaep:agent.state.changed", from_state: "thinking", to_state: "thinking" }]);
      const after = kit.feed.append(kit.make.tool());
      await kit.time.pass(50);
      expect(next.ids.slice(1)).toEqual([after.eventId]);
    }
  });

  it("says where things stand to somebody so far behind that events are gone", async () => {
    const log = new LogFeed({ maxEvents: 100 });
    const kit = create({ log });
    const { sink, subscription } = joinProducer(kit);
    await runPendingTurns();
    sink.isSlow = true;
    log.append(kit.make.started());
    for (let count = 0; count < 9000; count++) log.append(kit.make.tool());
    await kit.time.pass(1000);
    sink.isSlow = false;
    subscription.drained(sink);
    await kit.time.pass(60_000);
    const summary = sink.events.findIndex(({ type }) => type === "aaep:agent.state.changed");
    expect(summary).toBeGreaterThan(0);
    const next = log.append(kit.make.tool());
    await kit.time.pass(1000);
    expect(sink.ids.at(-1)).toBe(next.eventId);
    expect(kit.failures).toEqual([]);
  });

  it("changes terms for what follows, and ends what cannot be agreed on", async () => {
    const kit = create();
    const { subscription, sink } = joinProducer(kit);
    await runPendingTurns();
    const change = (capabilities: object) =>
      kit.producer.renegotiate({ type: "subscription.renegotiate", subscription_id: subscription.id, capabilities }, ANA);
    expect(change({ event_filters: { exclude: ["aaep:agent.tool.*"] } })).toMatchObject({ ok: true });
    kit.feed.append(kit.make.tool());
    kit.feed.append(kit.make.started());
    await kit.time.pass(50);
    expect(sink.types).toEqual(["session.started"]);
    expect(change({ accept_signed_manifests_only: true })).toMatchObject({ ok: false });
    expect(sink.ending).toBe("rejected");
    expect(change({})).toBeUndefined();
    kit.feed.append(kit.make.completed());
    await kit.time.pass(50);
    expect(sink.got).toHaveLength(1);
  });

  it("has room for a number of subscriptions; others retry later", async () => {
    const kit = create({ maxSubscriptions: 2 });
    joinProducer(kit);
    const idle = kit.producer.subscribe(testRequest(), ANA, { isResumable: true });
    expect(idle.ok).toBe(true);
    const refused = kit.producer.subscribe(testRequest(), ANA, { isResumable: true });
    expect(refused).toMatchObject({ rejected: { reason_code: "rate_limit", retry_after_seconds: expect.any(Number) } });
    await kit.time.pass(20_000);
    expect(kit.producer.subscribe(testRequest(), ANA, { isResumable: true }).ok).toBe(true);
  });

  it("forgets subscriptions that nobody listens to", async () => {
    const kit = create();
    kit.producer.subscribe(testRequest(), ANA, { isResumable: true });
    const { sink } = joinProducer(kit);
    await kit.time.pass(20 * 60_000);
    expect(kit.producer.size).toBe(1);
    expect(sink.ending).toBeUndefined();
  });

  it("refuses with a reason that fits", () => {
    const reasonFor = (options: Parameters<typeof create>[0], principal = ANA) => {
      const outcome = create(options).producer.subscribe(testRequest(), principal, { isResumable: true });
      return outcome.ok ? undefined : outcome.rejected.reason_code;
    };
    expect(reasonFor({}, { ...ANA, mayRead: false })).toBe("authorization_denied");
    expect(
      reasonFor({
        offer: () => {
          throw new Error("broken");
        },
      }),
    ).toBe("unknown");
    const { producer } = create();
    producer.close();
    expect(producer.subscribe(testRequest(), ANA, { isResumable: true })).toMatchObject({
      rejected: { reason_code: "transport_unavailable" },
    });
  });

  it("shows a subscription to nobody but its holder", () => {
    const kit = create();
    const { subscription } = joinProducer(kit);
    expect(kit.producer.find(subscription.id, ANA)).toBe(subscription);
    expect(kit.producer.find(subscription.id, BEN)).toBeUndefined();
  });

  it("finds subscriptions of an earlier life, for their holder and with their terms", async () => {
    const kept = new Map<string, KeptSubscription>();
    const keeper: SubscriptionKeeper = {
      keep: (one) => void kept.set(one.id, one),
      find: (id) => kept.get(id),
      forget: (id) => void kept.delete(id),
    };
    const log = new LogFeed();
    const before = create({ log, keeper });
    const { subscription, sink } = joinProducer(before, { event_filters: { exclude: ["aaep:agent.tool.*"] } });
    await runPendingTurns();
    log.append(before.make.started());
    await before.time.pass(50);
    before.producer.close();
    expect(sink.ending).toBe("stopping");
    log.append(before.make.tool());
    log.append(before.make.completed());

    const after = create({ log, keeper });
    expect(after.producer.find(subscription.id, BEN)).toBeUndefined();
    const found = after.producer.find(subscription.id, ANA);
    const next = new RecordingSink();
    found?.attach(next, { lastEventId: sink.lastId() });
    await after.time.pass(50);
    expect(next.types).toEqual(["session.completed"]);
    if (found !== undefined) after.producer.end(found, "closed");
    expect(kept.size).toBe(0);
  });

  it("goes on when the feed fails for a while", async () => {
    const kit = create();
    const { sink } = joinProducer(kit);
    await runPendingTurns();
    const read = vi.spyOn(kit.feed, "read").mockRejectedValueOnce(new Error("busy"));
    kit.feed.append(kit.make.started());
    await kit.time.pass(5000);
    expect(kit.failures).toHaveLength(1);
    expect(sink.types).toEqual(["session.started"]);
    read.mockRestore();
  });

  it("counts who can answer as they come, change and go", async () => {
    const kit = create();
    const { subscription, sink } = joinProducer(kit, { supports_confirmation_reply: true });
    joinProducer(kit, { supports_confirmation_reply: true }, { principal: VIEWER });
    expect(kit.attended).toEqual([{ confirmations: 1, clarifications: 0 }]);
    const capabilities = { supports_clarification_reply: true };
    kit.producer.renegotiate({ type: "subscription.renegotiate", subscription_id: subscription.id, capabilities }, ANA);
    expect(kit.attended.at(-1)).toEqual({ confirmations: 1, clarifications: 1 });
    subscription.detach(sink);
    expect(kit.attended.at(-1)).toEqual({ confirmations: 0, clarifications: 0 });
    const implicit = kit.producer.subscribeImplicitly(BEN);
    if (implicit.ok) implicit.subscription.attach(new RecordingSink());
    expect(kit.attended.at(-1)).toEqual({ confirmations: 1, clarifications: 1 });
  });

  it("tells a goodbye from a connection that broke", async () => {
    const kit = create();
    const able = { supports_confirmation_reply: true };
    const leave = (one: ReturnType<typeof joinProducer>) => kit.producer.end(one.subscription, "closed");
    leave(joinProducer(kit, able));
    expect(kit.finals).toEqual([false, true]);
    const [broken, open] = [joinProducer(kit, able), joinProducer(kit, able)];
    broken.subscription.detach(broken.sink);
    leave(open);
    expect([kit.attended.at(-1)?.confirmations, kit.finals.at(-1)]).toEqual([0, false]);
    // An explicit farewell: no other is expected back.
    leave(broken);
    expect([kit.attended.at(-1)?.confirmations, kit.finals.at(-1)]).toEqual([0, true]);
    const lost = joinProducer(kit, able);
    kit.producer.end(lost.subscription, "lost");
    leave(joinProducer(kit, able));
    expect(kit.finals.at(-1)).toBe(false);
    await kit.time.pass(10_000);
    leave(joinProducer(kit, able));
    expect(kit.finals.at(-1)).toBe(true);
    const before = kit.finals.length;
    leave(joinProducer(kit));
    leave(joinProducer(kit, able, { principal: VIEWER }));
    expect(kit.finals).toHaveLength(before);
  });

  it("works with a feed that is slow and gives little at a time", async () => {
    const log = new LogFeed();
    const feed: Feed = slowFeed(log, 3);
    const kit = create({ log, feed });
    const { sink } = joinProducer(kit);
    await runPendingTurns();
    for (let count = 0; count < 50; count++) log.append(kit.make.tool());
    for (let turn = 0; turn < 40; turn++) await kit.time.pass(10);
    expect(sink.got).toHaveLength(50);
    expect(sink.ids).toEqual([...sink.ids].sort());
  });
});

describe("replies", () => {
  const reply = (subscriptionId: string) => ({
    type: "confirmation.reply" as const,
    reply_token: "rpl_1",
    decision: "accept" as const,
    subscription_id: subscriptionId,
    timestamp: "2026-07-01T00:00:00.000Z",
  });

  it("count from somebody who may reply, over a subscription that said so", () => {
    const kit = create();
    const can = joinProducer(kit, { supports_confirmation_reply: true }).subscription;
    const cannot = joinProducer(kit).subscription;
    const viewer = joinProducer(kit, { supports_confirmation_reply: true }, { principal: VIEWER }).subscription;
    const { producer } = kit;
    producer.reply(reply(cannot.id), ANA, "handshake");
    producer.reply(reply(can.id), BEN, "handshake");
    producer.reply(reply(can.id), BEN, "implicit");
    producer.reply(reply(viewer.id), VIEWER, "handshake");
    producer.reply(reply("sub_unknown"), ANA, "handshake");
    expect(kit.replies).toEqual([]);
    producer.reply(reply(can.id), ANA, "handshake");
    expect(kit.replies).toEqual([{ reply: reply(can.id), from: { principal: ANA, subscriptionId: can.id } }]);
  });

  it("count whatever id they name where no handshake was made, and only where that is allowed", () => {
    const kit = create();
    kit.producer.reply(reply("sub_invented"), ANA, "implicit");
    kit.producer.reply(reply("sub_invented"), VIEWER, "implicit");
    expect(kit.replies).toHaveLength(1);
    const strict = create({ allowsImplicit: false });
    strict.producer.reply(reply("sub_invented"), ANA, "implicit");
    expect(strict.replies).toEqual([]);
    expect(strict.producer.subscribeImplicitly(ANA)).toMatchObject({ ok: false });
    expect(TEST_OFFER.takesConfirmations).toBe(true);
  });
});
