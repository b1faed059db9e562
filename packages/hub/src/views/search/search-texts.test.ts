import type { Activity } from "@earshot/protocol/activities";
import { expect, test } from "vitest";
import { activityOf } from "../alerts/testing/session-talk.ts";
import { searchTexts } from "./search-texts.ts";

const told = (...activities: readonly Activity[]) => searchTexts(activities).map(({ field, text }) => `${field}: ${text}`);

test.each<[name: string, activity: Activity, texts: readonly string[]]>([
  ["a goal", activityOf("session.opened", { goal: "fix it" }), ["prompt: fix it"]],
  ["a prompt", activityOf("prompt", { text: "do this" }), ["prompt: do this"]],
  ["a thought", activityOf("thought", { text: "maybe", next: "then that" }), ["thought: maybe", "thought: then that"]],
  ["a decision", activityOf("decision", { text: "A", why: "cheap", alternatives: ["B"] }), ["thought: A", "thought: cheap", "thought: B"]],
  [
    "a call",
    activityOf("tool.started", { tool: "Bash", subject: "npm test", input: { command: "npm test", env: { CI: "1" }, args: ["-a", 2] } }),
    ["tool: Bash", "command: npm test", "command: command: npm test, CI: 1, args: -a, args: 2"],
  ],
  [
    "its failure",
    activityOf("tool.ended", { tool: "Bash", outcome: "failed", error: "exit 1", result: "red" }),
    ["tool: Bash", "error: exit 1", "output: red"],
  ],
  [
    "what came out",
    activityOf("tool.ended", { tool: "", outcome: "succeeded", output: { files: ["a", "b"] } }),
    ["output: files: a, files: b"],
  ],
  ["an answer", activityOf("response", { text: "done" }), ["output: done"]],
  ["a piece of one", activityOf("output.chunk", { text: "do", last: false }), ["output: do"]],
  ["a piece of a thought", activityOf("output.chunk", { text: "hm", last: false, of: "thought" }), ["thought: hm"]],
  ["an error", activityOf("error", { message: "no room", code: "ENOSPC" }), ["error: no room", "error: ENOSPC"]],
  [
    "a question",
    activityOf("request.asked", { request: "confirmation", prompt: "Delete?", choices: ["yes"] }),
    ["prompt: Delete?", "other: yes"],
  ],
  ["a notification", activityOf("notification", { text: "look" }), ["other: look"]],
  ["an announcement", activityOf("state", { to: "thinking" }, { summary: "I think" }), ["other: I think"]],
  [
    "a request elsewhere",
    activityOf("external.call", { method: "GET", target: "https://x.example/" }),
    ["command: GET https://x.example/"],
  ],
  ["something of its own", activityOf("custom", { data: { colour: "red", none: null } }), ["other: colour: red"]],
  ["nothing", activityOf("heartbeat", {}), []],
])("%s", (_, activity, texts) => {
  expect(told(activity)).toEqual(texts);
});

test("what is said twice is there once", () => {
  const call = activityOf("tool.started", { tool: "Bash", subject: "ls", input: "ls" }, { summary: "ls" });
  expect(told(call, call)).toEqual(["tool: Bash", "command: ls"]);
});

test("of what is too long there is the beginning and the end, and no more than fits altogether", () => {
  const long = `first ${"x".repeat(50_000)} last`;
  const texts = searchTexts([
    activityOf("tool.ended", { tool: "Bash", outcome: "succeeded", result: long }),
    activityOf("prompt", { text: long }),
  ]);
  expect(texts.map(({ field }) => field)).toEqual(["tool", "output"]);
  expect(texts[1]?.text).toMatch(/^first x+\n…\nx+ last$/);
  expect(texts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(16_384);
});

test("a value of any size is read no further than is kept", () => {
  const data: Record<string, string> = {};
  for (let index = 0; index < 100_000; index++) data[`name ${index}`] = "value";
  const [text] = searchTexts([activityOf("custom", { data })]);
  expect(text?.text.length).toBeLessThanOrEqual(16_384);
});
