import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aopSessionEvents, openStoryHub, type StoryHub } from "../story/testing/story-hub.ts";
import { showCommand } from "./show.ts";

type Payload = readonly [type: string, payload: object, ...said: readonly string[]];

/** Every documented payload member of AOP with a unique value, and its text. */
const PAYLOADS: readonly Payload[] = [
  [
    "session.started",
    { goal: "Tidy the archive", agent_version: "4.5.6", metadata: { team: "blue" } },
    "Agent version: 4.5.6",
    "Started. Goal: Tidy the archive",
    "Metadata: team: blue",
  ],
  ["session.heartbeat", { status: "idle", metadata: { queue: 3 } }, "Heartbeat: idle", "Metadata: queue: 3"],
  ["session.heartbeat", { status: "waiting" }, "Heartbeat: waiting"],
  ["session.heartbeat", { status: "running" }, "Heartbeat: running"],
  [
    "cognition.thought",
    { content: "The oldest boxes first", confidence: "medium", metadata: { model_turn: 2 } },
    "Thought, medium confidence: The oldest boxes first",
    "Metadata: model_turn: 2",
  ],
  [
    "cognition.goal",
    { goal: "Empty box nine", status: "set", parent_goal: "Clear the shelf", metadata: { shelf: "left" } },
    "Goal set: Empty box nine",
    "Part of the goal: Clear the shelf",
    "Metadata: shelf: left",
  ],
  ["cognition.goal", { goal: "Empty box ten", status: "in_progress" }, "Goal in progress: Empty box ten"],
  ["cognition.goal", { goal: "Empty box ten", status: "completed" }, "Goal completed: Empty box ten"],
  ["cognition.goal", { goal: "Empty box six", status: "abandoned" }, "Goal abandoned: Empty box six"],
  [
    "cognition.decision",
    {
      decision: "Keep the letters",
      alternatives: ["Burn the letters", "Sell the letters"],
      reasoning: "Somebody may ask",
      metadata: { asked: "nobody" },
    },
    "Decision: Keep the letters",
    "Why: Somebody may ask",
    "Instead of, 2 lines:\n    Burn the letters\n    Sell the letters\n",
    "Metadata: asked: nobody",
  ],
  [
    "cognition.uncertainty",
    { content: "Is this one a copy?", confidence: "low", metadata: { page: 12 } },
    "Uncertainty, low confidence: Is this one a copy?",
    "Metadata: page: 12",
  ],
  [
    "operation.tool_start",
    { tool_name: "label_box", tool_call_id: "call-9", input: { box: 9, text: "Letters" }, metadata: { printer: "third floor" } },
    "Call label_box, done in 1.2 seconds: One label printed",
    "Input: box: 9, text: Letters",
    "Call id: call-9",
    "Metadata: printer: third floor",
  ],
  [
    "operation.tool_end",
    {
      tool_name: "label_box",
      tool_call_id: "call-9",
      success: true,
      result_summary: "One label printed",
      duration_ms: 1234,
      metadata: { token_spend_delta: 321, ink: "low" },
    },
    "Used: 321 tokens",
  ],
  ["operation.tool_start", { tool_name: "open_box", tool_call_id: "call-10" }, "Call open_box, failed"],
  [
    "operation.tool_end",
    { tool_name: "open_box", tool_call_id: "call-10", success: false, result_summary: "It is nailed shut" },
    ": It is nailed shut",
  ],
  [
    "operation.agent_spawn",
    { child_session_id: "sess-child", child_agent_id: "carrier", goal: "Carry the boxes", metadata: { floor: 2 } },
    "Subagent Carrier started: Carry the boxes",
    "Child session: sess-child",
    "Metadata: floor: 2",
  ],
  [
    "operation.memory",
    { operation: "write", key: "boxes/9", summary: "It holds letters", metadata: { store: "notes" } },
    "Memory written: boxes/9. Summary: It holds letters",
    "Metadata: store: notes",
  ],
  ["operation.memory", { operation: "read", key: "boxes/8" }, "Memory read: boxes/8"],
  ["operation.memory", { operation: "delete", key: "boxes/7" }, "Memory deleted: boxes/7"],
  [
    "operation.external_call",
    { method: "PUT", url: "https://archive.example/9", status_code: 201, duration_ms: 87, metadata: { retry: "none" } },
    "External call PUT, status 201 in 87 milliseconds: https://archive.example/9",
    "Metadata: retry: none",
  ],
  [
    "session.ended",
    {
      outcome: "failed",
      outcome_summary: "Nine of ten boxes are done",
      error_message: "Box ten is missing",
      metadata: { total_cost_usd: 0.37, next: "tomorrow" },
    },
    "Failed: Nine of ten boxes are done",
    "Cost: 0.37 US dollars in all",
    "Error: Box ten is missing",
    "Metadata: next: tomorrow",
  ],
];

describe("everything that AOP's payloads say", () => {
  let hub: StoryHub;
  let told = "";
  beforeAll(async () => {
    hub = await openStoryHub();
    const say = aopSessionEvents("sess-archive", "archivist");
    await hub.say(...PAYLOADS.map(([type, payload]) => say(type, payload)));
    told = (await hub.run(showCommand, "sess-archive")).out;
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  it.each(PAYLOADS.map(([type, payload, ...said]) => [type, payload, said] as const))("%s %j is told", (_type, _payload, said) => {
    for (const words of said) expect(told).toContain(words);
  });

  it("also what the end of a call adds of its own accord", () => {
    expect(told).toContain("ink: low");
  });

  it("is told without a name that is missing", () => {
    expect(told).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it.each([
    ["completed", "Completed"],
    ["cancelled", "Cancelled"],
    ["timeout", "Timed out"],
  ])("an end that is %s says so", async (outcome, title) => {
    const say = aopSessionEvents(`sess-${outcome}`);
    await hub.say(say("session.started"), say("session.ended", { outcome }));
    expect((await hub.run(showCommand, `sess-${outcome}`)).out).toMatch(new RegExp(`^${title}  #`, "m"));
  });
});
