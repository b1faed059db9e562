import type { CallView, StoryItem } from "@earshot/hub";
import { DescriptionWords, describeActivity, describeCall } from "@earshot/narrate";
import type { Activity, ActivityKind } from "@earshot/protocol/activities";
import { describe, expect, it } from "vitest";
import { TERMINAL_VOICE, terminalWording, toItemSaying, toOutputItem } from "./narration-lines.ts";
import { linesOfItem, sampleActivityOf, sampleAlert, sampleCall, sampleItem } from "./testing/samples.ts";

const sayCall = (one: CallView) => toOutputItem(describeCall(one, undefined, new DescriptionWords(TERMINAL_VOICE)));
const sayAll = (one: StoryItem) => toItemSaying(one, terminalWording("en"), { notes: true });
const tell = (said: Activity) => toOutputItem(describeActivity(said, TERMINAL_VOICE));

type Case = readonly [said: Activity, ...lines: readonly string[]];

/** Every kind with all its fields, and with as few as allowed. */
const CASES: Readonly<Record<ActivityKind, readonly Case[]>> = {
  "session.opened": [
    [sampleActivityOf("session.opened", {}), "Started"],
    [
      sampleActivityOf("session.opened", {
        goal: "Ship it.",
        version: "1.2.0",
        tools: ["git", "npm"],
        requestedBy: "ada",
        expectedMs: 60_000,
      }),
      "Started. Goal: Ship it. Agent version: 1.2.0. Asked for by: ada. Tools: git, npm. Expected to take: 1 minute.",
    ],
    [sampleActivityOf("session.opened", { resumed: true, source: "compact" }), "Resumed. How it began: compact."],
  ],
  "session.closed": [
    [sampleActivityOf("session.closed", { outcome: "unknown" }), "Ended"],
    [sampleActivityOf("session.closed", { outcome: "failed", summary: "No.", error: "No." }), "Failed: No."],
    [
      sampleActivityOf("session.closed", {
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
      "Failed, after 2 seconds: It did not work. Error: No space. Result: half. What to do: Make room. Reason: disk full. Ended by: the agent. Steps: 3. Tool calls: 1. Result at: file:///a. Can recover: yes. Error code: ENOSPC. Kind of error: requires user.",
    ],
  ],
  "turn.started": [[sampleActivityOf("turn.started", { reason: "user_prompt" }), "Turn started. Reason: user prompt."]],
  "turn.ended": [
    [sampleActivityOf("turn.ended", { reason: "done", durationMs: 61_000 }), "Turn ended, after 1 minute 1 second. Reason: done."],
  ],
  state: [
    [
      sampleActivityOf("state", { from: "idle", to: "awaiting_input", summary: "I wait.", expectedMs: 5000 }),
      "Waiting for you: I wait. Previous state: idle. Expected to take: 5 seconds.",
    ],
    [sampleActivityOf("state", { to: "working" }), "State working"],
  ],
  progress: [
    [
      sampleActivityOf("progress", { percent: 40, step: 2, steps: 5, summary: "Compiling.", remainingMs: 30_000 }),
      "Progress 40 %, step 2 of 5: Compiling. Remaining: 30 seconds.",
    ],
    [sampleActivityOf("progress", { steps: 5 }), "Progress 5 steps"],
  ],
  thought: [
    [
      sampleActivityOf("thought", {
        text: "Hm.",
        confidence: "low",
        next: "look again",
        durationMs: 1500,
        truncated: true,
        originalLength: 9000,
      }),
      "Thought, low confidence: Hm. Next: look again. Took: 1.5 seconds. Cut: by the agent, from 9,000 characters.",
    ],
    [sampleActivityOf("thought", { text: "" }), "Thought"],
  ],
  goal: [
    [
      sampleActivityOf("goal", { text: "Find it.", status: "in_progress", parentGoal: "Mend it." }),
      "Goal in progress: Find it. Part of the goal: Mend it.",
    ],
    [sampleActivityOf("goal", { text: "Find it." }), "Goal: Find it."],
  ],
  decision: [
    [
      sampleActivityOf("decision", {
        text: "Look here.",
        alternatives: ["Look there.", "Give up."],
        why: "It is near.",
        confidence: "high",
      }),
      "Decision, high confidence: Look here. Why: It is near.",
      "  Instead of, 2 lines:",
      "    Look there.",
      "    Give up.",
    ],
    [sampleActivityOf("decision", { text: "Go." }), "Decision: Go."],
  ],
  uncertainty: [[sampleActivityOf("uncertainty", { text: "Is it?", confidence: "medium" }), "Uncertainty, medium confidence: Is it?"]],
  prompt: [
    [sampleActivityOf("prompt", { text: "Fix the tests" }), "Prompt: Fix the tests"],
    [sampleActivityOf("prompt", { text: "a", truncated: true }), "Prompt: a. Cut: by the agent."],
  ],
  response: [[sampleActivityOf("response", { text: "Done.\nAll pass." }), "Response, 2 lines:", "    Done.", "    All pass."]],
  "output.chunk": [
    [
      sampleActivityOf("output.chunk", { text: "Hel", last: false, outputId: "o1", position: 0, contentType: "text/plain" }),
      "Output: Hel. Kind of content: text/plain. From character: 0. Output id: o1.",
    ],
    [sampleActivityOf("output.chunk", { text: "so", last: true, of: "thought" }), "Thought: so. Last part: yes."],
  ],
  "tool.requested": [
    [
      sampleActivityOf("tool.requested", {
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
      "Call Read a file (read_file), requested, no outcome yet: a.ts. Input: limit: 3. Why: I need it. Server: files. Risk: low. Can be undone: yes. Call id: c1.",
    ],
    [sampleActivityOf("tool.requested", { tool: "", toolKind: "skill" }), "A tool without a name, requested, no outcome yet"],
  ],
  "tool.decided": [
    [
      sampleActivityOf("tool.decided", {
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
      "Denied by policy, after 12 milliseconds: bash. Why: Not here. Said to the agent: Use make. Instead: command: make. In the protocol's word: block. Rule: no-bash. Call id: c1.",
    ],
    [
      sampleActivityOf("tool.decided", { verdict: "asked", behavior: "ask", requestEventId: "evt_1" }),
      "Left to a person. Answers event: evt_1.",
    ],
  ],
  "tool.started": [
    [
      sampleActivityOf("tool.started", {
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
      "Call bash, running: npm test. Summary: Runs the tests. Why: To see. What the tool does: A shell. Risk: high. Can be undone: no. Expected to take: 3 seconds. Call id: c1.",
    ],
  ],
  "tool.ended": [
    [
      sampleActivityOf("tool.ended", {
        tool: "bash",
        outcome: "succeeded",
        result: "42 passed",
        durationMs: 2300,
        callId: "c1",
        input: "npm test",
      }),
      "Call bash, done in 2.3 seconds: npm test. Result: 42 passed. Call id: c1.",
    ],
    [
      sampleActivityOf("tool.ended", { tool: "bash", outcome: "failed", error: "exit 1", code: "E1", output: { lines: 3 } }),
      "Call bash, failed: exit 1. Result: lines: 3. Error code: E1.",
    ],
    [sampleActivityOf("tool.ended", { tool: "bash", outcome: "timeout", durationMs: 60_000 }), "Call bash, timed out after 1 minute"],
    [sampleActivityOf("tool.ended", { tool: "bash", outcome: "unknown" }), "Call bash, ended without a reported outcome"],
  ],
  "request.asked": [
    [
      sampleActivityOf("request.asked", {
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
      "Asks for confirmation: Drop the table? Consequence, in the agent's words: It is gone. Background: Nobody uses it. Tool: sql. Risk: high. Can be undone: no. Takes: yes no. Waits: 30 seconds. Without an answer: reject. Reply token: t1. Call id: c1.",
      "  Choices, 2 lines:",
      "    Yes = accept",
      "    No",
    ],
    [sampleActivityOf("request.asked", { request: "clarification", prompt: "Which one?" }), "Asks a question: Which one?"],
  ],
  "request.answered": [
    [
      sampleActivityOf("request.answered", {
        request: "permission",
        answer: "allow",
        by: "ada",
        reason: "Fine.",
        token: "t1",
        change: { command: "ls" },
      }),
      "Allowed by ada. Why: Fine. Instead: command: ls. Answers a request for: permission. Reply token: t1.",
    ],
    [sampleActivityOf("request.answered", { answer: "reject" }), "Denied"],
  ],
  handoff: [
    [
      sampleActivityOf("handoff", { to: "mailto:a@b.example", targetKind: "human_operator", reason: "out_of_scope", priority: "high" }),
      "Hands over: mailto:a@b.example. Reason: out of scope. Kind of target: human operator. Priority: high.",
    ],
    [sampleActivityOf("handoff", { to: "human", targetKind: "human" }), "Hands over: human"],
    [sampleActivityOf("handoff", {}), "Hands over"],
  ],
  "subagent.started": [
    [
      sampleActivityOf("subagent.started", {
        child: "sess_2",
        childAgent: "date-checker",
        goal: "Check dates.",
        why: "Quicker.",
        callId: "c2",
      }),
      "Subagent Date checker started: Check dates. Why: Quicker. Child session: sess_2. Call id: c2.",
    ],
    [sampleActivityOf("subagent.started", {}), "Subagent started"],
  ],
  "subagent.ended": [
    [
      sampleActivityOf("subagent.ended", {
        child: "sess_2",
        childAgent: "date-checker",
        outcome: "completed",
        result: "None.",
        durationMs: 900,
      }),
      "Subagent Date checker ended, completed, after 900 milliseconds: None. Child session: sess_2.",
    ],
  ],
  memory: [
    [
      sampleActivityOf("memory", { operation: "write", key: "notes", summary: "What I found." }),
      "Memory written: notes. Summary: What I found.",
    ],
    [sampleActivityOf("memory", {}), "Memory"],
  ],
  "external.call": [
    [
      sampleActivityOf("external.call", { method: "GET", target: "https://a.example/x", status: 503, durationMs: 1200, error: "busy" }),
      "External call GET, status 503 in 1.2 seconds: https://a.example/x. Error: busy.",
    ],
    [sampleActivityOf("external.call", { target: "" }), "External call"],
  ],
  "context.compacted": [
    [sampleActivityOf("context.compacted", { trigger: "auto", summary: "So far: x." }), "Context compacted: So far: x. Caused by: auto."],
  ],
  "workspace.changed": [[sampleActivityOf("workspace.changed", { path: "/p", change: "file_added" }), "Workspace changed, file added: /p"]],
  plan: [
    [
      sampleActivityOf("plan", { items: [{ text: "Look.", status: "in_progress" }, { text: "Mend." }], text: "Two things." }),
      "Plan, 2 items: Two things.",
      "  Plan, 2 lines:",
      "    Look. (in progress)",
      "    Mend.",
    ],
  ],
  notification: [
    [
      sampleActivityOf("notification", { text: "Ready.", level: "info", topic: "idle_prompt" }),
      "Notification, idle prompt: Ready. Level: info.",
    ],
  ],
  error: [
    [
      sampleActivityOf("error", {
        message: "No answer.",
        code: "E_NET",
        category: "transient",
        recoverable: true,
        hint: "Try again.",
        tool: "fetch",
        callId: "c1",
      }),
      "Error: No answer. What to do: Try again. Tool: fetch. Error code: E_NET. Kind of error: transient. Can recover: yes. Call id: c1.",
    ],
    [sampleActivityOf("error", { message: "No.", recoverable: false }), "Error: No. Can recover: no."],
  ],
  heartbeat: [
    [sampleActivityOf("heartbeat", { status: "waiting", step: 3, goal: "Find it." }), "Heartbeat: waiting. Step: 3. Goal: Find it."],
    [sampleActivityOf("heartbeat", {}), "Heartbeat"],
  ],
  custom: [
    [
      sampleActivityOf("custom", { summary: "Rain.", data: { mm: 3, at: ["a", "b"] } }, { type: "weather.changed" }),
      "Event weather.changed: Rain. Data: mm: 3, at: (a, b).",
    ],
    [sampleActivityOf("custom", {}, { type: "weather.changed" }), "Event weather.changed"],
    [
      sampleActivityOf(
        "custom",
        { summary: "Rain.", data: { id: "evt_1", type: "x", text: "Rain.", mm: 3 } },
        { type: "", protocol: "aep" },
      ),
      "Event without a type: Rain. Data: mm: 3.",
    ],
  ],
};

describe.each(Object.entries(CASES))("%s in words", (_kind, cases) => {
  it.each(cases.map(([said, ...lines]) => [lines[0], said, lines] as const))("%s", (_first, said, lines) => {
    expect(linesOfItem(tell(said))).toEqual(lines);
  });
});

describe("what any activity may say", () => {
  it("is told after what it is", () => {
    const said = sampleActivityOf(
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
    expect(linesOfItem(tell(said))).toEqual([
      "Thought: Hm. Summary: It thinks. Urgency: critical. Used: 150 tokens. Tokens from the cache: 20. Tokens to the cache: 5. Tokens for reasoning: 7. Cost: 0.12 US dollars so far. Context full: 43 %.",
      "  Attachments: a.png, image, image/png, 1.5 kB",
      "  Metadata: branch: main, retries: 3",
    ]);
    const end = sampleActivityOf("session.closed", { outcome: "completed" }, { costUsd: { counts: "total", value: 0.12 } });
    expect(linesOfItem(tell(end))).toEqual(["Completed. Cost: 0.12 US dollars in all."]);
    expect(linesOfItem(tell(sampleActivityOf("heartbeat", {}, { context: { tokens: 1200, limit: 200_000 }, summary: "Alive." })))).toEqual([
      "Heartbeat: Alive. Tokens in context: 1,200 of 200,000.",
    ]);
  });

  it("is told under its own name where a later hub adds it, and so is a kind that is not known", () => {
    const later = { ...sampleActivityOf("memory", { operation: "read" }), secondThoughts: ["none"], expectedMs: 5 };
    expect(linesOfItem(tell(later))).toEqual(["Memory read", "  Second thoughts: none", "  Expected to take: 5"]);
    const unknown = { ...sampleActivityOf("custom", {}), kind: "dream", type: "mind.dream", of: "sheep" } as unknown as Activity;
    expect(linesOfItem(tell(unknown))).toEqual(["Event mind.dream", "  Of: sheep"]);
  });
});

describe("a call", () => {
  const states: Readonly<Record<CallView["state"], string>> = {
    requested: "Call bash, requested, no outcome yet",
    approved: "Call bash, allowed, no outcome yet",
    waiting: "Call bash, waits for an answer",
    paused: "Call bash, put off",
    "left-to-the-agent": "Call bash, left to the agent, no outcome yet",
    running: "Call bash, running",
    succeeded: "Call bash, done",
    failed: "Call bash, failed",
    timeout: "Call bash, timed out",
    cancelled: "Call bash, cancelled",
    denied: "Call bash, denied",
    unknown: "Call bash, ended without a reported outcome",
  };
  it.each(Object.entries(states))("that is %s says so first", (state, line) => {
    expect(linesOfItem(sayCall(sampleCall({ state: state as CallView["state"] })))).toEqual([line]);
  });

  it("is one line from request to outcome", () => {
    const told = sampleCall({
      state: "failed",
      durationMs: 2300,
      input: '{"command":"npm test","timeout":30}',
      subject: "npm test",
      error: "exit code 1",
      result: "3 of 40 failed",
      callId: "toolu_1",
      decidedBy: "auto-policy",
      tokens: { total: 150 },
      costUsd: 0.004,
    });
    expect(linesOfItem(sayCall(told))).toEqual([
      "Call bash, failed after 2.3 seconds: npm test. Decided by auto-policy. Error: exit code 1. Result: 3 of 40 failed. Input: timeout: 30. Cost: 0.004 US dollars. Used: 150 tokens. Call id: toolu_1.",
    ]);
    expect(linesOfItem(sayCall(sampleCall({ subject: "ls", durationMs: 12, measured: true })))).toEqual([
      "Call bash, done in about 12 milliseconds: ls",
    ]);
  });

  it.each([
    ["ran-despite-denial", "Call bash, done. It ran although it was denied."],
    ["ended-without-start", "Call bash, done. Its start was not received."],
    ["ended-twice", "Call bash, done. Its end was reported twice."],
    ["something-new", "Call bash, done. Something new."],
  ])("that is marked %s", (mark, line) => {
    expect(linesOfItem(sayCall(sampleCall({ marks: [mark] })))).toEqual([line]);
  });

  it("tells under its own name what a later hub adds", () => {
    expect(linesOfItem(sayCall({ ...sampleCall(), colour: { ink: "low" } } as CallView))).toEqual([
      "Call bash, done",
      "  Colour: ink: low",
    ]);
  });

  it("takes from its activity what only that knows", () => {
    const said = sampleActivityOf(
      "tool.started",
      {
        tool: "bash",
        toolTitle: "Shell",
        callId: "c1",
        input: "npm test",
        risk: "high",
        reversible: false,
        why: "To see.",
        subject: "npm test",
      },
      { metadata: { branch: "main" }, tokens: { counts: "delta", total: 150 } },
    );
    const joined = sampleItem(said, { call: sampleCall({ callId: "c1", input: "npm test", durationMs: 12, tokens: { total: 150 } }) });
    expect(linesOfItem(sayAll(joined))).toEqual([
      "Call Shell (bash), done in 12 milliseconds: npm test. Why: To see. Risk: high. Can be undone: no. Used: 150 tokens. Call id: c1.",
      "  Metadata: branch: main",
    ]);
  });
});

describe("an output", () => {
  const chunk = sampleActivityOf("output.chunk", { text: "Hel", last: false, outputId: "o1", contentType: "text/markdown" });
  it("is told whole, with what is missing", () => {
    const output = { text: "Hello.\nDone.", complete: true, gaps: false, cut: false, outputId: "o1", contentType: "text/markdown" };
    expect(linesOfItem(sayAll(sampleItem(chunk, { output })))).toEqual([
      "Output, 2 lines:",
      "    Hello.",
      "    Done.",
      "  Kind of content: text/markdown",
    ]);
    expect(linesOfItem(sayAll(sampleItem(chunk, { output: { text: "Hel", complete: false, gaps: true, cut: true } })))).toEqual([
      "Output, not finished, parts are missing, more was sent than is kept: Hel",
    ]);
  });

  it("of thinking is a thought", () => {
    const thinking = sampleActivityOf("output.chunk", { text: "so", last: true, of: "thought" });
    expect(linesOfItem(sayAll(sampleItem(thinking, { output: { text: "so it is", complete: true, gaps: false, cut: false } })))).toEqual([
      "Thought: so it is",
    ]);
  });
});

describe("what was noticed", () => {
  it("by an alert and by a rule is told once", () => {
    const noticed = sampleItem(sampleActivityOf("thought", { text: "Hm." }), {
      alerts: [sampleAlert({ type: "conformance_violation", rule: "aop/ends-once", message: "It broke a rule." })],
      flags: [{ severity: "error", code: "SEQUENCE_BROKEN", rule: "aop/ends-once", message: "It ended before." }],
    });
    expect(linesOfItem(sayAll(noticed)).slice(1)).toEqual(["  Rule broken, with an alert, aop/ends-once: It ended before."]);
  });

  it("about a later part of something stands where that part was heard", () => {
    const end = sampleActivityOf("tool.ended", { tool: "bash", outcome: "failed", durationMs: 2000, error: "exit 1" });
    const noticed = sampleItem(end, {
      call: sampleCall({ state: "failed" }),
      continues: 3,
      alerts: [sampleAlert({ message: "Again and again." })],
    });
    expect(linesOfItem(sayAll(noticed))).toEqual(["More about #3: Call bash, failed", "  Alert, warning, loop: Again and again."]);
  });

  it("stands below what it is about", () => {
    const noticed = sampleItem(sampleActivityOf("thought", { text: "Hm." }), {
      alerts: [sampleAlert({ severity: "critical", type: "error_cascade", message: "3 calls failed in a row." })],
      flags: [
        { severity: "error", code: "SEQUENCE_BROKEN", rule: "aop/ends-once", message: "It ended before.", hint: "End once.", at: 4 },
        { severity: "warning", code: "EVENT_INVALID", rule: "aop/utc", message: "No zone." },
        { severity: "info", code: "EVENT_INVALID", message: "An alias." },
      ],
      redactions: 2,
    });
    expect(linesOfItem(sayAll(noticed))).toEqual([
      "Thought: Hm. Secrets masked: 2.",
      "  Alert, critical, error cascade: 3 calls failed in a row.",
      "  Rule broken about #4, aop/ends-once: It ended before.",
      "  Rule not kept, aop/utc: No zone.",
      "  Note, EVENT_INVALID: An alias.",
    ]);
    expect(linesOfItem(toItemSaying(noticed, terminalWording("en"), { notes: false })).some((line) => line.includes("Note"))).toBe(false);
  });
});
