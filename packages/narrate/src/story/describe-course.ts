import { spaceWords } from "../amounts.ts";
import type { Describers } from "./describers.ts";
import type { DescriptionWords, NarrationTone } from "./narration.ts";

const END_TONES: Readonly<Record<string, NarrationTone>> = { completed: "good", failed: "bad", timeout: "bad" };

/** The course of a session: start, turns, states, failures, end. */
export const COURSE_DESCRIBERS: Describers<
  | "session.opened"
  | "session.closed"
  | "turn.started"
  | "turn.ended"
  | "state"
  | "progress"
  | "heartbeat"
  | "context.compacted"
  | "workspace.changed"
  | "notification"
  | "error"
  | "custom"
> = {
  "session.opened": ({ goal, version, resumed, source, requestedBy, tools, expectedMs, ...rest }, words) => ({
    topic: "play",
    tone: "soft",
    title: resumed === true ? words.story.resumed : words.story.started,
    quotes: words.prose("goal", goal, { rank: 2 }),
    facts: words.facts(2, {
      version,
      source: source === undefined ? undefined : spaceWords(source),
      requestedBy,
      tools: tools?.join(", "),
      expectedMs: durationFact(expectedMs, words),
    }),
    rest,
  }),
  "session.closed": ({ outcome, summary, error, steps, calls, durationMs, reason, by, result, resultUri, ...others }, words) => {
    const { code, category, recoverable, hint, ...rest } = others;
    const isBad = outcome === "failed" || outcome === "timeout";
    return {
      topic: isBad ? "cross" : "flag",
      tone: END_TONES[outcome] ?? "plain",
      title: words.story.ends[outcome] ?? words.story.ends.unknown,
      ...took(durationMs, words),
      quotes: [
        ...words.main("summary", summary === error || summary === result ? undefined : summary),
        ...words.main("error", error),
        ...words.main("result", result === error ? undefined : result),
        ...words.prose("hint", hint),
      ],
      facts: [
        ...words.facts(1, { reason: reason === undefined ? undefined : spaceWords(reason), endedBy: by }),
        ...words.facts(2, { steps, calls, resultUri, recoverable }),
        ...words.facts(2, { code, category: category === undefined ? undefined : spaceWords(category) }),
      ],
      rest,
    };
  },
  "turn.started": ({ reason, ...rest }, words) => ({
    topic: "play",
    tone: "soft",
    title: words.story.turnStarted,
    facts: words.facts(1, { reason: reason === undefined ? undefined : spaceWords(reason) }),
    rest,
  }),
  "turn.ended": ({ reason, durationMs, ...rest }, words) => ({
    topic: "flag",
    tone: "soft",
    title: words.story.turnEnded,
    ...took(durationMs, words),
    facts: words.facts(1, { reason: reason === undefined ? undefined : spaceWords(reason) }),
    rest,
  }),
  state: ({ from, to, summary, expectedMs, ...rest }, words) => ({
    topic: "dot",
    tone: "soft",
    title: to === "awaiting_input" ? words.story.statuses.waiting : words.story.state(words.story.word(to)),
    ...aboutFact(summary),
    facts: words.facts(1, { from: from === undefined ? undefined : words.story.word(from), expectedMs: durationFact(expectedMs, words) }),
    rest,
  }),
  progress: ({ percent, step, steps, summary, remainingMs, ...rest }, words) => {
    const { story } = words;
    const parts = [
      ...(percent === undefined ? [] : [story.percent(Math.round(percent * 10) / 10)]),
      ...(step !== undefined
        ? [steps === undefined ? story.step(step) : story.stepOf(step, steps)]
        : steps === undefined
          ? []
          : [story.steps(steps)]),
    ];
    return {
      topic: "dot",
      tone: "soft",
      title: parts.length === 0 ? story.progress : `${story.progress} ${parts.join(", ")}`,
      ...aboutFact(summary),
      facts: words.facts(1, { remainingMs: durationFact(remainingMs, words) }),
      rest,
    };
  },
  heartbeat: ({ status, step, goal, ...rest }, words) => ({
    topic: "dot",
    tone: "soft",
    title: words.story.heartbeat,
    ...aboutFact(status === undefined ? undefined : spaceWords(status)),
    facts: words.facts(1, { step, goal }),
    rest,
  }),
  "context.compacted": ({ trigger, summary, ...rest }, words) => ({
    topic: "memory",
    title: words.story.compacted,
    quotes: words.main("summary", summary),
    facts: words.facts(1, { trigger: trigger === undefined ? undefined : spaceWords(trigger) }),
    rest,
  }),
  "workspace.changed": ({ path, change, ...rest }, words) => ({
    topic: "file",
    tone: "soft",
    title: words.story.changed(change === undefined ? undefined : spaceWords(change)),
    ...(path === undefined ? {} : { subject: { text: path, as: "code" } as const }),
    rest,
  }),
  notification: ({ text, style, level, topic, truncated, originalLength, ...rest }, words) => ({
    topic: "bell",
    tone: level === "error" || level === "critical" ? "bad" : level === "warning" ? "warn" : "plain",
    title: words.story.notification(topic === undefined ? undefined : spaceWords(topic)),
    quotes: words.main("text", text, style),
    facts: [...words.facts(1, { level }), ...cutFacts(truncated, originalLength, words)],
    rest,
  }),
  error: ({ message, code, category, recoverable, hint, callId, tool, ...rest }, words) => ({
    topic: "cross",
    tone: "bad",
    title: words.story.error,
    quotes: [...words.main("error", message, "plain_text"), ...words.prose("hint", hint)],
    facts: [
      ...words.facts(1, { tool, code, category: category === undefined ? undefined : spaceWords(category), recoverable }),
      ...words.facts(3, { callId }),
    ],
    rest,
  }),
  custom: ({ summary, data, type, protocol, ...rest }, words) => {
    const tool = toolIn(data, words);
    const own = Object.entries(data ?? {}).filter(([name, value]) => value !== summary && !(protocol !== "aop" && ENVELOPE.has(name)));
    return {
      topic: "dot",
      title: words.story.event(type),
      ...(tool === undefined ? {} : { subject: { text: tool, as: "code" } as const }),
      quotes: [...words.main("summary", summary), ...words.json("data", own.length === 0 ? undefined : Object.fromEntries(own))],
      rest,
    };
  },
};

/** Envelope members of AAEP and AEP events, described elsewhere. The payload of an AOP event is separate. */
const ENVELOPE: ReadonlySet<string> = new Set([
  "@context",
  "aaep_version",
  "aep_version",
  "agent",
  "event_id",
  "extensions",
  "id",
  "localization_hints",
  "producer",
  "session",
  "session_id",
  "time",
  "timestamp",
  "type",
]);

export function durationFact(ms: number | undefined, words: DescriptionWords): string | undefined {
  return ms === undefined ? undefined : words.duration(ms);
}

export function aboutFact(text: string | undefined) {
  return text === undefined || text === "" ? {} : { subject: { text, as: "words" } as const };
}

function took(durationMs: number | undefined, words: DescriptionWords) {
  return durationMs === undefined ? {} : { outcome: { words: words.story.after(words.duration(durationMs)), tone: "soft" } as const };
}

export function cutFacts(truncated: boolean | undefined, originalLength: number | undefined, words: DescriptionWords) {
  return truncated === true ? words.facts(1, { cut: words.story.cutByAgent(originalLength) }) : [];
}

/** The tool named by an event of an unknown kind. */
function toolIn(data: unknown, { story }: DescriptionWords): string | undefined {
  const [tool, server] = [member(data, "tool"), member(data, "server")];
  const name =
    textIn(tool, "display_name") ??
    textIn(tool, "name") ??
    (typeof tool === "string" ? tool : undefined) ??
    textIn(data, "tool_name") ??
    textIn(member(data, "skill"), "name");
  const from = textIn(server, "name");
  return name === undefined || from === undefined ? name : story.ofServer(name, from);
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" && found !== "" ? found : undefined;
}
