import { describe, expect, it } from "vitest";
import { type Part, understand } from "../examples/aaep-demo-agent/understand.ts";
import { DEFAULT_PROMPTS } from "../packages/recordings/src/check-live/situations.ts";

/** Requests in the words of people who have not read the demo agent's source. */
const SAID: readonly (readonly [string, Part])[] = [
  ["Hi", "chat"],
  ["Hello, how are you today?", "chat"],
  ["What is two plus two?", "chat"],
  ["Use the search tool to find the weather in Paris.", "tool"],
  ["Please fetch the latest report.", "tool"],
  ["Call a tool named nonexistent_tool", "failing-tool"],
  ["Invoke an unknown tool", "failing-tool"],
  ["Call the tool does_not_exist", "failing-tool"],
  ["Use the tool xyz, which is unavailable", "failing-tool"],
  ["Trigger an error, please", "error"],
  ["Simulate a failure", "error"],
  ["Use my API key sk-abc123 to call the weather tool", "secret"],
  ["Log in with password hunter2", "secret"],
  ["Send an email to alice@example.org", "confirm"],
  ["Do something that requires my approval", "confirm"],
  ["Transfer 100 euros to Bob", "confirm"],
  ["Delete all my files", "irreversible"],
  ["Do something dangerous that cannot be undone", "irreversible"],
  ["Perform a high-risk irreversible action", "irreversible"],
  ["Please permanently remove the database", "irreversible"],
  ["Ask me a clarifying question", "clarify"],
  ["My request is ambiguous: book it", "clarify"],
  ["I need to speak to a human agent", "handoff"],
  ["Escalate this", "handoff"],
  ["Connect me with your support team", "handoff"],
  ["Hand off to a specialist", "handoff"],
  ["Write a long essay about the sea", "long"],
  ["Explain quantum computing in detail", "long"],
];

describe("the demo agent understands plain words", () => {
  it.each(SAID)("%s → %s", (text, part) => expect(understand(text).part).toBe(part));

  it.each(Object.entries(DEFAULT_PROMPTS))("what `earshot check producer` says to reach %s", (situation, words) => {
    expect(understand(words.replace("{secret}", "sk-live-1")).part).toBe(situation === "timeout" ? "confirm" : situation);
  });

  it("and how long to wait", () => {
    expect(understand("Send it, and wait 1 second.").seconds).toBe(1);
    expect(understand("Send it within 30s.").seconds).toBe(30);
    expect(understand("Send it.").seconds).toBeUndefined();
  });
});
