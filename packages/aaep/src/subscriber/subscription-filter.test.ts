import type { JsonObject } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { resumePoint } from "../extension.ts";
import { SubscriptionFilter } from "./subscription-filter.ts";
import { confirmationEvent, receivedTextOf, testEvent } from "./testing/events.ts";

const NOW = Date.parse("2026-07-01T09:00:00.000Z");

function hear(sieve: SubscriptionFilter, value: object, at = 0) {
  return sieve.handle(receivedTextOf(value), at, NOW);
}

function ids(all: readonly { readonly eventId: string }[]): readonly string[] {
  return all.map(({ eventId }) => eventId);
}

describe("each event is heard once", () => {
  it("however often it is said", () => {
    const sieve = new SubscriptionFilter();
    const said = testEvent("session.started");
    expect(hear(sieve, said).incoming).toHaveLength(1);
    expect(hear(sieve, said).incoming).toEqual([]);
    // White space and key order make no difference.
    const again = Object.fromEntries(Object.entries(said).toReversed());
    expect(hear(sieve, again)).toMatchObject({ incoming: [], troubles: [] });
  });

  it("and the first one counts where an id comes with another content", () => {
    const sieve = new SubscriptionFilter();
    const said = testEvent("session.started", { summary_normal: "One." });
    hear(sieve, said);
    expect(hear(sieve, { ...said, summary_normal: "Two." })).toMatchObject({ incoming: [], troubles: [{ kind: "conflict" }] });
  });

  it("and where to resume is no event, though it names one", () => {
    const sieve = new SubscriptionFilter();
    expect(hear(sieve, resumePoint("sub_1", "evt_1"))).toMatchObject({
      incoming: [],
      troubles: [],
      message: { type: "earshot:resume.point" },
    });
  });

  it("but two agents may use the same id", () => {
    const sieve = new SubscriptionFilter();
    const said = testEvent("state.changed", { from_state: "idle", to_state: "thinking" });
    hear(sieve, said);
    expect(hear(sieve, { ...said, producer: { agent_id: "other" } }).incoming).toHaveLength(1);
  });
});

describe("what is new is borne", () => {
  it.each([
    ["a type of an extension", { type: "medai:patient.consulted" }],
    ["a core type of a later version", { type: "aaep:agent.mood.changed" }],
    ["extension data", { extensions: { opsx: { ticket: "OPS-7" } } }],
    ["a state nobody knows", { to_state: "dreaming" }],
    ["an urgency nobody knows", { urgency: "soonish" }],
    ["a member at the top", { shiny: true }],
  ])("%s", (_name, more: JsonObject) => {
    const said = testEvent("state.changed", { from_state: "idle", to_state: "thinking", ...more });
    expect(hear(new SubscriptionFilter(), said)).toMatchObject({ incoming: [{ event: said }], troubles: [] });
  });

  it("a type that is written as a URI is the same type", () => {
    const said = testEvent("x", { type: "https://aaep-protocol.org/types/agent.session.errored" });
    expect(hear(new SubscriptionFilter(), said).incoming).toMatchObject([
      { type: "aaep:agent.session.errored", critical: true, core: true },
    ]);
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["no type", "{}"],
    ["no context", JSON.stringify({ ...testEvent("session.started"), "@context": "https://example.com" })],
    ["no usable id", JSON.stringify({ ...testEvent("session.started"), event_id: "evt_a-b" })],
    ["no session", JSON.stringify({ ...testEvent("session.started"), session_id: undefined })],
    ["no producer", JSON.stringify({ ...testEvent("session.started"), producer: {} })],
    ["a key twice", '{"type":"a:b","type":"a:c"}'],
  ])("what cannot be used is told, and ends nothing: %s", (_name, text) => {
    const sieve = new SubscriptionFilter();
    expect(sieve.handle({ text }, 0, NOW)).toMatchObject({ incoming: [], troubles: [{ kind: "malformed", text }] });
    expect(hear(sieve, testEvent("session.started")).incoming).toHaveLength(1);
  });

  it("messages are told apart from events", () => {
    const sieve = new SubscriptionFilter();
    expect(hear(sieve, { type: "subscription.accepted" }).message?.type).toBe("subscription.accepted");
    expect(hear(sieve, { type: "opsx:reply", what: 1 }).message?.type).toBe("opsx:reply");
    expect(hear(sieve, { kind: "user_input.ack" }).message?.type).toBe("user_input.ack");
  });
});

describe("events that are numbered", () => {
  const numbered = (number: number, more: JsonObject = {}) => testEvent("tool.invoked", { sequence_number: number, ...more });

  it("are put in order, whatever order they come in", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 9 }), (order) => {
        const sieve = new SubscriptionFilter();
        const all = [0, ...order].map((number) => [number, numbered(number)] as const);
        const heard = all.flatMap(([, said]) => hear(sieve, said).incoming);
        expect(heard.map((one) => one.event["sequence_number"])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("are not waited for any longer than they are told to, and then no more in this session", () => {
    const sieve = new SubscriptionFilter({ holdMs: 100 });
    hear(sieve, numbered(0));
    expect(hear(sieve, numbered(2), 10).incoming).toEqual([]);
    expect(sieve.dueAt()).toBe(110);
    expect(sieve.tick(109, NOW).incoming).toEqual([]);
    expect(sieve.tick(110, NOW)).toMatchObject({ incoming: [{ session: "sess_1" }], troubles: [{ kind: "gap", from: 1, to: 1 }] });
    expect(hear(sieve, numbered(5), 120)).toMatchObject({ incoming: [{}], troubles: [{ kind: "gap", from: 3, to: 4 }] });
    expect(hear(sieve, numbered(4), 130)).toMatchObject({ incoming: [{}], troubles: [{ kind: "out-of-order", number: 4 }] });
  });

  it("are not waited for by what is critical", () => {
    const sieve = new SubscriptionFilter();
    hear(sieve, numbered(0));
    const held = numbered(2);
    hear(sieve, held);
    const asked = confirmationEvent("rpl_1", { sequence_number: 4 });
    expect(ids(hear(sieve, asked).incoming)).toEqual([held["event_id"], asked["event_id"]]);
  });

  it("are not overtaken by the end of their session", () => {
    const sieve = new SubscriptionFilter();
    hear(sieve, numbered(0));
    const held = numbered(2);
    hear(sieve, held);
    const end = testEvent("session.completed", { summary_normal: "Done." });
    expect(ids(hear(sieve, end).incoming)).toEqual([held["event_id"], end["event_id"]]);
  });

  it("begin anywhere after the stream was joined anew", () => {
    const sieve = new SubscriptionFilter();
    hear(sieve, numbered(0));
    const held = numbered(2);
    hear(sieve, held);
    expect(ids(sieve.rejoin(5, NOW).incoming)).toEqual([held["event_id"]]);
    expect(hear(sieve, numbered(40))).toMatchObject({ incoming: [{}], troubles: [] });
  });

  it("of many sessions at once are never lost, and what is held stays within bounds", () => {
    const sieve = new SubscriptionFilter();
    let count = 0;
    for (let session = 0; session < 3000; session++) {
      count += hear(sieve, numbered(0, { session_id: `sess_${session}` })).incoming.length;
      count += hear(sieve, numbered(2, { session_id: `sess_${session}` })).incoming.length;
    }
    expect(count + sieve.tick(1e9, NOW).incoming.length).toBe(6000);
  });
});

describe("a question stays open", () => {
  const open = (sieve: SubscriptionFilter) => sieve.prompts.list().map(({ token }) => token);

  it("until it is answered from here", () => {
    const sieve = new SubscriptionFilter();
    hear(sieve, confirmationEvent("rpl_1"));
    expect(open(sieve)).toEqual(["rpl_1"]);
    sieve.prompts.answered("rpl_1");
    expect(open(sieve)).toEqual([]);
  });

  it("until time is up, of which what was long on its way has less left", () => {
    const sieve = new SubscriptionFilter();
    hear(sieve, confirmationEvent("rpl_1", { timeout_seconds: 60, timestamp: "2026-07-01T08:59:40.000Z" }), 1000);
    expect(sieve.dueAt()).toBe(41_000);
    expect(sieve.tick(40_999, NOW).closed).toEqual([]);
    expect(sieve.tick(41_000, NOW).closed).toMatchObject([{ prompt: { token: "rpl_1" }, why: "deadline" }]);
  });

  it("and a producer whose clock is ahead gives no more time than it said", () => {
    const sieve = new SubscriptionFilter();
    hear(sieve, confirmationEvent("rpl_1", { timeout_seconds: 60, timestamp: "2026-07-01T10:00:00.000Z" }), 0);
    expect(sieve.dueAt()).toBe(60_000);
  });

  it.each([
    ["the producer goes on", testEvent("state.changed", { from_state: "awaiting_input", to_state: "thinking" }), "went-on"],
    ["the session ends", testEvent("session.cancelled", { cancelled_by: "user", summary_normal: "Stopped." }), "session-ended"],
    [
      "it is told that it was answered elsewhere",
      testEvent("state.changed", {
        from_state: "awaiting_input",
        to_state: "awaiting_input",
        extensions: { earshot: { resolved: "rpl_1" } },
      }),
      "resolved",
    ],
  ])("until %s", (_name, said, why) => {
    const sieve = new SubscriptionFilter();
    hear(sieve, confirmationEvent("rpl_1"));
    expect(hear(sieve, said).closed).toMatchObject([{ prompt: { token: "rpl_1" }, why }]);
    expect(open(sieve)).toEqual([]);
  });

  it.each([
    ["another session", { session_id: "sess_2", from_state: "awaiting_input", to_state: "thinking" }],
    ["another agent", { producer: { agent_id: "other" }, from_state: "awaiting_input", to_state: "thinking" }],
    ["a summary of where things stand", { from_state: "awaiting_input", to_state: "awaiting_input" }],
    ["another question", { from_state: "thinking", to_state: "deciding", extensions: { earshot: { resolved: "rpl_9" } } }],
  ])("whatever is said of %s", (_name, more: JsonObject) => {
    const sieve = new SubscriptionFilter();
    hear(sieve, confirmationEvent("rpl_1"));
    expect(hear(sieve, testEvent("state.changed", more)).closed).toEqual([]);
    expect(open(sieve)).toEqual(["rpl_1"]);
  });

  it("beside another one, of which nobody can tell which was meant", () => {
    const sieve = new SubscriptionFilter();
    hear(sieve, confirmationEvent("rpl_1"));
    hear(sieve, confirmationEvent("rpl_2"));
    hear(sieve, testEvent("state.changed", { from_state: "awaiting_input", to_state: "thinking" }));
    expect(open(sieve)).toEqual(["rpl_1", "rpl_2"]);
  });

  it("and there are never more than so many", () => {
    const sieve = new SubscriptionFilter();
    for (let index = 0; index < 1000; index++) hear(sieve, confirmationEvent(`rpl_${index}`));
    expect(open(sieve)).toHaveLength(256);
    expect(open(sieve).at(-1)).toBe("rpl_999");
  });
});
