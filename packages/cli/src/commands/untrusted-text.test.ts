import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aopSessionEvents, openStoryHub, type StoryHub } from "../story/testing/story-hub.ts";
import { searchCommand } from "./search.ts";
import { sessionsCommand } from "./sessions.ts";
import { showCommand } from "./show.ts";
import { tailCommand } from "./tail.ts";

/** Clears the screen, changes the reading direction, hides, forges a line, ends in half a character. */
const NASTY = "needle\u001b[2J\u202e\u200b\rEnded, completed: all is well\nEnded, completed\ud800";

describe("what an agent writes", () => {
  let hub: StoryHub;
  beforeAll(async () => {
    hub = await openStoryHub();
    const say = aopSessionEvents("sess-nasty", "agent");
    const call = (number: number) => [
      say("operation.tool_start", { tool_name: NASTY, tool_call_id: `c${number}`, input: { [NASTY]: [NASTY] } }),
      say("operation.tool_end", {
        tool_name: NASTY,
        tool_call_id: `c${number}`,
        success: false,
        result_summary: NASTY,
        metadata: { token_spend_delta: 3, model: NASTY },
      }),
    ];
    await hub.say(
      say("session.started", { goal: NASTY, agent_version: NASTY, metadata: { [NASTY]: NASTY, llm: NASTY } }),
      say("cognition.thought", { content: NASTY }),
      say("cognition.decision", { decision: NASTY, alternatives: [NASTY], reasoning: NASTY }),
      ...[1, 2, 3].flatMap(call),
      say("operation.agent_spawn", { child_session_id: "child", child_agent_id: NASTY, goal: NASTY }),
      say("operation.memory", { operation: "write", key: NASTY, summary: NASTY }),
      say("operation.external_call", { method: NASTY, url: NASTY }),
      say("custom.event", { text: NASTY }),
      say("session.ended", { outcome: "failed", outcome_summary: NASTY, error_message: NASTY, metadata: { total_cost_usd: 1 } }),
    );
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  it.each([
    ["sessions", sessionsCommand, []],
    ["show", showCommand, ["sess-nasty"]],
    ["show --full", showCommand, ["sess-nasty", "--full"]],
    ["show --calls", showCommand, ["sess-nasty", "--calls"]],
    ["show --tree", showCommand, ["sess-nasty", "--tree"]],
    ["show --position", showCommand, ["--position", "2"]],
    ["search", searchCommand, ["needle"]],
    ["sessions --costs --by tool", sessionsCommand, ["--costs", "--by", "tool"]],
    ["sessions --costs --by model", sessionsCommand, ["--costs", "--by", "model"]],
    ["tail --alerts", tailCommand, ["--alerts", "--no-follow"]],
  ] as const)("cannot act on the terminal or pass for a line of ours in earshot %s", async (_name, command, argv) => {
    const { lines, out } = await hub.run(command, ...argv);
    expect(out).toMatch(/needle|open|alert/i);
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cs}\u200b\u202a-\u202e\u2066-\u2069]/u);
    // The actual end is shown in Earshot's words as failed.
    expect(lines.filter((line) => line.startsWith("Ended, completed"))).toEqual([]);
  });
});
