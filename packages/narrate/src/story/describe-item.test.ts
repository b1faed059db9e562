import type { Activity, ActivityKind } from "@earshot/protocol/activities";
import { describe, expect, it } from "vitest";
import { describeItem } from "./describe-item.ts";
import type { NarratedCall, NarratedItem } from "./narrated-item.ts";
import type { DescriptionVoice, Quote } from "./narration.ts";

const SHORT_VOICE: DescriptionVoice = { language: "en", isShort: true };

function item(kind: ActivityKind, said: object = {}, more: Partial<NarratedItem> = {}): NarratedItem {
  const activity = { protocol: "aep", type: "some.type", session: "s", agent: "claude", kind, ...said } as unknown as Activity;
  return { position: 7, receivedAt: 0, activity, flags: [], alerts: [], redactions: 0, ...more };
}

/** A row as text: title, subject and outcome; then the lines below. */
function read(one: NarratedItem): string {
  const { title, subject, outcome, quotes } = describeItem(one, SHORT_VOICE);
  const body = quotes.filter(({ rank }) => rank <= 1);
  const line = [title, subject?.text, outcome?.words].filter((text) => text !== undefined && text !== "").join(" | ");
  return [line, ...body.map(textOf)].join(" / ");
}

function textOf(quote: Quote): string {
  const label = quote.isMain === true ? "" : `${quote.label}: `;
  if ("text" in quote) return label + quote.text;
  if (quote.as === "list") return label + quote.items.join(", ");
  return `${label}<${quote.as}>`;
}

/** Every kind with typical members. */
const ROWS: Readonly<Record<ActivityKind, readonly (readonly [said: object, read: string])[]>> = {
  "session.opened": [
    [{ goal: "Ship it" }, "Started"],
    [{ resumed: true }, "Resumed"],
  ],
  "session.closed": [
    [{ outcome: "completed", summary: "Done.", durationMs: 4000 }, "Completed | after 4 s / Done."],
    [{ outcome: "failed", error: "No.", summary: "No.", hint: "Try again." }, "Failed / No. / What to do: Try again."],
    [{ outcome: "unknown" }, "Ended"],
  ],
  "turn.started": [[{}, "Turn started"]],
  "turn.ended": [[{ durationMs: 61_000 }, "Turn ended | after 1 min 1 s"]],
  state: [[{ from: "idle", to: "calling_tool", summary: "Looking" }, "State calling tool | Looking"]],
  progress: [[{ percent: 40.4, step: 2, steps: 5, summary: "Compiling" }, "Progress 40.4 %, step 2 of 5 | Compiling"]],
  thought: [[{ text: "Hm.", confidence: "low", next: "look" }, "Thought | low confidence / Hm. / Next: look"]],
  goal: [[{ text: "Find it", status: "in_progress" }, "Goal in progress | Find it"]],
  decision: [[{ text: "Go left", why: "Shorter" }, "Decision / Go left / Why: Shorter"]],
  uncertainty: [[{ text: "Maybe" }, "Uncertainty / Maybe"]],
  prompt: [[{ text: "Fix it" }, "Prompt / Fix it"]],
  response: [[{ text: "Fixed" }, "Response / Fixed"]],
  "output.chunk": [
    [{ text: "Hel", last: false }, "Output / Hel"],
    [{ text: "Hm", last: false, of: "thought" }, "Thought / Hm"],
  ],
  "tool.requested": [[{ tool: "Bash", subject: "ls" }, "Bash | ls | requested, no outcome yet"]],
  "tool.started": [[{ tool: "" }, "A tool without a name | running"]],
  "tool.ended": [
    [
      { tool: "Read", toolTitle: "Read a file", outcome: "failed", error: "Gone", durationMs: 3000 },
      "Read a file (Read) | failed after 3 s / Gone",
    ],
  ],
  "tool.decided": [[{ verdict: "denied", by: "ana", tool: "Bash", why: "No" }, "Denied by ana | Bash / Why: No"]],
  "request.asked": [
    [
      { request: "confirmation", prompt: "Send it?", consequence: "It is gone then", choices: ["yes", "no"] },
      "Asks for confirmation / Send it? / Consequence, in the agent's words: It is gone then / Choices: yes, no",
    ],
  ],
  "request.answered": [
    [{ answer: '{"word":"allow"}', by: "Phone" }, "Allowed by Phone"],
    [
      { answer: '{"word":"deny","message":"Use make"}', by: "policy: no-push", reason: "Rule" },
      "Denied by the rule no-push / Said to the agent: Use make / Why: Rule",
    ],
    [{ answer: '{"word":"respond","response":{"a":1}}', by: "Phone" }, 'Answered by Phone / {"a":1}'],
    [{ answer: "accept" }, "Allowed"],
    [{ answer: "the blue one", by: "ana" }, "Answered by ana / the blue one"],
    [{ answer: '""', by: "Phone", type: "decision.extended" }, "Given more time by Phone"],
  ],
  handoff: [[{ to: "queue://x", reason: "Too hard" }, "Hands over | queue://x / Too hard"]],
  "subagent.started": [[{ childAgent: "scout", goal: "Look" }, "Subagent Scout started | Look"]],
  "subagent.ended": [
    [{ childAgent: "scout", outcome: "success", durationMs: 2000, result: "Found" }, "Subagent Scout ended | success, after 2 s / Found"],
  ],
  memory: [[{ operation: "read", key: "names", summary: "Three" }, "Memory read | names / Summary: Three"]],
  "external.call": [
    [
      { method: "GET", target: "https://a.example", status: 404, durationMs: 90 },
      "External call GET | https://a.example | status 404 in 90 ms",
    ],
  ],
  "context.compacted": [[{ trigger: "auto" }, "Context compacted"]],
  "workspace.changed": [[{ path: "/a", change: "modified" }, "Workspace changed, modified | /a"]],
  plan: [
    [{ items: [{ text: "One", status: "completed" }, { text: "Two" }] }, "Plan | 2 items / One (completed), Two"],
    [{ items: [], text: "Do it" }, "Plan / Do it"],
  ],
  notification: [[{ text: "Look", topic: "idle_prompt" }, "Notification, idle prompt / Look"]],
  error: [[{ message: "Overloaded", tool: "Bash" }, "Error / Overloaded"]],
  heartbeat: [[{ status: "running" }, "Heartbeat | running"]],
  custom: [
    [
      { agent: "zorblax", type: "widget.polished", data: { tool: { name: "frob" }, server: { name: "mcp" } } },
      "Event widget.polished | frob (mcp)",
    ],
    [{ agent: "", agentName: "Zorb", type: "a.b", summary: "So" }, "Event a.b / So"],
    [{ agent: "zorblax", agentName: "Zorb", type: "a.b", summary: "So" }, "Event a.b / So"],
  ],
};

describe("one thing that happened", () => {
  for (const [kind, rows] of Object.entries(ROWS)) {
    it.each(rows.map((row) => [...row] as const))(`${kind}: %j`, (said, expected) => {
      expect(read(item(kind as ActivityKind, said))).toBe(expected);
    });
  }

  it("of a kind that only a later hub knows is called by its type", () => {
    expect(read(item("later.kind" as ActivityKind, { type: "later.type" }))).toBe("Event later.type");
  });
});

describe("a call", () => {
  const call = (more: Partial<NarratedCall>): NarratedCall => ({
    tool: "Bash",
    state: "succeeded",
    measured: false,
    marks: [],
    ...more,
  });
  const told = (said: object, more: Partial<NarratedCall>) => {
    const { outcome, quotes } = describeItem(item("tool.requested", { tool: "Bash", ...said }, { call: call(more) }), SHORT_VOICE);
    return { outcome, body: quotes.filter(({ rank }) => rank <= 1), more: quotes.filter(({ rank }) => rank > 1) };
  };

  it("is one row from request to outcome, with what matters in sight and the rest below", () => {
    const { outcome, body, more } = told(
      { input: { command: "npm test", timeout: 5 } },
      { subject: "npm test", durationMs: 3000, result: "13 passed" },
    );
    expect(outcome).toEqual({ words: "done in 3 s", tone: "good" });
    expect(body.map(textOf)).toEqual(["13 passed"]);
    expect(more.map(textOf)).toEqual(["Command: npm test", "Input: <members>"]);
    expect(told({}, { result: "a\nb" }).more.map(textOf)).toEqual(["Result: a\nb"]);
    expect(told({}, { result: '{"a":1}' }).more.map(textOf)).toEqual(["Result: <json>"]);
  });

  it("says who decided, and when something ran that was denied", () => {
    const { body } = told({}, { decidedBy: "ana", reason: "No", marks: ["ran-despite-denial"] });
    expect(body.map(textOf)).toEqual(["It ran although it was denied.", "Decided by ana: No"]);
    expect(told({}, { state: "denied", decidedBy: "ana" }).outcome).toEqual({ words: "denied", tone: "bad" });
  });

  it("that changes a file shows the change: in sight when it is short", () => {
    const edit = (lines: number) => ({ tool: "Edit", input: { file_path: "a", old_string: "x", new_string: "y\n".repeat(lines) } });
    expect(told(edit(2), { tool: "Edit" }).body.map(textOf)).toEqual(["<changes>"]);
    const long = told(edit(50), { tool: "Edit" });
    expect([long.body, long.more.map(textOf)]).toEqual([[], ["<changes>"]]);
  });
});

describe("an output", () => {
  it("is put together, by its kind of content, and says what is missing", () => {
    const output = { text: "**Hi**", complete: false, gaps: false, cut: false, contentType: "text/markdown" };
    const { quotes, outcome } = describeItem(item("output.chunk", { text: "**H", last: false }, { output }), SHORT_VOICE);
    expect(quotes).toEqual([{ rank: 1, label: "Text", isMain: true, as: "typed", text: "**Hi**", type: "text/markdown" }]);
    expect(outcome?.words).toBe("not finished");
  });
});
