import { spaceWords } from "../amounts.ts";
import { agentName } from "../names.ts";
import { aboutFact, durationFact } from "./describe-course.ts";
import type { Describers, ItemDescription, OfKind } from "./describers.ts";
import type { DescriptionWords, NarrationTone } from "./narration.ts";

const VERDICT_TONES = {
  approved: "good",
  denied: "bad",
  asked: "warn",
  deferred: "plain",
  abstained: "soft",
  unknown: "plain",
} as const satisfies Readonly<Record<string, NarrationTone>>;

/** Protocol words that add nothing to the verdict. */
const USUAL_WORDS: ReadonlySet<string> = new Set(["allow", "approve", "approved", "deny", "denied", "ask", "defer", "abstain"]);

/** Questions, answers, verdicts, subagents, and external calls. */
export const OTHER_DESCRIBERS: Describers<
  "request.asked" | "request.answered" | "handoff" | "tool.decided" | "subagent.started" | "subagent.ended" | "external.call"
> = {
  "request.asked": (
    { request, token, prompt, consequence, background, choices, choiceValues, accepts, risk, reversible, ...others },
    words,
  ) => {
    const { callId, tool, timeoutMs, byDefault, ...rest } = others;
    return {
      topic: "question",
      tone: "warn",
      title: words.story.asks[request],
      quotes: [
        ...words.main("text", prompt),
        ...words.prose("consequence", consequence),
        ...words.prose("background", background),
        ...words.list(
          "choices",
          choices?.map((choice, index) => [...new Set([choice, choiceValues?.[index] ?? choice])].join(" = ")),
        ),
      ],
      facts: [
        ...words.facts(1, { tool, risk, reversible, accepts: accepts?.map(spaceWords).join(", ") }),
        ...words.facts(1, { timeoutMs: durationFact(timeoutMs, words), byDefault }),
        ...words.facts(3, { token, callId }),
      ],
      rest,
    };
  },
  "request.answered": describeAnswer,
  handoff: ({ to, targetKind, reason, priority, briefing, ...rest }, words) => ({
    topic: "agents",
    tone: "warn",
    title: words.story.handsOver,
    ...(to === undefined ? {} : { subject: { text: to, as: "code" } as const }),
    quotes: [...words.main("reason", reason === undefined ? undefined : spaceWords(reason)), ...words.json("briefing", briefing)],
    facts: words.facts(1, { targetKind: targetKind === undefined || targetKind === to ? undefined : spaceWords(targetKind), priority }),
    rest,
  }),
  "tool.decided": (
    { callId, tool, requestEventId, verdict, behavior, by, why, message, policy, newInput, addedContext, afterMs, ...rest },
    words,
  ) => {
    const tone = VERDICT_TONES[verdict] ?? "plain";
    return {
      topic: tone === "bad" ? "cross" : "decision",
      tone,
      title: words.story.by(words.story.verdicts[verdict] ?? words.story.verdicts.unknown, by),
      ...(tool === undefined || tool === "" ? {} : { subject: { text: tool, as: "code" } as const }),
      ...(afterMs === undefined ? {} : { outcome: { words: words.story.after(words.duration(afterMs)), tone: "soft" } as const }),
      quotes: [
        ...words.prose("why", why),
        ...words.prose("message", message),
        ...words.json("instead", newInput),
        ...words.prose("addedContext", addedContext, { rank: 2 }),
      ],
      facts: [
        ...words.facts(1, { verdict: behavior !== undefined && USUAL_WORDS.has(behavior) ? undefined : behavior, policy }),
        ...words.facts(3, { callId, answersEvent: requestEventId }),
      ],
      rest,
    };
  },
  "subagent.started": ({ child, childAgent, goal, why, callId, ...rest }, words) => ({
    topic: "agents",
    title: words.story.subagentStarted(childAgent === undefined ? undefined : agentName(childAgent)),
    ...aboutFact(goal),
    quotes: words.prose("why", why),
    facts: words.facts(3, { child, callId }),
    ...(child === undefined ? {} : { child }),
    rest,
  }),
  "subagent.ended": ({ child, childAgent, outcome, result, durationMs, callId, ...rest }, words) => {
    const ended = [
      ...(outcome === undefined ? [] : [spaceWords(outcome)]),
      ...(durationMs === undefined ? [] : [words.story.after(words.duration(durationMs))]),
    ].join(", ");
    return {
      topic: "agents",
      title: words.story.subagentEnded(childAgent === undefined ? undefined : agentName(childAgent)),
      ...(ended === "" ? {} : { outcome: { words: ended, tone: "soft" } as const }),
      quotes: words.main("result", result),
      facts: words.facts(3, { child, callId }),
      ...(child === undefined ? {} : { child }),
      rest,
    };
  },
  "external.call": ({ method, target, status, durationMs, error, ...rest }, words) => {
    const isBad = error !== undefined || (status !== undefined && status >= 400);
    const ended = [
      ...(status === undefined ? [] : [words.story.status(status)]),
      ...(durationMs === undefined ? [] : [words.story.within(words.duration(durationMs))]),
    ].join(" ");
    return {
      topic: "globe",
      tone: isBad ? "bad" : "plain",
      title: words.story.externalCall(method),
      ...(target === "" ? {} : { subject: { text: target, as: "code" } as const }),
      ...(ended === "" ? {} : { outcome: { words: ended, tone: isBad ? "bad" : "good" } as const }),
      quotes: words.prose("error", error),
      rest,
    };
  },
};

const ANSWER_TONES: Readonly<Record<string, NarrationTone>> = {
  allow: "good",
  accept: "good",
  continue: "good",
  "take-over": "good",
  deny: "bad",
  reject: "bad",
  block: "bad",
  stop: "bad",
};

/** A decision. The hub records decisions as JSON; protocols report a word. */
function describeAnswer(activity: OfKind<"request.answered">, words: DescriptionWords): ItemDescription {
  const { request, token, answer, by, reason, change, type, ...rest } = activity;
  const { done } = words.catalogue.decisions;
  const { word, response, message, edit } = readDecision(answer);
  const known = Object.hasOwn(done, word) ? done[word as keyof typeof done] : undefined;
  const tone = known === undefined ? "plain" : (ANSWER_TONES[word] ?? "plain");
  const what = type === "decision.extended" ? words.story.extended : (known ?? done.respond);
  return {
    topic: tone === "bad" ? "cross" : "decision",
    tone,
    title: words.story.by(what, nameDecider(by, words)),
    quotes: [
      ...(known === undefined && type !== "decision.extended" ? words.main("answer", word) : []),
      ...words.main("answer", response),
      ...words.prose("message", message),
      ...words.prose("why", reason),
      ...words.json("instead", change),
      ...words.json("change", edit),
    ],
    facts: [...words.facts(2, { request }), ...words.facts(3, { token })],
    rest,
  };
}

function nameDecider(by: string | undefined, { catalogue: { decisions } }: DescriptionWords): string | undefined {
  const rule = /^policy: (.*)$/s.exec(by ?? "")?.[1];
  if (rule !== undefined) return decisions.rule(rule);
  return by === "hub" ? decisions.hub : by;
}

interface ReadDecision {
  readonly word: string;
  readonly response?: string;
  readonly message?: string;
  readonly edit?: unknown;
}

function readDecision(answer: string): ReadDecision {
  if (!answer.startsWith("{")) return { word: answer };
  try {
    const { word, response, message, edit } = JSON.parse(answer) as Readonly<Record<string, unknown>>;
    if (typeof word !== "string") return { word: answer };
    return {
      word,
      ...(response === undefined ? {} : { response: typeof response === "string" ? response : JSON.stringify(response) }),
      ...(typeof message === "string" ? { message } : {}),
      ...(edit === undefined ? {} : { edit }),
    };
  } catch {
    return { word: answer }; // no JSON after all
  }
}
