import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { ReceivedStream } from "../peer/peer.ts";
import { findMissing } from "./several-connections.ts";

let next = 0;
const event = (name: string, fields: JsonObject = {}): JsonObject => ({
  type: `aaep:agent.${name}`,
  event_id: `evt_${++next}`,
  session_id: "sess_1",
  ...fields,
});
const state = (from: string, to: string) => event("state.changed", { from_state: from, to_state: to });
const chunk = (text: string, position: number) => event("output.streaming", { chunk: text, position, complete: false });

function heard(...events: readonly JsonObject[]) {
  const stream = new ReceivedStream();
  for (const one of events) stream.push(JSON.stringify(one));
  return stream.items;
}
const missing = (whole: readonly JsonObject[], part: readonly JsonObject[]) =>
  findMissing(heard(...whole), heard(...part)).map(({ what }) => what);

describe("what one subscription heard and another did not", () => {
  it("is nothing when both heard the same, in whatever order and however often", () => {
    const whole = [event("session.started"), state("idle", "thinking"), event("tool.invoked")];
    expect(missing(whole, [...whole, ...whole.slice(0, 1)])).toEqual([]);
  });

  it("is an event that cannot be merged", () => {
    const [first, second] = [event("tool.invoked"), event("tool.completed")];
    expect(missing([first, second], [first])).toEqual(["the event agent.tool.completed"]);
  });

  it("is not the way in which output was cut", () => {
    expect(missing([chunk("One. ", 0), chunk("Two.", 5)], [chunk("One. Two.", 0)])).toEqual([]);
  });

  it("is a part of the output", () => {
    expect(missing([chunk("One. ", 0), chunk("Two.", 5)], [chunk("Two.", 5)])).toEqual(["a part of the output"]);
  });

  it("is not the way in which states were merged", () => {
    expect(missing([state("idle", "thinking"), state("thinking", "calling_tool")], [state("idle", "calling_tool")])).toEqual([]);
  });

  it("is a change of state that leaves a gap, or the last one", () => {
    const [first, second, third] = [state("idle", "thinking"), state("thinking", "calling_tool"), state("calling_tool", "writing_output")];
    expect(missing([first, second, third], [first, third])).toEqual(["a change of state (thinking is left as calling_tool)"]);
    expect(missing([first, second], [first])).toEqual(["the state calling_tool"]);
  });
});
