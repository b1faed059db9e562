import type { JsonValue } from "@earshot/protocol";
import { describe, expect, test } from "vitest";
import { type ChunkState, createChunkState, redactChunkEvent } from "./redact-chunk-events.ts";
import { redactJson } from "./redact-json.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;

function output(chunk: string, members: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  return { type: "aaep:agent.output.streaming", producer: { agent_id: "bot" }, chunk, position: 0, complete: false, ...members };
}

function delta(text: string, type = "response", members: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  return { type: "model.delta", agent: { slug: "claude" }, content: [{ type, text }], ...members };
}

function hear(state: ChunkState, protocol: "aaep" | "aep" | "aop", type: string, value: JsonValue): string {
  const text = JSON.stringify(value);
  // As at intake: what is secret by itself is masked before.
  const alone = redactJson(text, value);
  const said = { protocol, type, value: alone?.value ?? value };
  const redacted = redactChunkEvent(state, said, alone?.text ?? text, alone?.marks);
  if (redacted !== undefined) expect(JSON.parse(redacted.text)).toEqual(redacted.value);
  // The state is stored and taken up again.
  state.open.splice(0, state.open.length, ...(JSON.parse(JSON.stringify(state)) as ChunkState).open);
  return redacted?.text ?? alone?.text ?? text;
}

describe("texts that come in pieces", () => {
  test("AAEP: split at every place, nothing is kept of a secret", () => {
    for (let at = 0; at <= SECRET.length; at++) {
      const state = createChunkState();
      const one = hear(state, "aaep", "agent.output.streaming", output(`key ${SECRET.slice(0, at)}`));
      const two = hear(state, "aaep", "agent.output.streaming", output(`${SECRET.slice(at)} ok`, { complete: true }));
      expect(one + two).not.toContain("a1B2");
      expect(one + two).toContain("key ");
      expect(two).toContain(" ok");
      expect(state.open).toEqual([]);
    }
  });

  test("AEP: each kind of content is a text of its own", () => {
    const state = createChunkState();
    hear(state, "aep", "model.delta", delta("key ghp_a1B2"));
    expect(hear(state, "aep", "model.delta", delta("thinking", "thought"))).toContain("thinking");
    expect(hear(state, "aep", "model.delta", delta("a1B2a1B2 ok"))).toContain("████████ ok");
  });

  test("only the piece is rewritten, and marked", () => {
    const state = createChunkState();
    const first = output("use AKIA", { extensions: { x: { n: 1, s: "AKIA" } } });
    redactChunkEvent(state, { protocol: "aaep", type: "agent.output.streaming", value: first }, JSON.stringify(first));
    const text =
      '{"type":"aaep:agent.output.streaming", "producer":{"agent_id":"bot"},"chunk":"IOSFODNN7EXAMPLE.","position": 1.0,"complete":false}';
    const redacted = redactChunkEvent(
      state,
      { protocol: "aaep", type: "agent.output.streaming", value: JSON.parse(text) as JsonValue },
      text,
    );
    expect(redacted?.text).toBe(text.replace("IOSFODNN7EXAMPLE", "████████████████"));
    expect(redacted?.marks).toEqual([{ pointer: "/chunk", shape: "AWS access key", length: 16 }]);
  });

  test("outputs and agents are kept apart", () => {
    const state = createChunkState();
    hear(state, "aaep", "agent.output.streaming", output("ghp_a", { output_id: "out_1" }));
    expect(hear(state, "aaep", "agent.output.streaming", output("abc ok", { output_id: "out_2" }))).toContain("abc ok");
    expect(hear(state, "aaep", "agent.output.streaming", output("abc ok", { producer: { agent_id: "other" } }))).toContain("abc ok");
    expect(hear(state, "aaep", "agent.output.streaming", output("abc ok", { output_id: "out_1" }))).toContain("███ ok");
  });

  test("the last piece, the answer and the next prompt end a text", () => {
    const state = createChunkState();
    hear(state, "aaep", "agent.output.streaming", output("ghp_", { complete: true }));
    expect(state.open).toEqual([]);
    hear(state, "aep", "model.delta", delta("ghp_"));
    expect(state.open.length).toBe(1);
    hear(state, "aep", "model.response", { type: "model.response", agent: { slug: "claude" }, content: [] });
    expect(state.open).toEqual([]);
  });

  test("at most sixteen are open, the oldest is forgotten", () => {
    const state = createChunkState();
    for (let count = 0; count < 40; count++) hear(state, "aaep", "agent.output.streaming", output("ghp_a", { output_id: `out_${count}` }));
    expect(state.open.length).toBe(16);
    expect(JSON.stringify(state).length).toBeLessThan(2000);
    expect(hear(state, "aaep", "agent.output.streaming", output("abc ok", { output_id: "out_39" }))).toContain("███ ok");
  });

  test.each<readonly ["aaep" | "aep" | "aop", string, JsonValue]>([
    ["aop", "cognition.thought", { type: "cognition.thought", payload: { content: "ghp_" } }],
    ["aaep", "agent.tool.invoked", { type: "aaep:agent.tool.invoked", args_summary: "ghp_" }],
    ["aaep", "agent.output.streaming", { chunk: 7 }],
    ["aep", "model.delta", { content: ["x", { text: 1 }, null] }],
    ["aep", "model.delta", { content: "x" }],
    ["aep", "model.delta", []],
  ])("other events are left alone: %s %s %j", (protocol, type, value) => {
    const state = createChunkState();
    expect(redactChunkEvent(state, { protocol, type, value }, JSON.stringify(value))).toBeUndefined();
    expect(state.open).toEqual([]);
  });
});
