import { describe, expect, it } from "vitest";
import { EventReader } from "./read-event.ts";
import { Redactor } from "./redactor.ts";

const SECRET = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const chunk = (index: number, text: string, more: object = {}) =>
  JSON.stringify({
    "@context": "https://aaep-protocol.org/context/v1",
    type: "aaep:agent.output.streaming",
    event_id: `evt_${index}`,
    session_id: "sess_1",
    timestamp: "2026-01-01T00:00:00.000Z",
    producer: { agent_id: "bot" },
    output_id: "out_1",
    chunk: text,
    ...more,
  });

function redact(redactor: Redactor, text: string) {
  const reading = new EventReader().read(text);
  if (!reading.ok) throw new Error(reading.why);
  return redactor.redact(reading.said);
}

describe("what is written with --redact", () => {
  it("has no secret in it, and is otherwise as it was said", () => {
    const given = chunk(1, `The key is ${SECRET}.`, { complete: true });
    const redacted = redact(new Redactor(), given);
    expect(redacted).toMatchObject({ ok: true, masked: 1 });
    const text = redacted.ok ? redacted.text : "";
    expect(text).not.toContain(SECRET.slice(8, 20));
    expect(text.replaceAll(/█+/g, SECRET)).toBe(given);
    expect(redact(new Redactor(), chunk(1, "Nothing here."))).toEqual({ ok: true, text: chunk(1, "Nothing here."), masked: 0 });
  });

  it("has none that is told in pieces either", () => {
    const redactor = new Redactor();
    const begun = redact(redactor, chunk(1, `The key is ${SECRET.slice(0, 20)}`));
    const ended = redact(redactor, chunk(2, `${SECRET.slice(20)} and more`, { complete: true }));
    const text = [begun, ended].map((one) => (one.ok ? one.text : "")).join("\n");
    expect(text).not.toContain(SECRET.slice(22, 34));
    expect(text).toContain("and more");
    // Without the earlier parts the secret cannot be recognized.
    expect(redact(new Redactor(), chunk(2, `${SECRET.slice(20)} and more`))).toMatchObject({ masked: 0 });
  });

  it("leaves out an event with a secret in one of its ids", () => {
    expect(redact(new Redactor(), chunk(1, "x", { session_id: SECRET }))).toEqual({ ok: false });
  });
});
