import { spaceWords } from "../amounts.ts";
import { aboutFact, cutFacts, durationFact } from "./describe-course.ts";
import type { Describers } from "./describers.ts";
import type { DescriptionWords } from "./narration.ts";

/** Agents' thoughts and words: prompts, responses, thoughts, goals, plans. */
export const MIND_DESCRIBERS: Describers<
  "prompt" | "response" | "thought" | "output.chunk" | "goal" | "decision" | "uncertainty" | "plan" | "memory"
> = {
  prompt: ({ text, style, truncated, originalLength, ...rest }, words) => ({
    topic: "prompt",
    title: words.story.prompt,
    quotes: words.main("text", text, style),
    facts: cutFacts(truncated, originalLength, words),
    rest,
  }),
  response: ({ text, style, truncated, originalLength, ...rest }, words) => ({
    topic: "answer",
    title: words.story.response,
    quotes: words.main("text", text, style),
    facts: cutFacts(truncated, originalLength, words),
    rest,
  }),
  thought: ({ text, style, truncated, originalLength, confidence, next, durationMs, ...rest }, words) => ({
    topic: "thought",
    tone: "soft",
    title: words.story.thought,
    ...confident(confidence, words),
    quotes: [...words.main("text", text, style), ...words.prose("next", next)],
    facts: [...words.facts(1, { durationMs: durationFact(durationMs, words) }), ...cutFacts(truncated, originalLength, words)],
    rest,
  }),
  // Shown in the joined output.
  "output.chunk": ({ outputId, text, position, last, contentType, language, of, boundary, ...rest }, words) => ({
    ...(of === "thought" ? { topic: "thought", tone: "soft" } : { topic: "answer" }),
    title: of === "thought" ? words.story.thought : words.story.output,
    quotes: text === "" ? [] : [{ rank: 1, label: words.label("text"), isMain: true, as: "typed", text, type: contentType }],
    facts: [
      ...words.facts(1, { contentType }),
      ...words.facts(2, { position }),
      ...words.facts(3, { last: last ? last : undefined, language, boundary, outputId }),
    ],
    rest,
  }),
  goal: ({ text, status, parentGoal, ...rest }, words) => ({
    topic: "flag",
    tone: status === "abandoned" ? "warn" : "plain",
    title: words.story.goals[status ?? "other"],
    ...aboutFact(text),
    facts: words.facts(1, { parentGoal }),
    rest,
  }),
  decision: ({ text, alternatives, why, confidence, ...rest }, words) => ({
    topic: "decision",
    title: words.story.decision,
    ...confident(confidence, words),
    quotes: [...words.main("text", text), ...words.prose("why", why), ...words.list("alternatives", alternatives, 2)],
    rest,
  }),
  uncertainty: ({ text, confidence, ...rest }, words) => ({
    topic: "question",
    tone: "warn",
    title: words.story.uncertainty,
    ...confident(confidence, words),
    quotes: words.main("text", text),
    rest,
  }),
  plan: ({ items, text, ...rest }, words) => ({
    topic: "answer",
    title: words.story.plan,
    ...(items.length === 0 ? {} : { outcome: { words: words.story.items(items.length), tone: "soft" } as const }),
    quotes: [
      ...words.main("text", text),
      ...words
        .list(
          "plan",
          items.map((item) => (item.status === undefined ? item.text : `${item.text} (${spaceWords(item.status)})`)),
        )
        .map((quote) => ({ ...quote, isMain: true as const })),
    ],
    rest,
  }),
  memory: ({ operation, key, summary, ...rest }, words) => ({
    topic: "memory",
    tone: "soft",
    title: words.story.memory[operation ?? "other"] ?? words.story.memory.other,
    ...(key === undefined ? {} : { subject: { text: key, as: "code" } as const }),
    quotes: words.prose("summary", summary),
    rest,
  }),
};

function confident(confidence: string | undefined, words: DescriptionWords) {
  if (confidence === undefined) return {};
  return { outcome: { words: words.story.confidence(confidence), tone: confidence === "low" ? "warn" : "soft" } as const };
}
