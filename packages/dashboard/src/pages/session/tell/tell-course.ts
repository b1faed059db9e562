import { capitalize, formatCount, formatShortDuration, spaceWords } from "@earshot/narrate";
import type { Tellers } from "./of-kind.ts";
import { facts, markdown, type Tone, words } from "./told.ts";

const ENDS = {
  completed: ["Completed", "good"],
  failed: ["Failed", "bad"],
  cancelled: ["Cancelled", "plain"],
  timeout: ["Ran out of time", "bad"],
  unknown: ["Ended", "plain"],
} as const satisfies Readonly<Record<string, readonly [string, Tone]>>;

/** How a session goes: its beginning and end, its turns, states and progress. */
export const COURSE: Tellers<
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
> = {
  "session.opened": ({ goal, version, resumed, source, requestedBy, tools, expectedMs, summary }) => ({
    icon: "play",
    tone: "soft",
    title: resumed === true ? "Resumed" : "Started",
    body: [],
    more: [...words(goal, "Goal"), ...words(summary === goal ? undefined : summary, "Summary")],
    facts: facts({
      "Agent version": version,
      "How it began": source === undefined ? undefined : spaceWords(source),
      "Asked for by": requestedBy,
      Tools: tools?.join(", "),
      "Expected to take": expectedMs === undefined ? undefined : formatShortDuration(expectedMs),
    }),
  }),
  "session.closed": ({ outcome, summary, error, steps, calls, durationMs, reason, by, result, resultUri, ...failure }) => {
    const [title, tone] = ENDS[outcome] ?? ENDS.unknown;
    const said = [error, summary, result].filter((text, index, all) => text !== undefined && all.indexOf(text) === index);
    return {
      icon: outcome === "failed" || outcome === "timeout" ? "cross" : "flag",
      tone,
      title,
      ...(durationMs === undefined ? {} : { outcome: { words: `after ${formatShortDuration(durationMs)}`, tone: "soft" } }),
      body: [...said.flatMap((text) => markdown(text)), ...words(failure.hint, "What to do")],
      more: [],
      facts: facts({
        Reason: reason === undefined ? undefined : spaceWords(reason),
        "Ended by": by,
        Steps: steps,
        Calls: calls,
        "Error code": failure.code,
        "Kind of error": failure.category === undefined ? undefined : spaceWords(failure.category),
        "Can recover": failure.recoverable === undefined ? undefined : failure.recoverable ? "yes" : "no",
        "Result at": resultUri,
      }),
    };
  },
  "turn.started": ({ reason }) => ({
    icon: "play",
    tone: "soft",
    title: "Began to work",
    body: [],
    more: [],
    facts: facts({ Reason: reason === undefined ? undefined : spaceWords(reason) }),
  }),
  "turn.ended": ({ reason, durationMs }) => ({
    icon: "flag",
    tone: "soft",
    title: "Done with this turn",
    ...(durationMs === undefined ? {} : { outcome: { words: `after ${formatShortDuration(durationMs)}`, tone: "soft" } }),
    body: [],
    more: [],
    facts: facts({ Reason: reason === undefined ? undefined : spaceWords(reason) }),
  }),
  state: ({ from, to, summary, expectedMs }) => ({
    icon: "dot",
    tone: "soft",
    title: capitalize(spaceWords(to)),
    ...(summary === undefined ? {} : { subject: { text: summary, as: "words" } }),
    body: [],
    more: [],
    facts: facts({
      "State before": from === undefined ? undefined : spaceWords(from),
      "Expected to take": expectedMs === undefined ? undefined : formatShortDuration(expectedMs),
    }),
  }),
  progress: ({ percent, step, steps, summary, remainingMs }) => ({
    icon: "dot",
    tone: "soft",
    title: `Progress${percent === undefined ? "" : `: ${Math.round(percent)} %`}${stepInWords(step, steps)}`,
    ...(summary === undefined ? {} : { subject: { text: summary, as: "words" } }),
    body: [],
    more: [],
    facts: facts({ "Still to go": remainingMs === undefined ? undefined : formatShortDuration(remainingMs) }),
  }),
  heartbeat: ({ status, step, goal }) => ({
    icon: "dot",
    tone: "soft",
    title: "Sign of life",
    ...(status === undefined ? {} : { subject: { text: spaceWords(status), as: "words" } }),
    body: [],
    more: [],
    facts: facts({ Step: step, Goal: goal }),
  }),
  "context.compacted": ({ trigger, summary }) => ({
    icon: "memory",
    tone: "plain",
    title: "Its memory of the session was compacted",
    body: markdown(summary),
    more: [],
    facts: facts({ "What led to it": trigger }),
  }),
  "workspace.changed": ({ path, change }) => ({
    icon: "file",
    tone: "soft",
    title: `Workspace changed${change === undefined ? "" : `: ${spaceWords(change)}`}`,
    ...(path === undefined ? {} : { subject: { text: path, as: "code" } }),
    body: [],
    more: [],
    facts: [],
  }),
  notification: ({ text, style, level, topic }) => ({
    icon: "bell",
    tone: level === "error" || level === "critical" ? "bad" : level === "warning" ? "warn" : "plain",
    title: `Notification${topic === undefined ? "" : `: ${spaceWords(topic)}`}`,
    body: markdown(text, style),
    more: [],
    facts: facts({ Level: level }),
  }),
  error: ({ message, code, category, recoverable, hint, tool }) => ({
    icon: "cross",
    tone: "bad",
    title: "Error",
    ...(tool === undefined ? {} : { subject: { text: tool, as: "code" } }),
    body: [...words(message), ...words(hint, "What to do")],
    more: [],
    facts: facts({
      "Error code": code,
      "Kind of error": category === undefined ? undefined : spaceWords(category),
      "Can recover": recoverable === undefined ? undefined : recoverable ? "yes" : "no",
    }),
  }),
};

function stepInWords(step: number | undefined, steps: number | undefined): string {
  if (step !== undefined) return `, step ${step}${steps === undefined ? "" : ` of ${steps}`}`;
  return steps === undefined ? "" : `, ${formatCount(steps, "step")}`;
}
