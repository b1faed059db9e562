import { formatNumber, formatShortDuration, spaceWords } from "@earshot/narrate";
import type { Tellers } from "./of-kind.ts";
import { facts, markdown, words } from "./told.ts";

/** What is said and thought: prompts, answers, thoughts, goals, plans. */
export const MIND: Tellers<"prompt" | "response" | "thought" | "output.chunk" | "goal" | "decision" | "uncertainty" | "plan" | "memory"> = {
  prompt: ({ text, style, truncated, originalLength }) => ({
    icon: "prompt",
    tone: "plain",
    title: "Prompt",
    body: markdown(text, style),
    more: [],
    facts: cut(truncated, originalLength),
  }),
  response: ({ text, style, truncated, originalLength }) => ({
    icon: "answer",
    tone: "plain",
    title: "Answer",
    body: markdown(text, style),
    more: [],
    facts: cut(truncated, originalLength),
  }),
  thought: ({ text, style, truncated, originalLength, confidence, next, durationMs }) => ({
    icon: "thought",
    tone: "soft",
    title: "Thought",
    ...(confidence === undefined ? {} : { outcome: { words: `${confidence} confidence`, tone: confidence === "low" ? "warn" : "soft" } }),
    body: [...markdown(text, style), ...words(next, "Next")],
    more: [],
    facts: [...facts({ Took: durationMs === undefined ? undefined : formatShortDuration(durationMs) }), ...cut(truncated, originalLength)],
  }),
  "output.chunk": ({ text, of, contentType }) => ({
    icon: of === "thought" ? "thought" : "answer",
    tone: of === "thought" ? "soft" : "plain",
    title: of === "thought" ? "Thought" : "Answer",
    body: [{ show: "typed", text, type: contentType }],
    more: [],
    facts: [],
  }),
  goal: ({ text, status, parentGoal }) => ({
    icon: "flag",
    tone: "plain",
    title: `Goal${status === undefined || status === "set" ? "" : `, ${spaceWords(status)}`}`,
    subject: { text, as: "words" },
    body: [],
    more: [],
    facts: facts({ "Part of the goal": parentGoal }),
  }),
  decision: ({ text, alternatives, why, confidence }) => ({
    icon: "decision",
    tone: "plain",
    title: "Decided",
    ...(confidence === undefined ? {} : { outcome: { words: `${confidence} confidence`, tone: "soft" } }),
    body: [...markdown(text), ...words(why, "Why")],
    more: alternatives === undefined || alternatives.length === 0 ? [] : [{ show: "list", label: "Instead of", items: alternatives }],
    facts: [],
  }),
  uncertainty: ({ text, confidence }) => ({
    icon: "question",
    tone: "warn",
    title: "Unsure",
    ...(confidence === undefined ? {} : { outcome: { words: `${confidence} confidence`, tone: "soft" } }),
    body: markdown(text),
    more: [],
    facts: [],
  }),
  plan: ({ items, text }) => ({
    icon: "answer",
    tone: "plain",
    title: "Plan",
    body:
      items.length === 0
        ? markdown(text)
        : [{ show: "list", items: items.map((item) => `${item.text}${item.status === undefined ? "" : ` (${spaceWords(item.status)})`}`) }],
    more: [],
    facts: [],
  }),
  memory: ({ operation, key, summary }) => ({
    icon: "memory",
    tone: "soft",
    title: operation === undefined ? "Memory" : { read: "Remembered", write: "Noted", delete: "Forgot" }[operation],
    ...(key === undefined ? {} : { subject: { text: key, as: "code" } }),
    body: words(summary),
    more: [],
    facts: [],
  }),
};

function cut(truncated: boolean | undefined, originalLength: number | undefined) {
  if (truncated !== true) return [];
  return facts({ "Cut by the agent": originalLength === undefined ? "yes" : `from ${formatNumber(originalLength)} characters` });
}
