import { describe, expect, it } from "vitest";
import type { LedgerEntry } from "../ledger/ledger.ts";
import { type LiveFilter, readyFilter } from "./frames.ts";

const ENTRY: LedgerEntry = {
  position: 1,
  receivedAt: 0,
  protocol: "aaep",
  source: "local",
  verified: true,
  session: "s1",
  sessionKey: 1,
  kind: "event",
  agent: "a1",
  type: "agent.tool.invoked",
  sequence: null,
  text: "{}",
  flags: [],
  redactions: [],
};

describe("a live filter", () => {
  it.each<[boolean, LiveFilter]>([
    [true, {}],
    [true, { session: "s1", agent: "a1", protocol: ["aop", "aaep"], type: ["agent.tool.invoked"], kind: "event" }],
    [false, { session: "s2" }],
    [false, { session: "" }],
    [false, { agent: "a" }],
    [false, { protocol: ["aop", "aep"] }],
    [true, { type: ["x", "agent.tool.*"] }],
    [true, { type: ["*"] }],
    [false, { type: ["agent.tool"] }],
    [false, { type: ["agent.output.*"] }],
    [false, { kind: "message" }],
    [false, { session: "s1", agent: "a2" }],
  ])("lets pass (%s) by %j", (passes, filter) => {
    expect(readyFilter(filter).matches(ENTRY)).toBe(passes);
  });

  it("has one key however its lists are written, so that equal filters share", () => {
    const one = readyFilter({ protocol: ["aop", "aep"], type: ["b", "a", "b"] });
    expect(one.key).toBe(readyFilter({ type: ["a", "b"], protocol: ["aep", "aop"] }).key);
    expect(one.key).not.toBe(readyFilter({ type: ["a", "b"], protocol: ["aep"] }).key);
    expect(readyFilter({ session: "x" }).key).not.toBe(readyFilter({ agent: "x" }).key);
  });

  it("leaves everything but the kind to the ledger", () => {
    expect(readyFilter({ session: "s", type: ["a.*"], kind: "event" }).inLedger).toEqual({ session: "s", type: ["a.*"] });
  });
});
