import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { ASK_STEPS, type AskState } from "./asks.ts";
import { PHASE_STEPS, stepAaepSession } from "./lifecycle.ts";
import { OUTPUT_STEPS } from "./outputs.ts";
import { openAaepSession } from "./session-state.ts";
import type { AaepSignal } from "./signal.ts";
import { AAEP_CALL_STEPS } from "./tools.ts";

const breaks = (rule: string) => expect.objectContaining({ breaks: `aaep/${rule}` });

describe("the session as a table", () => {
  it("decides every pair of phase and signal", () => {
    expect(PHASE_STEPS).toEqual({
      unheard: {
        started: "open",
        activity: breaks("session-starts-first"),
        completed: breaks("session-starts-first"),
        failed: breaks("session-starts-first"),
      },
      open: { started: breaks("session-starts-once"), activity: "open", completed: "completed", failed: "failed" },
      completed: {
        started: breaks("session-id-reused"),
        activity: breaks("nothing-after-end"),
        completed: breaks("session-ends-once"),
        failed: breaks("session-ends-once"),
      },
      failed: {
        started: breaks("session-id-reused"),
        activity: breaks("nothing-after-end"),
        completed: breaks("completed-after-failure"),
        failed: breaks("session-ends-once"),
      },
    });
  });

  it("decides every pair for a tool call and for an output", () => {
    expect(AAEP_CALL_STEPS).toEqual({
      unheard: { invoked: "running", completed: breaks("tool-completed-needs-invoked") },
      running: { invoked: breaks("tool-call-id-unique"), completed: "finished" },
      finished: { invoked: breaks("tool-call-id-unique"), completed: breaks("tool-completes-once") },
    });
    expect(OUTPUT_STEPS).toEqual({
      unheard: { chunk: "open", final: "complete" },
      open: { chunk: "open", final: "complete" },
      complete: { chunk: breaks("output-after-complete"), final: breaks("output-after-complete") },
    });
  });

  it("settles a question once: whatever settled it, nothing moves it again", () => {
    for (const [state, row] of Object.entries(ASK_STEPS)) {
      if (state === "open") continue;
      expect([...new Set(Object.values(row))]).toEqual([state as AskState]);
    }
    expect(Object.values(ASK_STEPS.open)).not.toContain("open");
  });
});

describe("the state of a session", () => {
  it("stays bounded, whatever a session does, and then claims nothing that may only have been forgotten", () => {
    let state = openAaepSession();
    const hear = (type: AaepSignal["type"], value: JsonObject, at: number) => {
      const step = stepAaepSession(state, { type, value, agentId: `agent-${at % 200}`, ms: at, at, repliesRecorded: true, canReply: true });
      state = step.state;
      return step.findings.map((finding) => finding.rule);
    };
    hear("agent.session.started", {}, 0);
    for (let at = 1; at <= 20_000; at++) {
      hear("agent.tool.invoked", { tool: "__proto__", tool_call_id: `call_${at}` }, at);
      hear("agent.output.streaming", { chunk: "x", position: 0, complete: at % 2 === 0, output_id: `out_${at}` }, at);
      hear("agent.awaiting.confirmation", { action: `act ${at}`, reply_token: `rpl_${at}`, timeout_seconds: 60 }, at);
    }
    expect(JSON.stringify(state).length).toBeLessThan(1_000_000);
    expect(state).toMatchObject({ toolsForgotten: true, outputsForgotten: true, asksForgotten: true });
    expect(hear("agent.tool.completed", { tool: "__proto__", tool_call_id: "call_15000" }, 20_001)).not.toContain(
      "aaep/tool-completed-needs-invoked",
    );
  });
});
