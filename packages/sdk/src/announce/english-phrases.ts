import type { SessionGroup, Standing } from "./standing.ts";
import type { Tally } from "./tally.ts";
import type { Phrases, Settling } from "./words.ts";

/** Our own words in English. */
export const ENGLISH_PHRASES: Phrases = {
  language: "en",
  from: (agent, project) => (project === undefined ? agent : `${agent} in ${project}`),
  firstOf: (requests) => `first of ${requests} requests`,
  counted: countedInEnglish,
  standing: standingInEnglish,
  others: othersInEnglish,
  settled: (how, by) => `${SETTLED[how]}${by === undefined ? "" : ` by ${by}`}`,
  more: (count) => `And ${count} more.`,
  leftOut: (words) => `${counted(words, "word")} left out.`,
  code: (lines) => `Code, ${counted(lines, "line")}.`,
  content: (type, characters) => `Content of type ${type}, ${counted(characters, "character")}.`,
  secret: "a secret",
  link: (host) => `a link to ${host}`,
  nothingNew: "Nothing new.",
  nobodyRuns: "Nobody is running.",
};

const SETTLED: Readonly<Record<Settling, string>> = {
  allowed: "was allowed",
  refused: "was refused",
  answered: "was answered",
  "no-answer": "got no answer in time",
  withdrawn: "withdrew a request",
  "went-on": "went on",
};

const STATES: ReadonlyMap<string, string> = new Map([
  ["idle", "is idle"],
  ["thinking", "is thinking"],
  ["calling_tool", "is using a tool"],
  ["writing_output", "is writing"],
  ["awaiting_input", "waits for an answer"],
  ["deciding", "is deciding"],
  ["handing_off", "is handing over"],
  ["running", "is running"],
  ["waiting", "is waiting"],
]);

const OUTCOMES = {
  completed: "is done",
  failed: "failed",
  cancelled: "was cancelled",
  timeout: "ran out of time",
  unknown: "has ended",
} as const;

export type EnglishOutcome = keyof typeof OUTCOMES;

export function outcomeInEnglish(outcome: EnglishOutcome): string {
  return OUTCOMES[outcome];
}

export function stateInEnglish(state: string): string {
  return STATES.get(state) ?? `is ${spaced(state)}`;
}

function standingInEnglish(standing: Standing): string {
  switch (standing.is) {
    case "waiting":
      return standing.requests === 1 ? "waits for you" : `waits for you with ${standing.requests} requests`;
    case "ended":
      return OUTCOMES[standing.outcome];
    case "at":
      return stateInEnglish(standing.state);
    case "running":
      return "is running";
  }
}

function countedInEnglish({ calls, failures, outputs, messages }: Tally, more: boolean): string {
  const again = more ? "more " : "";
  const parts = [
    ...(calls === 0 ? [] : [counted(calls, `${again}tool call`)]),
    ...(failures === 0 ? [] : [counted(failures, "failure")]),
    ...(outputs === 0 ? [] : [counted(outputs, "answer")]),
    ...(messages === 0 ? [] : [counted(messages, "message")]),
  ];
  return parts.join(", ");
}

function othersInEnglish(groups: readonly SessionGroup[]): string {
  const all = groups.reduce((sum, { sessions }) => sum + sessions, 0);
  const listed = groups.map(({ standing, sessions }) => `${sessions} ${groupInEnglish(standing)}`).join(", ");
  return `${counted(all, "more session")}: ${listed}.`;
}

function groupInEnglish(standing: Standing): string {
  if (standing.is === "waiting") return "waiting for you";
  return standing.is === "ended" ? ENDS[standing.outcome] : "running";
}

const ENDS = { completed: "done", failed: "failed", cancelled: "cancelled", timeout: "out of time", unknown: "ended" } as const;

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"] as const;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `about two minutes`: nobody plans by the second. */
export function aboutInEnglish(ms: number): string {
  if (ms < 1.5 * SECOND) return "about a second";
  if (ms < 55 * SECOND) return `about ${amount(ms < 10 * SECOND ? ms / SECOND : Math.round(ms / (5 * SECOND)) * 5, "second")}`;
  if (ms < 1.5 * MINUTE) return "about a minute";
  if (ms < 55 * MINUTE) return `about ${amount(ms < 10 * MINUTE ? ms / MINUTE : Math.round(ms / (5 * MINUTE)) * 5, "minute")}`;
  if (ms < 1.5 * HOUR) return "about an hour";
  return ms < 2 * DAY ? `about ${amount(ms / HOUR, "hour")}` : `about ${amount(ms / DAY, "day")}`;
}

function amount(value: number, unit: string): string {
  const whole = Math.round(value);
  return `${NUMBERS[whole] ?? whole} ${unit}${whole === 1 ? "" : "s"}`;
}

export function counted(howMany: number, one: string): string {
  return `${howMany.toLocaleString("en")} ${one}${howMany === 1 ? "" : "s"}`;
}

/** Names as programs write them. */
export function spaced(name: string): string {
  return name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .trim();
}
