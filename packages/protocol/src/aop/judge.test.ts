import { describe, expect, test } from "vitest";
import { hearAop } from "../../testing/aop.ts";
import { readItem } from "../../testing/read-item.ts";
import type { JsonObject } from "../json.ts";
import { createJudge } from "../judge.ts";
import type { TracedFinding } from "../protocol.ts";
import { AOP } from "./aop.ts";

const clock = (ms: number) => new Date(Date.UTC(2026, 2, 1, 10) + ms).toISOString();

function event(sequence: number, type: string, payload: object = {}, envelope: object = {}): JsonObject {
  const timestamp = clock(sequence * 100);
  return { spec: "aop/1.0", session_id: "s1", agent_id: "a", sequence, timestamp, type, payload, ...envelope } as JsonObject;
}
const started = (envelope: object = {}, payload: object = {}) => event(1, "session.started", payload, envelope);
const ended = (sequence: number, envelope: object = {}) => event(sequence, "session.ended", { outcome: "completed" }, envelope);
const start = (sequence: number, id: string) => event(sequence, "operation.tool_start", { tool_name: "t", tool_call_id: id });
const end = (sequence: number, id: string) => event(sequence, "operation.tool_end", { tool_name: "t", tool_call_id: id, success: true });
const beats = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => event(from + index, "session.heartbeat", { status: "running" }));
const severe = (recording: readonly JsonObject[]) =>
  hearAop(recording)
    .filter(({ severity }) => severity !== "info")
    .map(({ rule, at }) => `${rule} ${at}`);

function judge(recording: readonly JsonObject[], options: { idCapacity?: number; sessionCapacity?: number } = {}) {
  const told: TracedFinding[] = [];
  const made = createJudge(AOP, { ...options, tell: (each) => told.push(each) });
  recording.forEach((item, at) => {
    const { value, facts } = readItem(item);
    made.handle(AOP.read(value, facts), at, facts);
  });
  const early = told.map(({ finding }) => finding.rule);
  made.end();
  return { made, told, early, rules: told.map(({ finding }) => finding.rule) };
}

describe("arrival", () => {
  test("the end first, the start last", () => {
    expect(severe([ended(4), end(3, "c"), start(2, "c"), started()])).toEqual([]);
  });

  test("later than the window allows is judged late, without errors", () => {
    const others = beats(4, 60);
    expect(severe([started(), end(3, "c"), ...others, start(2, "c"), ended(64)])).toEqual([]);
    expect(severe([...beats(2, 60), started(), ended(62)])).toEqual([]);
    expect(severe([started(), start(2, "c"), ...others, ended(64), end(3, "c")])).toEqual([]);
  });

  test("a tool end without a start is told with the loss that may explain it", () => {
    const told = judge([started(), end(4, "c"), ended(5)]).told.find(({ finding }) => finding.rule === "aop/tool-end-needs-start");
    expect(told).toMatchObject({ at: 1, sessionId: "s1" });
    expect(told?.finding.hint).toContain("2 events");
  });

  test("what is open is told with the end when nothing is missing", () => {
    expect(judge([started(), start(2, "c"), ended(3)]).early).toContain("aop/tool-ends");
    expect(judge([started(), start(2, "c"), ended(4)]).early).not.toContain("aop/tool-ends");
  });

  test("the same event again is no event; another one with its number is an error", () => {
    const first = event(2, "acme.x", { a: 1 });
    expect(severe([started(), first, first, ended(3), first, started()])).toEqual([]);
    expect(severe([started(), first, event(2, "acme.x", { a: 2 }), ended(3)])).toEqual(["aop/sequence-unique 3"]);
  });

  test("the same event with the members that say nothing is the same event", () => {
    const first = event(2, "acme.x", { a: 1, b: 2 });
    const { type, payload: _, ...rest } = first;
    const again = { parent_session_id: null, type, payload: { b: 2, a: 1 }, agent_version: null, ...rest } as JsonObject;
    expect(severe([started(), first, again, ended(3)])).toEqual([]);
    expect(severe([started(), again, ended(3), first])).toEqual([]);
    const parent = { ...first, parent_session_id: "s0" };
    expect(severe([started(), first, parent, ended(3)])).toEqual(["aop/sequence-unique 3"]);
  });

  test("minus zero is no number to count with", () => {
    const told: string[] = [];
    const made = createJudge(AOP, { tell: ({ finding, at }) => told.push(`${finding.rule} ${at}`) });
    [event(0, "session.started"), { ...event(0, "acme.x"), sequence: -0 }, ended(1)].forEach((item, at) => {
      const facts = { depth: 2, bodyHash: at, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 1 };
      made.handle(AOP.read(item, facts), at, facts);
    });
    made.end();
    expect(told).toEqual(["aop/envelope-sequence 1"]);
  });

  test("another spelling is told once per session and spelling", () => {
    const tool = (sequence: number, type: string, more: object = {}) =>
      event(sequence, `operation.${type}`, { tool: "t", tool_call_id: "c", ...more });
    const recording = [
      started(),
      event(2, "cognition.thought", { reasoning: "Hm." }),
      event(3, "cognition.thought", { reasoning: "Hm." }),
      tool(4, "tool_start"),
      tool(5, "tool_end", { success: true, latency_ms: 1, output_summary: "x" }),
      event(6, "session.ended", { status: "completed" }),
    ];
    const other = recording.map((item) => ({ ...item, session_id: "s2" }));
    const { told } = judge([...recording, ...other]);
    const used = told.filter(({ finding }) => finding.rule === "aop/alias-used");
    const hints = ["content", "tool_name", "result_summary", "duration_ms", "outcome"].map((name) => `The documented name is \`${name}\`.`);
    for (const session of ["s1", "s2"]) {
      expect(used.filter(({ sessionId }) => sessionId === session).map(({ finding }) => finding.hint)).toEqual(hints);
    }
  });

  test.each([
    ["operation.tool_start", { tool_name: "t", tool_call_id: "c" }],
    ["operation.memory", { operation: "read" }],
    ["operation.external_call", { method: "GET", url: "https://x.example/" }],
    ["operation.agent_spawn", { child_session_id: "s2", child_agent_id: "b" }],
  ])("%s without a thought before it is worth a note", (type, payload) => {
    const thought = event(2, "cognition.thought", { content: "Hm." });
    const without = judge([started(), event(2, type, payload), ended(3)]).rules;
    expect(without).toContain("aop/thought-before-action");
    const withThought = judge([started(), thought, event(3, type, payload), event(4, type, payload), ended(5)]).rules;
    expect(withThought).not.toContain("aop/thought-before-action");
  });

  test("two counters in one session: one warning about the agent, no error", () => {
    const other = { agent_id: "b" };
    const recording = [
      started(),
      event(2, "acme.x"),
      event(1, "acme.y", {}, other),
      event(2, "acme.y", {}, other),
      event(3, "acme.x"),
      ended(4),
    ];
    expect(severe(recording)).toEqual(["aop/agent-id-constant 3"]);
  });

  test("one counter for two agents: the same", () => {
    expect(severe([started(), event(2, "acme.y", {}, { agent_id: "b" }), event(3, "acme.x"), ended(4)])).toEqual([
      "aop/agent-id-constant 2",
    ]);
  });

  test("a restart that counts anew is told once where the numbers are free", () => {
    const later = (sequence: number) => event(sequence, "acme.x", {}, { timestamp: clock(100_000 + sequence) });
    const recording = [
      event(10, "session.started"),
      event(11, "acme.x"),
      later(3),
      later(4),
      later(5),
      later(12),
      event(13, "acme.x", {}, { timestamp: clock(200_000) }),
    ];
    expect(severe(recording).filter((each) => each.startsWith("aop/sequence"))).toEqual(["aop/sequence-increases 3"]);
  });

  test("an event without a number does not make the rest look wrong", () => {
    const { sequence: _, ...bare } = start(2, "c");
    expect(severe([started(), bare as JsonObject, end(3, "c"), ended(4)])).toEqual(["aop/envelope-sequence 2"]);
    const { sequence: __, ...last } = ended(4);
    expect(severe([started(), start(2, "c"), last as JsonObject, end(3, "c")])).toEqual(["aop/envelope-sequence 3"]);
  });

  test("an unreadable call id does not make its other half look wrong", () => {
    const broken = event(2, "operation.tool_start", { tool_name: "t" });
    expect(severe([started(), broken, end(3, "c"), ended(4)])).toEqual(["aop/tool-start-payload 2"]);
  });

  test("messages of a stream are heard through their wrapping", () => {
    const frames = [{ type: "connected", timestamp: clock(0) }, started(), ended(2)].map((data, index) =>
      index === 0 ? data : { kind: "event", data },
    );
    expect(severe(frames as JsonObject[])).toEqual([]);
    expect(judge(frames as JsonObject[]).made.sessions).toBe(1);
  });
});

describe("the tree", () => {
  const thought = (envelope: object = {}) => event(2, "cognition.thought", { content: "Hm." }, envelope);
  const spawn = event(3, "operation.agent_spawn", { child_session_id: "s2", child_agent_id: "b", goal: "read" });
  const child = (goal: string, envelope: object = {}) => {
    const own = { session_id: "s2", agent_id: "b", parent_session_id: "s1", ...envelope };
    return [started(own, { goal }), ended(2, own)];
  };
  const parent = [started(), thought(), spawn, ended(4)];

  test.each([
    ["agree", child("read"), []],
    ["differ on the goal", child("write"), ["aop/spawn-agrees"]],
    ["differ on the agent", child("read", { agent_id: "c" }), ["aop/spawn-agrees"]],
    ["differ on the parent", child("read", { parent_session_id: "s7" }), ["aop/spawn-agrees"]],
    ["leave the parent to the spawn", child("read", { parent_session_id: null }), []],
  ])("spawn and child %s, whichever is heard first", (_, events, expected) => {
    const rules = (recording: readonly JsonObject[]) => judge(recording).rules.filter((rule) => rule !== "aop/sequence-complete");
    expect(rules([...parent, ...events])).toEqual(expected);
    expect(rules([...events, ...parent])).toEqual(expected);
  });

  test("a child that never speaks is worth a note", () => {
    expect(judge(parent).rules).toEqual(["aop/spawned-child-speaks"]);
  });

  test("two parents announcing one child, and a session announcing itself, are told", () => {
    const other = { session_id: "s3" };
    const second = [started(other), thought(other), { ...spawn, ...other }, ended(4, other)];
    expect(judge([...parent, ...second, ...child("read")]).rules).toEqual(["aop/spawn-agrees"]);
    const self = event(3, "operation.agent_spawn", { child_session_id: "s1", child_agent_id: "a" });
    expect(judge([started(), thought(), self, ended(4)]).rules).toEqual(["aop/spawn-agrees"]);
  });

  test("a circle of three is told once", () => {
    const member = (own: string, of: string) => [
      started({ session_id: own, parent_session_id: of }),
      ended(2, { session_id: own, parent_session_id: of }),
    ];
    expect(judge([...member("x", "y"), ...member("y", "z"), ...member("z", "x")]).rules).toEqual(["aop/tree-has-no-cycle"]);
  });
});

describe("bounds", () => {
  test("ended sessions are set to rest, and still known", () => {
    const many = Array.from({ length: 3000 }, (_, index) => [
      started({ session_id: `n${index}` }),
      ended(2, { session_id: `n${index}` }),
    ]).flat();
    const again = [
      started({ session_id: "n0" }),
      event(1, "session.started", { goal: "new" }, { session_id: "n1" }),
      event(3, "acme.x", {}, { session_id: "n2" }),
      ended(3, { session_id: "n3" }),
      event(0, "acme.x", {}, { session_id: "n4" }),
    ];
    const { made, rules } = judge([...many, ...again]);
    expect(rules).toEqual(["aop/sequence-unique", "aop/started-once", "aop/nothing-after-ended", "aop/ended-once"]);
    expect(made.sessions).toBe(3000);
    expect(made.forgotten).toBe(0);
  });

  test("what another agent says after a session was set to rest is not measured by the number of the end", () => {
    const other = { session_id: "pair", agent_id: "b" };
    const pair = [started({ session_id: "pair" }), event(1, "acme.x", {}, other), ended(2, { session_id: "pair" })];
    const many = Array.from({ length: 30 }, (_, index) => [started({ session_id: `n${index}` }), ended(2, { session_id: `n${index}` })]);
    const { rules } = judge([...pair, ...many.flat(), event(7, "acme.x", {}, other)], { sessionCapacity: 80 });
    expect(rules).toEqual(["aop/agent-id-constant"]);
  });

  test("past the bound of sessions the oldest is set aside and counted, without false findings", () => {
    const open = Array.from({ length: 50 }, (_, index) => started({ session_id: `n${index}` }));
    const { made, rules } = judge([...open, event(2, "acme.x", {}, { session_id: "n0" })], { sessionCapacity: 10 });
    expect(made.forgotten).toBe(40);
    expect(new Set(rules)).toEqual(new Set(["aop/ended-present"]));
  });

  test("a hundred thousand calls in one session stay bounded and raise nothing", () => {
    const protocol = AOP;
    const told: string[] = [];
    const made = createJudge(protocol, { tell: ({ finding }) => told.push(finding.rule) });
    let number = 1;
    const hear = (item: JsonObject) => {
      const facts = { depth: 2, bodyHash: number, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 1 };
      made.handle(protocol.read(item, facts), number, facts);
      number++;
    };
    hear(started());
    for (let call = 0; call < 50_000; call++) {
      hear(start(number, `c${call}`));
      hear(end(number, `c${call}`));
    }
    for (let call = 0; call < 5000; call++) hear(start(number, `open${call}`));
    for (let call = 0; call < 5000; call++) hear(end(number, `open${call}`));
    hear(ended(number));
    made.end();
    expect(told.filter((rule) => AOP.rules[rule]?.severity !== "info")).toEqual([]);
  });

  test("hostile ids are only ids", () => {
    const ids = ["__proto__", "constructor", "toString", "hasOwnProperty", ""];
    const calls = ids.flatMap((id, index) => [start(2 + index * 2, id), end(3 + index * 2, id)]);
    expect(severe([started(), ...calls, ended(2 + calls.length)])).toEqual([]);
    const sessions = ids
      .slice(0, 4)
      .flatMap((id) => [started({ session_id: id, agent_id: id }), ended(2, { session_id: id, agent_id: id })]);
    expect(severe(sessions)).toEqual([]);
  });
});
