import type { JsonValue } from "@earshot/protocol";
import type { Activity, ActivityKind } from "@earshot/protocol/activities";
import { textsInValue } from "./words.ts";

export const SEARCH_FIELDS = ["prompt", "thought", "tool", "command", "output", "error", "other"] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface SearchText {
  readonly field: SearchField;
  readonly text: string;
}

/** Characters kept of one entry. A longer text keeps its beginning and end, where errors are. */
const MAX_CHARACTERS = 16_384;
const CUT = "\n…\n";

/** The searchable words of an entry, of bounded total length, each text once. */
export function searchTexts(activities: readonly Activity[]): readonly SearchText[] {
  const texts: SearchText[] = [];
  const seen = new Set<string>();
  let room = MAX_CHARACTERS;
  const add = (field: SearchField, said: string | undefined) => {
    const text = said === undefined ? "" : bothEnds(said.trim(), room);
    if (text === "" || seen.has(text)) return;
    seen.add(text);
    room -= text.length;
    texts.push({ field, text });
  };
  for (const activity of activities) {
    // The kind determines the function and its type, which the compiler cannot follow.
    const words = WORDS[activity.kind] as ((activity: Activity) => Words) | undefined;
    for (const [field, text] of words?.(activity) ?? []) add(field, text);
    add("other", activity.summary);
  }
  return texts;
}

type Words = readonly (readonly [field: SearchField, text: string | undefined])[];
type Call = Extract<Activity, { kind: "tool.requested" | "tool.started" }>;

const ofCall = ({ tool, toolTitle, subject, input, why }: Call): Words => [
  ["tool", tool],
  ["tool", toolTitle],
  ["command", subject],
  ["command", wordsOf(input)],
  ["thought", why],
];

/** The words of an activity by kind, apart from its summary. */
const WORDS: { readonly [Kind in ActivityKind]?: (activity: Extract<Activity, { kind: Kind }>) => Words } = {
  "session.opened": ({ goal }) => [["prompt", goal]],
  "session.closed": ({ error, summary, result }) => [
    ["error", error],
    ["other", summary],
    ["output", result],
  ],
  thought: ({ text, next }) => [
    ["thought", text],
    ["thought", next],
  ],
  goal: ({ text }) => [["thought", text]],
  uncertainty: ({ text }) => [["thought", text]],
  decision: ({ text, why, alternatives = [] }) => [
    ["thought", text],
    ["thought", why],
    ...alternatives.map((alternative) => ["thought", alternative] as const),
  ],
  plan: ({ text, items }) => [["thought", text], ...items.map((item) => ["thought", item.text] as const)],
  prompt: ({ text }) => [["prompt", text]],
  response: ({ text }) => [["output", text]],
  "output.chunk": ({ text, of }) => [[of === "thought" ? "thought" : "output", text]],
  "tool.requested": ofCall,
  "tool.started": ofCall,
  "tool.decided": ({ tool, why, message }) => [
    ["tool", tool],
    ["other", why],
    ["other", message],
  ],
  "tool.ended": ({ tool, error, result, output }) => [
    ["tool", tool],
    ["error", error],
    ["output", result],
    ["output", wordsOf(output)],
  ],
  "request.asked": ({ prompt, consequence, background, choices = [] }) => [
    ["prompt", prompt],
    ["other", consequence],
    ["other", background],
    ...choices.map((choice) => ["other", choice] as const),
  ],
  "request.answered": ({ answer, reason }) => [
    ["other", answer],
    ["other", reason],
  ],
  handoff: ({ to, reason }) => [
    ["other", to],
    ["other", reason],
  ],
  "subagent.started": ({ childAgent, goal, why }) => [
    ["tool", childAgent],
    ["prompt", goal],
    ["thought", why],
  ],
  "subagent.ended": ({ childAgent, result }) => [
    ["tool", childAgent],
    ["output", result],
  ],
  memory: ({ key, summary }) => [
    ["command", key],
    ["other", summary],
  ],
  "external.call": ({ method, target, error }) => [
    ["command", method === undefined ? target : `${method} ${target}`],
    ["error", error],
  ],
  "workspace.changed": ({ path }) => [["command", path]],
  notification: ({ text }) => [["other", text]],
  error: ({ message, hint, code }) => [
    ["error", message],
    ["error", hint],
    ["error", code],
  ],
  heartbeat: ({ goal }) => [["other", goal]],
  custom: ({ data }) => [["other", wordsOf(data)]],
};

function wordsOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : textsInValue(value, MAX_CHARACTERS);
}

function bothEnds(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room <= CUT.length) return "";
  const end = (room - CUT.length) >> 2;
  return `${text.slice(0, room - CUT.length - end)}${CUT}${text.slice(text.length - end)}`.toWellFormed();
}
