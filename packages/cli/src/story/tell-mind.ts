import { formatCount, formatDuration, spaceWords } from "@earshot/narrate";
import type { Tellers } from "./of-kind.ts";
import { confidenceInWords, given, labelled, when } from "./phrases.ts";

/** What agents think and say. */
export const MIND: Tellers<
  "thought" | "goal" | "decision" | "uncertainty" | "prompt" | "response" | "output.chunk" | "plan" | "notification" | "context.compacted"
> = {
  thought: ({ text, confidence, next, durationMs, style: _style, truncated, originalLength, ...rest }) => ({
    what: "Thought",
    remarks: given(
      confidenceInWords(confidence),
      when(durationMs, (ms) => `for ${formatDuration(ms)}`),
      cutInWords(truncated, originalLength),
    ),
    words: text,
    parts: labelled({ Next: next }),
    rest,
  }),
  goal: ({ text, status, parentGoal, ...rest }) => ({
    what: status === undefined ? "Goal" : `Goal ${GOALS[status]}`,
    ...(status === "abandoned" ? { tone: "warning" } : {}),
    words: text,
    parts: labelled({ "Part of the goal": parentGoal }),
    rest,
  }),
  decision: ({ text, alternatives = [], why, confidence, ...rest }) => ({
    what: "Decision",
    remarks: given(confidenceInWords(confidence)),
    words: text,
    parts: labelled({ Why: why }),
    below: alternatives.map((alternative) => ({ label: "Alternative", text: alternative })),
    rest,
  }),
  uncertainty: ({ text, confidence, ...rest }) => ({
    what: "Uncertainty",
    tone: "warning",
    remarks: given(confidenceInWords(confidence)),
    words: text,
    rest,
  }),
  prompt: ({ text, style: _style, truncated, originalLength, ...rest }) => ({
    what: "Prompt",
    tone: "heading",
    remarks: given(cutInWords(truncated, originalLength)),
    words: text,
    rest,
  }),
  response: ({ text, style: _style, truncated, originalLength, ...rest }) => ({
    what: "Response",
    remarks: given(cutInWords(truncated, originalLength)),
    words: text,
    rest,
  }),
  // Told whole, as an output, wherever the views have put it together.
  "output.chunk": ({ outputId, text, position, last, contentType, language: _language, of, boundary: _boundary, ...rest }) => ({
    what: of === "thought" ? "Part of a thought" : "Part of an output",
    remarks: given(
      when(contentType, (type) => type),
      when(position, (at) => `from character ${at}`),
      last && "the last part",
    ),
    words: text,
    parts: labelled({ "Output id": outputId }),
    rest,
  }),
  plan: ({ items, text, ...rest }) => ({
    what: "Plan",
    remarks: items.length === 0 ? [] : [formatCount(items.length, "item")],
    ...(text === undefined ? {} : { words: text }),
    below: items.map((item, index) => ({ label: given(String(index + 1), when(item.status, spaceWords)).join(", "), text: item.text })),
    rest,
  }),
  notification: ({ text, level, topic, style: _style, truncated, originalLength, ...rest }) => ({
    what: "Notification",
    remarks: given(level, when(topic, spaceWords), cutInWords(truncated, originalLength)),
    words: text,
    rest,
  }),
  "context.compacted": ({ trigger, summary, ...rest }) => ({
    what: "Context compacted",
    remarks: given(when(trigger, spaceWords)),
    ...(summary === undefined ? {} : { words: summary }),
    rest,
  }),
};

const GOALS = { set: "set", in_progress: "in progress", completed: "completed", abandoned: "abandoned" } as const;

function cutInWords(truncated: boolean | undefined, originalLength: number | undefined): string | undefined {
  if (truncated !== true) return undefined;
  return originalLength === undefined ? "cut by the agent" : `cut by the agent, from ${formatCount(originalLength, "character")}`;
}
