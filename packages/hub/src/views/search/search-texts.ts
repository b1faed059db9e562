import type { Activity } from "@earshot/protocol/activities";
import { wordsIn } from "./words.ts";

export const SEARCH_FIELDS = ["prompt", "thought", "tool", "command", "output", "error", "other"] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface SearchText {
  readonly field: SearchField;
  readonly text: string;
}

/** What is kept of one entry, in characters. Of a text that is too long, the beginning and the end: that is where errors stand. */
const MAX_CHARACTERS = 16_384;
const CUT = "\n…\n";

/** What people may look for in what an entry means: its words, of bounded length altogether, each text once. */
export function searchTexts(activities: readonly Activity[]): readonly SearchText[] {
  const texts: SearchText[] = [];
  const seen = new Set<string>();
  let room = MAX_CHARACTERS;
  const say = (field: SearchField, said: string | undefined) => {
    const text = said === undefined ? "" : bothEnds(said.trim(), room);
    if (text === "" || seen.has(text)) return;
    seen.add(text);
    room -= text.length;
    texts.push({ field, text });
  };
  for (const activity of activities) {
    sayWords(activity, say);
    say("other", activity.summary);
  }
  return texts;
}

type Say = (field: SearchField, text: string | undefined) => void;

function sayWords(activity: Activity, say: Say): void {
  switch (activity.kind) {
    case "session.opened":
      say("prompt", activity.goal);
      break;
    case "session.closed":
      say("error", activity.error);
      say("other", activity.summary);
      say("output", activity.result);
      break;
    case "thought":
      say("thought", activity.text);
      say("thought", activity.next);
      break;
    case "goal":
    case "uncertainty":
      say("thought", activity.text);
      break;
    case "decision":
      say("thought", activity.text);
      say("thought", activity.why);
      for (const alternative of activity.alternatives ?? []) say("thought", alternative);
      break;
    case "plan":
      say("thought", activity.text);
      for (const { text } of activity.items) say("thought", text);
      break;
    case "prompt":
      say("prompt", activity.text);
      break;
    case "response":
    case "output.chunk":
      say(activity.kind === "output.chunk" && activity.of === "thought" ? "thought" : "output", activity.text);
      break;
    case "tool.requested":
    case "tool.started":
    case "tool.ended":
    case "tool.decided":
      sayCall(activity, say);
      break;
    case "request.asked":
      say("prompt", activity.prompt);
      say("other", activity.consequence);
      say("other", activity.background);
      for (const choice of activity.choices ?? []) say("other", choice);
      break;
    case "request.answered":
      say("other", activity.answer);
      say("other", activity.reason);
      break;
    case "handoff":
      say("other", activity.to);
      say("other", activity.reason);
      break;
    case "subagent.started":
      say("tool", activity.childAgent);
      say("prompt", activity.goal);
      say("thought", activity.why);
      break;
    case "subagent.ended":
      say("tool", activity.childAgent);
      say("output", activity.result);
      break;
    case "memory":
      say("command", activity.key);
      say("other", activity.summary);
      break;
    case "external.call":
      say("command", activity.method === undefined ? activity.target : `${activity.method} ${activity.target}`);
      say("error", activity.error);
      break;
    case "workspace.changed":
      say("command", activity.path);
      break;
    case "notification":
      say("other", activity.text);
      break;
    case "error":
      say("error", activity.message);
      say("error", activity.hint);
      say("error", activity.code);
      break;
    case "heartbeat":
      say("other", activity.goal);
      break;
    case "custom":
      say("other", activity.data === undefined ? undefined : wordsIn(activity.data, MAX_CHARACTERS));
      break;
    case "turn.started":
    case "turn.ended":
    case "state":
    case "progress":
    case "context.compacted":
      break; // nothing but a summary
  }
}

function sayCall(activity: Extract<Activity, { kind: `tool.${string}` }>, say: Say): void {
  say("tool", activity.tool);
  switch (activity.kind) {
    case "tool.requested":
    case "tool.started":
      say("tool", activity.toolTitle);
      say("command", activity.subject);
      say("command", activity.input === undefined ? undefined : wordsIn(activity.input, MAX_CHARACTERS));
      say("thought", activity.why);
      break;
    case "tool.decided":
      say("other", activity.why);
      say("other", activity.message);
      break;
    case "tool.ended":
      say("error", activity.error);
      say("output", activity.result);
      say("output", activity.output === undefined ? undefined : wordsIn(activity.output, MAX_CHARACTERS));
      break;
  }
}

function bothEnds(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room <= CUT.length) return "";
  const end = (room - CUT.length) >> 2;
  return `${text.slice(0, room - CUT.length - end)}${CUT}${text.slice(text.length - end)}`.toWellFormed();
}
