import { describe, expect, it } from "vitest";
import { EventReader, type ReadableEvent, WrittenEvents } from "./read-event.ts";

const AOP = {
  spec: "aop/1.0",
  session_id: "s",
  agent_id: "a",
  sequence: 3,
  timestamp: "2026-01-01T00:00:00.000Z",
  type: "cognition.thought",
  payload: { content: "So." },
};
const AAEP = {
  "@context": "https://aaep-protocol.org/context/v1",
  type: "aaep:agent.progress.updated",
  event_id: "evt_1",
  session_id: "sess_1",
  timestamp: "2026-01-01T00:00:00.000Z",
  producer: { agent_id: "bot" },
};

function read(value: object | string): ReadableEvent {
  const reading = new EventReader().read(typeof value === "string" ? value : JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.why);
  return reading.said;
}

describe("what is said", () => {
  it("is kept as it was said, on one line", () => {
    const text =
      '{ "spec":"aop/1.0","session_id":"s","agent_id":"a","sequence":1.0,\r\n"timestamp":"t","type":"x.y","payload":{"big":1e2} }';
    expect(read(`${text}\n`).text).toBe(text.replace("\r\n", "  "));
  });

  it.each([
    ["no JSON", "hello"],
    ["no object", "[1]"],
    ["nothing known", "{}"],
    ["a key twice", '{"spec":"aop/1.0","spec":"aop/1.0"}'],
    ["a frame of a stream", JSON.stringify({ kind: "alert", data: { session_id: "s" } })],
    ["the greeting of a stream", JSON.stringify({ type: "connected", timestamp: "2026-01-01T00:00:00.000Z" })],
  ])("is no event where it is %s", (_what, text) => {
    expect(new EventReader().read(text)).toEqual({ ok: false, why: "not an event" });
  });

  it("is a message where it answers or asks for something", () => {
    const reply = { type: "subscription.close", subscription_id: "sub_1", reason_code: "subscriber_shutdown" };
    expect(new EventReader().read(JSON.stringify(reply))).toEqual({ ok: false, why: "message" });
  });

  it("is still an event where something is wrong with it", () => {
    expect(read({ ...AAEP, event_id: "wrong id" }).reading.kind).toBe("event");
    expect(read({ ...AOP, sequence: "3" }).reading.kind).toBe("event");
  });
});

describe("an event that comes again", () => {
  it("is known by its id, or by its number, and by what it says", () => {
    const written = new WrittenEvents();
    for (const event of [AOP, AAEP]) {
      expect(written.add(read(event))).toBe(true);
      expect(written.add(read(event))).toBe(false);
    }
    expect(written.add(read({ ...AAEP, event_id: "evt_2" }))).toBe(true);
    expect(written.add(read({ ...AOP, agent_id: "b" }))).toBe(true);
    expect(written.add(read({ ...AOP, sequence: 4 }))).toBe(true);
  });

  it("is another one where it says something else, and that one is known from then on, too", () => {
    const written = new WrittenEvents();
    for (const event of [AOP, { ...AOP, payload: { content: "Or so." } }, { ...AAEP }, { ...AAEP, summary_normal: "New." }]) {
      expect(written.add(read(event))).toBe(true);
      expect(written.add(read(event))).toBe(false);
    }
  });

  it("is the same when a collector gives it back in another shape", () => {
    const written = new WrittenEvents();
    written.add(read({ ...AOP, extra: true }));
    const { spec, session_id, agent_id, ...rest } = AOP;
    expect(written.add(read({ spec, session_id, parent_session_id: null, agent_id, agent_version: null, ...rest }))).toBe(false);
  });

  it("is forgotten when there are too many, and that is counted", () => {
    const written = new WrittenEvents(100);
    for (let sequence = 1; sequence <= 250; sequence++) written.add(read({ ...AOP, sequence }));
    expect(written.forgotten).toBe(100);
  });
});
