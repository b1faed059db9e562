import type { Activity } from "@earshot/translate";
import { aboutInEnglish, outcomeInEnglish } from "./english-phrases.ts";
import { MOST_ASKED, readAloud, toolName, type Verbosity, WORTH_SAYING_MS } from "./english-reading.ts";

/** What is said about an activity, after its source. */
export interface Sentence {
  readonly verb: string;
  /** The agent's words. */
  readonly own?: readonly (string | undefined)[];
  /** Ours. */
  readonly ours?: readonly (string | undefined)[];
}

type Closed = Extract<Activity, { kind: "session.closed" }>;
export type Read = (text: string | undefined) => string | undefined;

/** The three ends sound different, and what to do about a failure is said at every verbosity. */
export function closed(activity: Closed, summary: string | undefined, read: Read): Sentence {
  const { outcome, error, result, hint, by } = activity;
  const told = summary ?? (outcome === "failed" ? read(error) : read(result));
  const who = outcome === "cancelled" && by !== undefined ? ` by ${toolName(by)}` : "";
  return { verb: `${outcomeInEnglish(outcome)}${who}`, own: [told, readAloud(hint, MOST_ASKED)] };
}

export function progress(activity: Extract<Activity, { kind: "progress" }>, summary: string | undefined): Sentence {
  const { percent, step, steps, remainingMs } = activity;
  const ofAll = steps === undefined ? "" : ` of ${steps}`;
  const verb =
    percent !== undefined ? `is at ${Math.round(percent)} percent` : step !== undefined ? `is at step ${step}${ofAll}` : "goes on";
  const left = remainingMs === undefined || remainingMs < WORTH_SAYING_MS ? undefined : `${capital(aboutInEnglish(remainingMs))} left`;
  return { verb, own: [summary], ours: [left] };
}

export function ended(activity: Extract<Activity, { kind: "tool.ended" }>, summary: string | undefined, read: Read): Sentence {
  const { outcome, error, durationMs } = activity;
  const tool = toolName(activity.toolTitle ?? activity.tool);
  const took = durationMs === undefined || durationMs < WORTH_SAYING_MS ? undefined : `It took ${aboutInEnglish(durationMs)}`;
  switch (outcome) {
    case "failed":
      return { verb: `got an error from ${tool}`, own: [summary ?? read(error)] };
    case "timeout":
      return { verb: `got no answer from ${tool}`, own: [summary ?? read(error)] };
    case "denied":
      return { verb: `may not use ${tool}`, own: [summary ?? read(error)] };
    case "cancelled":
      return { verb: `stopped ${tool}`, own: [summary] };
    default:
      return summary === undefined ? { verb: `has used ${tool}`, ours: [took] } : { verb: "", own: [summary], ours: [took] };
  }
}

export function decided(activity: Extract<Activity, { kind: "tool.decided" }>, read: Read): Sentence {
  const tool = toolName(activity.tool ?? "");
  if (activity.verdict === "asked")
    return { verb: "asks at its own prompt", own: [read(activity.message ?? activity.why)], ours: [`It wants to use ${tool}`] };
  if (activity.verdict === "denied") return { verb: `may not use ${tool}`, own: [read(activity.why)] };
  return { verb: activity.verdict === "approved" ? `may use ${tool}` : `heard no verdict about ${tool}` };
}

type Asked = Extract<Activity, { kind: "request.asked" }>;

/** What happens, whether it can be undone, what can be answered and for how long. */
export function asked(activity: Asked, summary: string | undefined, verbosity: Verbosity): Sentence {
  const { prompt, consequence, background, choices, timeoutMs, request } = activity;
  const question =
    readAloud(prompt, MOST_ASKED) ?? (activity.tool === undefined ? undefined : `It wants to use ${toolName(activity.tool)}`);
  const isTerse = verbosity === "terse";
  const own =
    summary === undefined
      ? [
          question,
          isTerse ? undefined : readAloud(consequence, MOST_ASKED),
          verbosity === "detailed" ? readAloud(background, MOST_ASKED) : undefined,
        ]
      : [summary];
  const saysSo = /undo|undone|irrevers|permanent|for good/i.test(own.join(" "));
  const numbered =
    request === "clarification" ? choices?.slice(0, 9).map((choice, index) => `${index + 1}, ${readAloud(choice, 12) ?? ""}`) : undefined;
  return {
    verb: "asks",
    own,
    ours: [
      activity.reversible === false && !saysSo ? "Cannot be undone" : undefined,
      activity.risk === "high" ? "High risk" : undefined,
      isTerse || numbered === undefined ? undefined : `Answers: ${numbered.join("; ")}`,
      isTerse || timeoutMs === undefined ? undefined : `You have ${aboutInEnglish(timeoutMs)}`,
    ],
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
