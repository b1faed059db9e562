import type { Activity, ActivityKind } from "@earshot/protocol/activities";
import { describe, expect, it } from "vitest";
import { tellActivity } from "./tell-activity.ts";
import { activity, linesOf } from "./testing/samples.ts";

type Case = readonly [said: Activity, ...lines: readonly string[]];

/** Every kind with everything it can say, and with as little as it may. */
const CASES: Readonly<Record<ActivityKind, readonly Case[]>> = {
  "session.opened": [
    [activity("session.opened", {}), "Started"],
    [
      activity("session.opened", { goal: "Ship it.", version: "1.2.0", tools: ["git", "npm"], requestedBy: "ada", expectedMs: 60_000 }),
      "Started, agent version 1.2.0, asked for by ada, expected to take 1 minute. Goal: Ship it. Tools: git, npm.",
    ],
    [activity("session.opened", { resumed: true, source: "compact" }), "Resumed, compact"],
  ],
  "session.closed": [
    [activity("session.closed", { outcome: "unknown" }), "Ended"],
    [activity("session.closed", { outcome: "failed", summary: "No.", error: "No." }), "Ended, failed: No."],
    [
      activity("session.closed", {
        outcome: "failed",
        summary: "It did not work.",
        error: "No space.",
        steps: 3,
        calls: 1,
        durationMs: 2000,
        reason: "disk_full",
        by: "the agent",
        result: "half",
        resultUri: "file:///a",
        code: "ENOSPC",
        category: "requires_user",
        recoverable: true,
        hint: "Make room.",
      }),
      "Ended, failed, by the agent, after 2 seconds, 3 steps, 1 call: It did not work. Error: No space. Reason: disk full. Result: half. Result at: file:///a.",
      "  Error code: ENOSPC",
      "  Kind of error: requires user",
      "  Can recover: yes",
      "  To do: Make room.",
    ],
  ],
  "turn.started": [[activity("turn.started", { reason: "user_prompt" }), "Turn started, user prompt"]],
  "turn.ended": [[activity("turn.ended", { reason: "done", durationMs: 61_000 }), "Turn ended, done, after 1 minute 1 second"]],
  state: [
    [
      activity("state", { from: "idle", to: "awaiting_input", summary: "I wait.", expectedMs: 5000 }),
      "State awaiting input, before: idle, for about 5 seconds: I wait.",
    ],
    [activity("state", { to: "working" }), "State working"],
  ],
  progress: [
    [
      activity("progress", { percent: 40, step: 2, steps: 5, summary: "Compiling.", remainingMs: 30_000 }),
      "Progress 40 percent, step 2 of 5, 30 seconds to go: Compiling.",
    ],
    [activity("progress", { steps: 5 }), "Progress, 5 steps"],
  ],
  thought: [
    [
      activity("thought", { text: "Hm.", confidence: "low", next: "look again", durationMs: 1500, truncated: true, originalLength: 9000 }),
      "Thought, low confidence, for 1.5 seconds, cut by the agent, from 9,000 characters: Hm. Next: look again.",
    ],
    [activity("thought", { text: "" }), "Thought"],
  ],
  goal: [
    [
      activity("goal", { text: "Find it.", status: "in_progress", parentGoal: "Mend it." }),
      "Goal in progress: Find it. Part of the goal: Mend it.",
    ],
    [activity("goal", { text: "Find it." }), "Goal: Find it."],
  ],
  decision: [
    [
      activity("decision", { text: "Look here.", alternatives: ["Look there.", "Give up."], why: "It is near.", confidence: "high" }),
      "Decision, high confidence: Look here. Why: It is near.",
      "  Alternative: Look there.",
      "  Alternative: Give up.",
    ],
    [activity("decision", { text: "Go." }), "Decision: Go."],
  ],
  uncertainty: [[activity("uncertainty", { text: "Is it?", confidence: "medium" }), "Uncertainty, medium confidence: Is it?"]],
  prompt: [
    [activity("prompt", { text: "Fix the tests" }), "Prompt: Fix the tests"],
    [activity("prompt", { text: "a", truncated: true }), "Prompt, cut by the agent: a"],
  ],
  response: [[activity("response", { text: "Done.\nAll pass." }), "Response, 2 lines:", "    Done.", "    All pass."]],
  "output.chunk": [
    [
      activity("output.chunk", { text: "Hel", last: false, outputId: "o1", position: 0, contentType: "text/plain" }),
      "Part of an output, text/plain, from character 0: Hel. Output id: o1.",
    ],
    [activity("output.chunk", { text: "so", last: true, of: "thought" }), "Part of a thought, the last part: so"],
  ],
  "tool.requested": [
    [
      activity("tool.requested", {
        tool: "read_file",
        toolTitle: "Read a file",
        callId: "c1",
        server: "files",
        input: { path: "a.ts", limit: 3 },
        subject: "a.ts",
        risk: "low",
        reversible: true,
        why: "I need it.",
      }),
      "Call Read a file (read_file) was requested, server files, low risk, can be undone. Input: path: a.ts, limit: 3. Why: I need it. Call id: c1.",
    ],
    [activity("tool.requested", { tool: "", toolKind: "skill" }), "Skill without a name was requested"],
  ],
  "tool.decided": [
    [
      activity("tool.decided", {
        verdict: "denied",
        behavior: "block",
        tool: "bash",
        callId: "c1",
        by: "policy",
        why: "Not here.",
        message: "Use make.",
        policy: "no-bash",
        newInput: { command: "make" },
        afterMs: 12,
      }),
      "Denied, call bash, block, by policy, policy no-bash, after 12 milliseconds. Why: Not here. Message: Use make. New input: command: make. Call id: c1.",
    ],
    [activity("tool.decided", { verdict: "asked", behavior: "ask", requestEventId: "evt_1" }), "Left to a person. Answers event: evt_1."],
  ],
  "tool.started": [
    [
      activity("tool.started", {
        tool: "bash",
        callId: "c1",
        subject: "npm test",
        summary: "Runs the tests.",
        description: "A shell.",
        expectedMs: 3000,
        risk: "high",
        reversible: false,
        why: "To see.",
      }),
      "Call bash started, expected to take 3 seconds, high risk, cannot be undone: Runs the tests. Input: npm test. Why: To see. Description: A shell. Call id: c1.",
    ],
  ],
  "tool.ended": [
    [
      activity("tool.ended", {
        tool: "bash",
        outcome: "succeeded",
        result: "42 passed",
        durationMs: 2300,
        callId: "c1",
        input: "npm test",
      }),
      "Call bash succeeded in 2.3 seconds. Input: npm test. Result: 42 passed. Call id: c1.",
    ],
    [
      activity("tool.ended", { tool: "bash", outcome: "failed", error: "exit 1", code: "E1", output: { lines: 3 } }),
      "Call bash failed. Result: lines: 3. Error: exit 1. Error code: E1.",
    ],
    [activity("tool.ended", { tool: "bash", outcome: "timeout", durationMs: 60_000 }), "Call bash ran out of time after 1 minute"],
    [activity("tool.ended", { tool: "bash", outcome: "unknown" }), "Call bash ended, nobody said how"],
  ],
  "request.asked": [
    [
      activity("request.asked", {
        request: "confirmation",
        token: "t1",
        prompt: "Drop the table?",
        consequence: "It is gone.",
        background: "Nobody uses it.",
        choices: ["Yes", "No"],
        choiceValues: ["accept", "No"],
        accepts: ["yes_no"],
        risk: "high",
        reversible: false,
        timeoutMs: 30_000,
        byDefault: "reject",
        tool: "sql",
        callId: "c1",
      }),
      "Asks for confirmation, for sql, high risk, cannot be undone: Drop the table? Consequence: It is gone. Background: Nobody uses it. Choices: Yes = accept; No. Takes: yes no. Waits: 30 seconds. Without an answer: reject. Reply token: t1. Call id: c1.",
    ],
    [activity("request.asked", { request: "clarification", prompt: "Which one?" }), "Asks a question: Which one?"],
  ],
  "request.answered": [
    [
      activity("request.answered", {
        request: "permission",
        answer: "allow",
        by: "ada",
        reason: "Fine.",
        token: "t1",
        change: { command: "ls" },
      }),
      "Answered the request, by ada: allow. Reason: Fine. Change: command: ls. Reply token: t1.",
    ],
    [activity("request.answered", { answer: "reject" }), "Answered: reject"],
  ],
  handoff: [
    [
      activity("handoff", { to: "mailto:a@b.example", targetKind: "human_operator", reason: "out_of_scope", priority: "high" }),
      "Handing over, to mailto:a@b.example, to a human operator, high priority: out of scope",
    ],
    [activity("handoff", { to: "human", targetKind: "human" }), "Handing over, to human"],
    [activity("handoff", {}), "Handing over"],
  ],
  "subagent.started": [
    [
      activity("subagent.started", { child: "sess_2", childAgent: "date-checker", goal: "Check dates.", why: "Quicker.", callId: "c2" }),
      "Subagent date-checker started. Goal: Check dates. Why: Quicker. Child session: sess_2. Call id: c2.",
    ],
    [activity("subagent.started", {}), "Subagent started"],
  ],
  "subagent.ended": [
    [
      activity("subagent.ended", { child: "sess_2", childAgent: "date-checker", outcome: "completed", result: "None.", durationMs: 900 }),
      "Subagent date-checker ended, completed, after 900 milliseconds. Result: None. Child session: sess_2.",
    ],
  ],
  memory: [
    [activity("memory", { operation: "write", key: "notes", summary: "What I found." }), "Memory write: What I found. Key: notes."],
    [activity("memory", {}), "Memory"],
  ],
  "external.call": [
    [
      activity("external.call", { method: "GET", target: "https://a.example/x", status: 503, durationMs: 1200, error: "busy" }),
      "External call GET, status 503, took 1.2 seconds: https://a.example/x. Error: busy.",
    ],
    [activity("external.call", { target: "" }), "External call"],
  ],
  "context.compacted": [[activity("context.compacted", { trigger: "auto", summary: "So far: x." }), "Context compacted, auto: So far: x."]],
  "workspace.changed": [[activity("workspace.changed", { path: "/p", change: "file_added" }), "Workspace changed, file added: /p"]],
  plan: [
    [
      activity("plan", { items: [{ text: "Look.", status: "in_progress" }, { text: "Mend." }], text: "Two things." }),
      "Plan, 2 items: Two things.",
      "  1, in progress: Look.",
      "  2: Mend.",
    ],
  ],
  notification: [
    [activity("notification", { text: "Ready.", level: "info", topic: "idle_prompt" }), "Notification, info, idle prompt: Ready."],
  ],
  error: [
    [
      activity("error", {
        message: "No answer.",
        code: "E_NET",
        category: "transient",
        recoverable: true,
        hint: "Try again.",
        tool: "fetch",
        callId: "c1",
      }),
      "Error, in fetch, E_NET, transient, can recover: No answer. To do: Try again. Call id: c1.",
    ],
    [activity("error", { message: "No.", recoverable: false }), "Error, cannot recover: No."],
  ],
  heartbeat: [
    [activity("heartbeat", { status: "waiting", step: 3, goal: "Find it." }), "Heartbeat, waiting, step 3. Current goal: Find it."],
    [activity("heartbeat", {}), "Heartbeat"],
  ],
  custom: [
    [
      activity("custom", { summary: "Rain.", data: { mm: 3, at: ["a", "b"] } }, { type: "weather.changed" }),
      "Event weather.changed: Rain.",
      "  Data: mm: 3, at: (a, b)",
    ],
    [activity("custom", {}, { type: "weather.changed" }), "Event weather.changed"],
    [
      activity("custom", { summary: "Rain.", data: { id: "evt_1", type: "x", text: "Rain.", mm: 3 } }, { type: "", protocol: "aep" }),
      "Event without a type: Rain.",
      "  Data: mm: 3",
    ],
  ],
};

describe.each(Object.entries(CASES))("%s in words", (_kind, cases) => {
  it.each(cases.map(([said, ...lines]) => [lines[0], said, lines] as const))("%s", (_first, said, lines) => {
    expect(linesOf(tellActivity(said))).toEqual(lines);
  });
});

describe("what any activity may say", () => {
  it("is told after what it is", () => {
    const said = activity(
      "thought",
      { text: "Hm." },
      {
        tokens: { counts: "delta", total: 150, cacheRead: 20, cacheWrite: 5, reasoning: 7 },
        costUsd: { counts: "total", value: 0.12 },
        context: { percent: 43.2 },
        urgency: "critical",
        summary: "It thinks.",
        attachments: [{ type: "image", name: "a.png", mimeType: "image/png", sizeBytes: 1500 }],
        metadata: { branch: "main", total_cost_usd: 0.12, token_spend_delta: 150, retries: 3 },
      },
    );
    expect(linesOf(tellActivity(said))).toEqual([
      "Thought, critical, 150 tokens, 20 from the cache, 5 to the cache, 7 for reasoning, 0.12 US dollars so far, context 43 percent full: Hm. Summary: It thinks.",
      "  Attachment: a.png, image, image/png, 1.5 kB",
      "  Metadata: branch: main, retries: 3",
    ]);
    const end = activity("session.closed", { outcome: "completed" }, { costUsd: { counts: "total", value: 0.12 } });
    expect(linesOf(tellActivity(end))).toEqual(["Ended, completed, 0.12 US dollars in all"]);
    expect(linesOf(tellActivity(activity("heartbeat", {}, { context: { tokens: 1200, limit: 200_000 }, summary: "Alive." })))).toEqual([
      "Heartbeat, context holds 1,200 of 200,000 tokens: Alive.",
    ]);
  });

  it("is told under its own name where a later hub adds it, and so is a kind that is not known", () => {
    const later = { ...activity("memory", { operation: "read" }), secondThoughts: ["none"], expectedMs: 5 };
    expect(linesOf(tellActivity(later))).toEqual(["Memory read", "  Second thoughts: none", "  Expected milliseconds: 5"]);
    const unknown = { ...activity("custom", {}), kind: "dream", type: "mind.dream", of: "sheep" } as unknown as Activity;
    expect(linesOf(tellActivity(unknown))).toEqual(["Event mind.dream", "  Of: sheep"]);
  });
});
