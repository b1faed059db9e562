import { describe, expect, it } from "vitest";
import { CONFORMANCE_CASES } from "../../../protocol/testing/conformance.ts";
import { Checker } from "../check/checker.ts";
import { createFreshen, createFreshIds, shiftTimestamp } from "./freshen.ts";
import { type Playable, readRecorded } from "./recorded.ts";

function playable(event: object): Playable {
  const read = readRecorded(JSON.stringify(event), 1, undefined);
  if (read === undefined || "damaged" in read) throw new Error("It cannot be played.");
  return read;
}

const AEP = {
  aep_version: "0.1",
  id: "0f7b2a52-90a1-7c3d-8e4f-001122334455",
  type: "action.completed",
  time: "2026-01-01T10:00:00.123456+02:00",
  agent: { slug: "claude-code", instance_id: "i1" },
  session: { id: "s1", conversation_id: "s1", parent: { conversation_id: "s0", spawning_action_id: "a0" } },
  action: { type: "tool_call", id: "a1", input: { id: "a1", session_id: "s1" } },
  decision: { outcome: "allowed", time: "2026-01-01T08:00:00Z" },
  extensions: { "x-own": { parent_session_id: "s0", note: "s0" } },
};

describe("fresh ids", () => {
  const fresh = createFreshIds("seed");

  it("are the same for the same seed, and others for another", () => {
    expect(fresh("evt_1")).toBe(createFreshIds("seed")("evt_1"));
    expect(fresh("evt_1")).not.toBe(createFreshIds("other")("evt_1"));
    expect(fresh("evt_1")).not.toBe(fresh("evt_2"));
  });

  it("keep the form of the old ones, whether it is a good one or not", () => {
    expect(fresh("evt_1")).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(fresh(AEP.id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(fresh("")).toBe("");
    expect(fresh("evt-1")).toMatch(/^evt-1-[0-9a-f]{12}$/);
    expect(fresh("a\nb")).toContain("\n");
    expect(fresh("x".repeat(128))).toHaveLength(128);
    expect(fresh("x".repeat(129)).length).toBeGreaterThan(128);
  });

  it("stand wherever the protocol refers to an id, and nowhere else", () => {
    const { value } = createFreshen({ seed: "seed" })(playable(AEP));
    expect(value).toEqual({
      ...AEP,
      id: fresh(AEP.id),
      agent: { slug: "claude-code", instance_id: fresh("i1") },
      session: { id: fresh("s1"), conversation_id: fresh("s1"), parent: { conversation_id: fresh("s0"), spawning_action_id: fresh("a0") } },
      action: { type: "tool_call", id: fresh("a1"), input: { id: "a1", session_id: "s1" } },
      extensions: { "x-own": { parent_session_id: fresh("s0"), note: "s0" } },
    });
    const aaep = {
      "@context": "https://aaep-protocol.org/context/v1",
      type: "aaep:agent.state.changed",
      event_id: "evt_2",
      session_id: "sess_1",
      tool: "call_home",
      extensions: { earshot: { resolved: "rpl_1", question: "evt_1", outcome: "accepted" } },
    };
    expect(createFreshen({ seed: "seed" })(playable(aaep)).value).toEqual({
      ...aaep,
      event_id: fresh("evt_2"),
      session_id: fresh("sess_1"),
      extensions: { earshot: { resolved: fresh("rpl_1"), question: fresh("evt_1"), outcome: "accepted" } },
    });
    const aop = {
      spec: "aop/1.0",
      session_id: "s",
      parent_session_id: null,
      agent_id: "s",
      sequence: 1,
      payload: { tool_call_id: "c", child_session_id: "k" },
    };
    expect(createFreshen({ seed: "seed" })(playable(aop)).value).toEqual({
      ...aop,
      session_id: fresh("s"),
      payload: { tool_call_id: fresh("c"), child_session_id: fresh("k") },
    });
  });
});

describe("fresh times", () => {
  it("are written as the old ones were", () => {
    expect(shiftTimestamp("2026-01-01T10:00:00.123456+02:00", 86_401)).toBe("2026-01-02T10:00:01.123456+02:00");
    expect(shiftTimestamp("2026-12-31T23:59:60Z", 1)).toBe("2027-01-01T00:00:01Z");
    expect(shiftTimestamp("yesterday", 1)).toBe("yesterday");
    expect(shiftTimestamp("9999-12-31T23:59:59Z", 1)).toBe("9999-12-31T23:59:59Z");
  });

  it("begin now, keep their distance, and leave the pace alone", () => {
    const freshen = createFreshen({ firstAtMs: Date.UTC(2030, 0, 1) });
    expect(freshen(playable({ ...AEP, time: "soon" })).value["time"]).toBe("soon");
    const first = freshen(playable(AEP));
    expect(first).toMatchObject({ atMs: Date.UTC(2026, 0, 1, 8, 0, 0, 123) + 0.456 });
    expect(first.value).toEqual({
      ...AEP,
      time: "2030-01-01T02:00:00.123456+02:00",
      decision: { outcome: "allowed", time: "2030-01-01T00:00:00Z" },
    });
    expect(freshen(playable({ ...AEP, time: "2026-01-01T08:00:09Z" })).value["time"]).toBe("2030-01-01T00:00:09Z");
  });
});

it("leaves every verdict on the conformance recordings as it was", () => {
  for (const { id, lines } of CONFORMANCE_CASES) {
    const freshen = createFreshen({ seed: "seed", firstAtMs: Date.UTC(2030, 0, 1) });
    const fresh = lines.map((line, index) => {
      const read = readRecorded(line, index + 1, undefined);
      return read === undefined || "damaged" in read ? line : freshen(read).text;
    });
    expect([id, ...rulesIn(fresh)]).toEqual([id, ...rulesIn(lines)]);
  }
});

function rulesIn(lines: readonly string[]): readonly string[] {
  const checker = new Checker({ file: "", protocol: "auto", measureCoverage: false, baseline: [], idCapacity: 1 << 12 });
  for (const [index, line] of lines.entries()) checker.handle(line, index + 1, Buffer.byteLength(line));
  return checker.end().problems.map(({ line, code, rule, pointer }) => `${line} ${code} ${rule} ${pointer}`);
}
