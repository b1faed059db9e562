import { describe, expect, it } from "vitest";
import { AaepEventWriter } from "./event-writer.ts";

function writer(now: () => number = () => Date.UTC(2026, 0, 1)): AaepEventWriter {
  let ids = 0;
  const newId = () => `evt_${++ids}`;
  return new AaepEventWriter({
    sessionId: "sess_1",
    producer: { agent_id: "tester" },
    language: "de",
    correlationId: "trace-1",
    now,
    newId,
  });
}

describe("an event", () => {
  it("has its members in the order in which people read them", () => {
    const { event, text } = writer().write(
      "state.changed",
      { from_state: "idle" },
      { urgency: "background", extension: { resolved: "rpl_1" } },
    );
    expect(JSON.parse(text)).toEqual(event);
    expect(event).toEqual({
      "@context": ["https://aaep-protocol.org/context/v1", "urn:earshot:aaep:v1"],
      aaep_version: "1.0.0",
      type: "aaep:agent.state.changed",
      event_id: "evt_1",
      session_id: "sess_1",
      timestamp: "2026-01-01T00:00:00.000Z",
      producer: { agent_id: "tester" },
      verbosity: "normal",
      urgency: "background",
      localization_hints: { primary_language: "de" },
      correlation_id: "trace-1",
      from_state: "idle",
      extensions: { earshot: { resolved: "rpl_1" } },
    });
    expect(Object.keys(event).indexOf("from_state")).toBe(Object.keys(event).length - 2);
  });

  it("is never dated before the one before it, and where it follows from a deadline not before that", () => {
    const times = [5000, 4000, 6000, 6999, 6000];
    const { write } = ((one: AaepEventWriter) => ({ write: one.write.bind(one) }))(writer(() => times.shift() ?? 0));
    expect([write("a", {}).ms, write("b", {}).ms, write("c", {}).ms]).toEqual([5000, 5000, 6000]);
    expect(write("d", {}, { notBeforeMs: 7000 }).ms).toBe(7000);
    // A clock that was set back is not trusted that far.
    expect(write("e", {}, { notBeforeMs: 700_000 }).ms).toBe(7000);
  });

  it("fits into a message, however much is said", () => {
    for (const long of ["€".repeat(16_384), "\u0000".repeat(16_384), "😀".repeat(16_384)]) {
      const { text } = writer().write("x", { a: long, b: long, c: long, d: { e: long } });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
    }
  });
});
