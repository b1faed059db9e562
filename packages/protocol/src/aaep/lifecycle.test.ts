import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aaepRecordings } from "../../testing/aaep.ts";
import { readItem } from "../../testing/read-item.ts";
import type { Finding } from "../finding.ts";
import type { JsonObject } from "../json.ts";
import { readTimestamp } from "../timestamp.ts";
import { ASK_STEPS, type AskState } from "./asks.ts";
import { PHASE_STEPS, stepSession } from "./lifecycle.ts";
import { OUTPUT_STEPS } from "./outputs.ts";
import { readAaep } from "./read.ts";
import { type AaepSession, openSession } from "./session-state.ts";
import type { Signal } from "./signal.ts";
import { CALL_STEPS } from "./tools.ts";

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
    expect(CALL_STEPS).toEqual({
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

/** The items of one session as signals; replies belong to the session whose token they carry. */
function signalsOf(recording: readonly JsonObject[], sessionId: unknown): Signal[] {
  const tokens = new Set(recording.filter((item) => item["session_id"] === sessionId).map((item) => item["reply_token"]));
  return recording.flatMap((item, at): Signal[] => {
    const { value, facts } = readItem(item);
    const reading = readAaep(value, facts);
    const isReply = reading.type === "confirmation.reply" || reading.type === "clarification.reply";
    if (isReply ? !tokens.has(item["reply_token"]) : item["session_id"] !== sessionId) return [];
    const type = (reading.type.includes(":") ? "extension" : reading.type) as Signal["type"];
    return [
      {
        type,
        value,
        agentId: reading.agentId ?? "?",
        ms: readTimestamp(String(item["timestamp"]))?.ms,
        at,
        repliesRecorded: true,
        canReply: true,
      },
    ];
  });
}

function play(signals: readonly Signal[], between: (state: AaepSession) => AaepSession): Finding[] {
  let state = openSession();
  const findings: Finding[] = [];
  for (const signal of signals) {
    const step = stepSession(between(state), signal);
    state = step.state;
    findings.push(...step.findings);
  }
  return findings;
}

describe("the state of a session", () => {
  it("is a value: written as JSON and read back after any event, it gives the same findings", () => {
    fc.assert(
      fc.property(aaepRecordings, fc.nat(), (recording, seed) => {
        const events = recording.filter((item) => item["session_id"] !== undefined);
        const sessionId = events[seed % events.length]?.["session_id"];
        // Some events are dropped or doubled, so that there is something to find.
        const signals = signalsOf(recording, sessionId).flatMap((signal, index) =>
          (seed + index) % 7 === 0 ? [] : (seed + index) % 5 === 0 ? [signal, signal] : [signal],
        );
        const straight = play(signals, (state) => state);
        const restored = play(signals, (state) => JSON.parse(JSON.stringify(state)) as AaepSession);
        expect(restored).toEqual(straight);
      }),
      { numRuns: 500 },
    );
  });

  it("stays bounded, whatever a session does, and then claims nothing that may only have been forgotten", () => {
    let state = openSession();
    const hear = (type: Signal["type"], value: JsonObject, at: number) => {
      const step = stepSession(state, { type, value, agentId: `agent-${at % 200}`, ms: at, at, repliesRecorded: true, canReply: true });
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

describe("hostile input", () => {
  it("never throws, whatever the members of an event are", () => {
    const types = [
      "agent.session.started",
      "agent.tool.invoked",
      "agent.tool.completed",
      "agent.output.streaming",
      "agent.awaiting.confirmation",
      "agent.awaiting.clarification",
      "agent.state.changed",
      "agent.progress.updated",
      "confirmation.reply",
    ];
    const fields = [
      "tool",
      "tool_call_id",
      "from_state",
      "to_state",
      "reply_token",
      "chunk",
      "position",
      "complete",
      "output_id",
      "action",
      "timeout_seconds",
      "choices",
      "allowed_replies",
      "extra_context",
      "progress",
      "sequence_number",
      "decision",
      "response",
      "timestamp",
      "producer",
      "extensions",
      "@context",
      "localization_hints",
    ];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...types), fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 2 }))), {
          maxLength: 12,
        }),
        (items) => {
          let state = openSession();
          items.forEach(([type, value], at) => {
            const raw = JSON.parse(JSON.stringify({ type: type.endsWith("reply") ? type : `aaep:${type}`, ...value })) as JsonObject;
            readAaep(raw, { depth: 1, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 1, bodyHash: 0 });
            state = stepSession(state, {
              type: type as Signal["type"],
              value: raw,
              agentId: "a",
              ms: at,
              at,
              repliesRecorded: at % 2 === 0,
              canReply: at % 3 !== 0,
            }).state;
          });
        },
      ),
      { numRuns: 3000 },
    );
  });
});
