import type { JsonValue } from "@earshot/protocol";
import { describe, expect, test } from "vitest";
import { type OpenTexts, redactChunkEvent } from "./redact-chunk-events.ts";
import { redactJson } from "./redact-json.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;

function output(chunk: string, members: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  return { type: "aaep:agent.output.streaming", producer: { agent_id: "bot" }, chunk, position: 0, complete: false, ...members };
}

function delta(text: string, type = "response", members: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  return { type: "model.delta", agent: { slug: "claude" }, content: [{ type, text }], ...members };
}

function hear(open: OpenTexts, protocol: "aaep" | "aep" | "aop", type: string, value: JsonValue): string {
  const text = JSON.stringify(value);
  // Complete secrets are masked before, as at intake.
  const alone = redactJson(text, value);
  const said = { protocol, type, value: alone?.value ?? value };
  const redacted = redactChunkEvent(open, said, alone?.text ?? text);
  if (redacted !== undefined) expect(JSON.parse(redacted.text)).toEqual(redacted.value);
  return redacted?.text ?? alone?.text ?? text;
}

describe("texts that come in pieces", () => {
  test("AAEP: split at every place, nothing is kept of a secret", () => {
    for (let at = 0; at <= SECRET.length; at++) {
      const open: OpenTexts = new Map();
      const one = hear(open, "aaep", "agent.output.streaming", output(`key ${SECRET.slice(0, at)}`));
      const two = hear(open, "aaep", "agent.output.streaming", output(`${SECRET.slice(at)} ok`, { complete: true }));
      expect(one + two).not.toContain("a1B2");
      expect(one + two).toContain("key ");
      expect(two).toContain(" ok");
      expect(open.size).toBe(0);
    }
  });

  test("AEP: each kind of content is a text of its own", () => {
    const open: OpenTexts = new Map();
    hear(open, "aep", "model.delta", delta(`key ${SECRET.slice(0, 32)}`));
    expect(hear(open, "aep", "model.delta", delta("thinking", "thought"))).toContain("thinking");
    expect(hear(open, "aep", "model.delta", delta(`${SECRET.slice(32)} ok`))).toContain("████████ ok");
  });

  test("only the piece is rewritten, and marked", () => {
    const open: OpenTexts = new Map();
    const first = output("use AKIA", { extensions: { x: { n: 1, s: "AKIA" } } });
    redactChunkEvent(open, { protocol: "aaep", type: "agent.output.streaming", value: first }, JSON.stringify(first));
    const text =
      '{"type":"aaep:agent.output.streaming", "producer":{"agent_id":"bot"},"chunk":"IOSFODNN7EXAMPLE.","position": 1.0,"complete":false}';
    const redacted = redactChunkEvent(
      open,
      { protocol: "aaep", type: "agent.output.streaming", value: JSON.parse(text) as JsonValue },
      text,
    );
    expect(redacted?.text).toBe(text.replace("IOSFODNN7EXAMPLE", "████████████████"));
    expect(redacted?.marks).toEqual([{ pointer: "/chunk", shape: "AWS access key", length: 16 }]);
  });

  test("outputs and agents are kept apart", () => {
    const open: OpenTexts = new Map();
    hear(open, "aaep", "agent.output.streaming", output(SECRET.slice(0, -3), { output_id: "out_1" }));
    expect(hear(open, "aaep", "agent.output.streaming", output("abc ok", { output_id: "out_2" }))).toContain("abc ok");
    expect(hear(open, "aaep", "agent.output.streaming", output("abc ok", { producer: { agent_id: "other" } }))).toContain("abc ok");
    expect(hear(open, "aaep", "agent.output.streaming", output("1B2 ok", { output_id: "out_1" }))).toContain("███ ok");
  });

  test("the last piece, the answer and the next prompt end a text", () => {
    const open: OpenTexts = new Map();
    hear(open, "aaep", "agent.output.streaming", output("ghp_", { complete: true }));
    expect(open.size).toBe(0);
    hear(open, "aep", "model.delta", delta("ghp_"));
    expect(open.size).toBe(1);
    hear(open, "aep", "model.response", { type: "model.response", agent: { slug: "claude" }, content: [] });
    expect(open.size).toBe(0);
  });

  test("at most sixteen are open, the oldest is forgotten", () => {
    const open: OpenTexts = new Map();
    for (let count = 0; count < 40; count++)
      hear(open, "aaep", "agent.output.streaming", output(SECRET.slice(0, -3), { output_id: `out_${count}` }));
    expect(open.size).toBe(16);
    expect(hear(open, "aaep", "agent.output.streaming", output("1B2 ok", { output_id: "out_39" }))).toContain("███ ok");
  });

  test.each<readonly ["aaep" | "aep" | "aop", string, JsonValue]>([
    ["aop", "cognition.thought", { type: "cognition.thought", payload: { content: "ghp_" } }],
    ["aaep", "agent.tool.invoked", { type: "aaep:agent.tool.invoked", args_summary: "ghp_" }],
    ["aaep", "agent.output.streaming", { chunk: 7 }],
    ["aep", "model.delta", { content: ["x", { text: 1 }, null] }],
    ["aep", "model.delta", { content: "x" }],
    ["aep", "model.delta", []],
  ])("other events are left alone: %s %s %j", (protocol, type, value) => {
    const open: OpenTexts = new Map();
    expect(redactChunkEvent(open, { protocol, type, value }, JSON.stringify(value))).toBeUndefined();
    expect(open.size).toBe(0);
  });
});
