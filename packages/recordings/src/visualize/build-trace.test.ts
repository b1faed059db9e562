import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { CONFORMANCE_CASES } from "../../../protocol/testing/conformance.ts";
import { buildTrace } from "./build-trace.ts";
import { renderSvg } from "./svg/svg.ts";
import { aaepSession, aopTraceEvents, CONFIRMATION_PAYLOAD, confirmationReplyEvent, gardenDay, traceOf } from "./testing/recording.ts";

describe("a trace", () => {
  it("has a lane for states, tools, requests and output", async () => {
    const { sections, counts } = await traceOf(gardenDay());
    expect(counts).toEqual({ error: 0, warning: 0, info: 0 });
    const [section] = sections;
    expect(sections).toHaveLength(1);
    expect(section?.state.spans?.map(({ word }) => word)).toEqual([
      "idle",
      "calling_tool",
      "awaiting_input",
      "calling_tool",
      "writing_output",
    ]);
    expect(section?.tools.spans?.map(({ tool, row, outcome, from, to }) => [tool, row, outcome, from.line, to.line])).toEqual([
      ["look", 0, "succeeded", 3, 5],
      ["measure", 1, "failed", 4, 6],
      ["saw", 0, "succeeded", 11, 12],
    ]);
    expect(section?.tools).toMatchObject({ count: 3, atOnce: 2, failed: 1 });
    expect(section?.requests.spans).toMatchObject([{ request: "confirmation", answer: "accept", prompt: "Cut down the old tree." }]);
    expect(section?.output.spans).toMatchObject([{ characters: 30, chunks: 2, open: false }]);
    expect(section?.outcome).toBe("completed");
  });

  it("puts the answer of a person at their own time, without setting the agent's clock by it", async () => {
    const [section] = (await traceOf(gardenDay())).sections;
    const [request] = section?.requests.spans ?? [];
    expect((request?.to.ms ?? 0) - (request?.from.ms ?? 0)).toBe(4000);
    const say = aaepSession();
    const early = [
      say("session.started", {}, 0),
      say("awaiting.confirmation", CONFIRMATION_PAYLOAD, 10),
      confirmationReplyEvent("rpl_0001", "reject", -500),
      say("session.completed", {}, 20),
    ];
    const [other] = (await traceOf(early)).sections;
    expect(other?.requests.spans?.[0]?.to.ms).toBe(other?.requests.spans?.[0]?.from.ms);
    expect(other?.axis.kind).toBe("time");
  });

  it("reads states from what an agent does when it tells none", async () => {
    const say = aopTraceEvents("s1", "planner");
    const [section] = (
      await traceOf([
        say(0, "session.started", { goal: "Plan the beds" }),
        say(1, "cognition.thought", { content: "Where is the sun?" }),
        say(2, "operation.tool_start", { tool_name: "look", tool_call_id: "a", input: {} }),
        say(4, "operation.tool_end", { tool_name: "look", tool_call_id: "a", success: true }),
        say(5, "session.ended", { outcome: "completed" }),
      ])
    ).sections;
    expect(section?.statesAreRead).toBe(true);
    expect(section?.state.spans?.map(({ state }) => state)).toEqual(["idle", "thinking", "calling_tool", "thinking"]);
  });

  it("marks what is open at the end, and says so", async () => {
    const say = aaepSession();
    const [section] = (await traceOf([say("session.started"), say("tool.invoked", { tool: "dig", tool_call_id: "call_1" })])).sections;
    expect(section?.tools.spans).toMatchObject([{ tool: "dig", open: true }]);
    expect(section?.outcome).toBeUndefined();
  });
});

describe("families", () => {
  const parent = aopTraceEvents("s1", "planner");
  const child = aopTraceEvents("s2", "digger", "s1");
  const events = [
    parent(0, "session.started", { goal: "Plan" }),
    parent(1, "operation.agent_spawn", { child_session_id: "s2", child_agent_id: "digger", goal: "Dig" }),
    child(2, "session.started", { goal: "Dig" }),
    child(8, "session.ended", { outcome: "completed" }),
    aopTraceEvents("s9", "stranger")(3, "session.started", {}),
    parent(10, "session.ended", { outcome: "completed" }),
  ];

  it("stand below each other on one axis, others have their own", async () => {
    const { sections } = await traceOf(events);
    expect(sections.map(({ session, depth, parent: above }) => [session, depth, above])).toEqual([
      ["s1", 0, undefined],
      ["s2", 1, 0],
      ["s9", 0, undefined],
    ]);
    expect(sections[1]?.axis).toEqual(sections[0]?.axis);
    expect(sections[2]?.axis).not.toEqual(sections[0]?.axis);
  });

  it("show a subagent in its parent's lane from its start to its own end", async () => {
    const [section] = (await traceOf(events)).sections;
    const [span] = section?.subagents.spans ?? [];
    expect(span).toMatchObject({ name: "digger", section: 1, open: false, outcome: "completed" });
    expect((span?.to.ms ?? 0) - (span?.from.ms ?? 0)).toBe(7000);
  });

  it("show a subagent that only speaks of its parent itself", async () => {
    const { sections } = await traceOf(events.filter((_event, index) => index !== 1));
    expect(sections[0]?.subagents.spans).toMatchObject([{ name: "digger", section: 1 }]);
  });

  it("survive two sessions that call each other parent", async () => {
    const { sections } = await traceOf([
      aopTraceEvents("a", "x", "b")(0, "session.started", {}),
      aopTraceEvents("b", "y", "a")(1, "session.started", {}),
    ]);
    expect(sections).toHaveLength(2);
  });

  it("are picked by the name of a session", async () => {
    const { sections, violations } = await traceOf(events, { session: "s1" });
    expect(sections.map(({ session }) => session)).toEqual(["s1", "s2"]);
    expect(violations.every(({ section }) => section !== undefined)).toBe(true);
    await expect(traceOf(events, { session: "s7" })).rejects.toThrow('The recording has no session "s7".');
  });
});

describe("bounds", () => {
  it("draws so many sections and counts the others", async () => {
    const many = Array.from({ length: 60 }, (_none, index) => aopTraceEvents(`s${index}`, "one")(index, "session.started", {}));
    const { sections, leftOut, events } = await traceOf(many);
    expect(sections).toHaveLength(40);
    expect(leftOut).toEqual({ sections: 20, events: 20 });
    expect(events).toBe(60);
  });

  it("keeps no spans of a lane that has too many, and counts them all", async () => {
    const say = aaepSession();
    const calls = Array.from({ length: 2000 }, (_none, index) => [
      say("tool.invoked", { tool: "dig", tool_call_id: `call_${index}` }),
      say("tool.completed", { tool: "dig", tool_call_id: `call_${index}`, status: "success" }),
    ]).flat();
    const [section] = (await traceOf([say("session.started"), ...calls, say("session.completed")])).sections;
    expect(section?.tools.spans).toBeUndefined();
    expect(section?.tools.count).toBe(2000);
    expect(section?.buckets.length).toBeLessThanOrEqual(512);
    expect(section?.buckets.reduce((sum, { events }) => sum + events, 0)).toBe(4002);
    expect(section?.buckets.reduce((sum, { toolsStarted }) => sum + toolsStarted, 0)).toBe(2000);
  });

  it("counts every broken rule, also those that are not listed", async () => {
    const say = aaepSession();
    const orphans = Array.from({ length: 2500 }, (_none, index) =>
      say("tool.completed", { tool: "dig", tool_call_id: `call_${index}`, status: "success" }),
    );
    const { violations, counts, sections } = await traceOf([say("session.started"), ...orphans, say("session.completed")]);
    expect(violations).toHaveLength(2000);
    expect(counts.error).toBeGreaterThanOrEqual(2500);
    expect(sections[0]?.violations.error).toBe(counts.error);
    expect(sections[0]?.buckets.reduce((sum, bucket) => sum + bucket.violations.error, 0)).toBe(counts.error);
  });
});

describe("what cannot be read", () => {
  it("is marked beside the sessions, at its line", async () => {
    const [start, ...rest] = gardenDay();
    const lines = [JSON.stringify(start), "{broken", ...rest.map((event) => JSON.stringify(event))].join("\n");
    const trace = await buildTrace(Readable.from([Buffer.from(lines)]), { title: "x" });
    expect(trace.unreadable).toBe(1);
    const [violation] = trace.violations;
    expect(violation).toMatchObject({ rule: "NOT_JSON", line: 2, severity: "error" });
    expect(trace.sections[violation?.section ?? -1]?.session).toBe("");
  });

  it("is refused when there is nothing in it", async () => {
    await expect(buildTrace(Readable.from([Buffer.from("\n\n")]), { title: "x" })).rejects.toThrow("There is no event in it.");
  });

  it("does not count frames of a stream that carry no event", async () => {
    const say = aopTraceEvents("s1", "planner");
    const trace = await traceOf([{ type: "connected" }, say(0, "session.started", {})]);
    expect(trace).toMatchObject({ events: 1, unreadable: 0, messages: 0 });
  });
});

describe("the clock", () => {
  it("gives way to the order when times go back", async () => {
    const say = aopTraceEvents("s1", "planner");
    const { sections, notes } = await traceOf([
      say(9, "session.started", {}),
      say(5, "cognition.thought", {}),
      say(1, "session.ended", {}),
    ]);
    expect(sections[0]?.axis).toMatchObject({ kind: "order", from: 1, to: 3 });
    expect(notes.some((note) => note.startsWith("Times that go back"))).toBe(true);
  });

  it("gives way to the order when there are no times", async () => {
    const events = gardenDay().map((event) => ({ ...event, timestamp: "yesterday" }));
    expect((await traceOf(events)).sections[0]?.axis.kind).toBe("order");
  });

  it("tells events on one line of an array apart", async () => {
    const say = aaepSession();
    const events = [
      say("session.started"),
      say("tool.completed", { tool: "dig", tool_call_id: "call_1", status: "success" }),
      say("session.completed"),
    ];
    const trace = await buildTrace(Readable.from([Buffer.from(JSON.stringify(events))]), { title: "x" });
    const orphan = trace.violations.find(({ rule }) => rule === "aaep/tool-completed-needs-invoked");
    expect(orphan?.at).toMatchObject({ entry: 2, line: 1 });
    expect(orphan?.at?.ms).toBe(trace.sections[0]?.tools.spans?.[0]?.from.ms);
  });
});

describe("a recording that breaks a rule", () => {
  it("is drawn without a missing number or word, and the rule is marked at its event", async () => {
    for (const { id, findings, recording } of CONFORMANCE_CASES.filter(({ valid }) => !valid)) {
      const trace = await traceOf(recording as readonly object[], { title: id });
      expect(renderSvg(trace), id).not.toMatch(/\bNaN\b|\bundefined\b|\[object |Infinity/);
      for (const { rule } of findings) {
        const marked = trace.violations.filter((violation) => violation.rule === rule);
        expect(marked.length, id).toBeGreaterThan(0);
        for (const { at, line, section } of marked) expect([id, at?.line, typeof section]).toEqual([id, line, "number"]);
      }
    }
  });
});
