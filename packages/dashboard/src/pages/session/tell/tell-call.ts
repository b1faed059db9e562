import type { CallView, StoryItem } from "@earshot/hub";
import { formatShortDuration, formatShortMoney, formatTokens, spaceWords } from "@earshot/narrate";
import { countLines, readChanges } from "../../../content/file-change.ts";
import type { FileChange } from "../../../content/line-diff.ts";
import { readJson } from "../../../content/read-json.ts";
import type { IconName } from "../icon.tsx";
import { facts, type Piece, type Told, type Tone, words } from "./told.ts";

type ToolActivity = Extract<StoryItem["activity"], { readonly kind: "tool.requested" | "tool.started" | "tool.ended" }>;

/** Changes of so many lines are seen without opening anything. */
const SHORT_CHANGE = 14;
const SHORT_RESULT = 160;

/** A call in one row, from request to outcome. */
export function tellCall(activity: ToolActivity, call: CallView | undefined): Told {
  const tool = call?.tool !== undefined && call.tool !== "" ? call.tool : activity.tool;
  const title = activity.toolTitle ?? (tool === "" ? "A tool without a name" : tool);
  const input = activity.input ?? (call?.input === undefined ? undefined : (readJson(call.input) ?? call.input));
  const changes = readChanges(tool, input);
  const subject = call?.subject ?? activity.subject;
  const outcome = outcomeOf(activity, call);
  const { state = "unknown", error, result, decidedBy, reason, marks = [], metadata } = call ?? stateOfEnd(activity);
  const isShort = changes.reduce((sum, change) => sum + change.lines.length, 0) <= SHORT_CHANGE;
  const changed: readonly Piece[] = changes.length === 0 ? [] : [{ show: "changes", changes }];
  const showsResult = result !== undefined && result.length <= SHORT_RESULT && !result.includes("\n") && readJson(result) === undefined;
  const intent = activity.kind === "tool.ended" ? undefined : activity;
  return {
    icon: iconOf(tool),
    tone: outcome.tone === "good" ? "plain" : outcome.tone,
    title: titled(title, tool, activity.toolKind),
    ...(subject === undefined ? {} : { subject: { text: subject, as: "code" } }),
    outcome,
    body: [
      ...marks.map((mark): Piece => ({ show: "words", text: MARKS[mark] ?? spaceWords(mark), style: "plain_text", tone: "bad" })),
      ...words(activity.summary),
      ...(decidedBy === undefined ? [] : words(decidedInWords(state, decidedBy, reason))),
      ...(isShort ? changed : []),
      ...(error === undefined || error === "" ? [] : [{ show: "words", text: error, style: "plain_text", tone: "bad" } as const]),
      ...(showsResult ? [{ show: "words", text: result, style: "plain_text", tone: "soft" } as const] : []),
    ],
    more: [
      ...(isShort ? [] : changed),
      ...inputOf(input, subject, changes.length > 0),
      ...(result === undefined || showsResult ? [] : resultOf(result)),
      ...words(intent?.why, "Why, the agent says"),
      ...words(intent?.note, "Said with it"),
      ...(intent?.kind === "tool.started" ? words(intent.description, "What the tool does") : []),
      ...(metadata === undefined ? [] : [{ show: "json", label: "Said besides", value: readJson(metadata) ?? metadata } as const]),
    ],
    facts: facts({
      Tool: activity.toolTitle === undefined ? undefined : tool,
      Server: activity.server,
      Risk: intent?.risk,
      "Can be undone": intent?.reversible === undefined ? undefined : intent.reversible ? "yes" : "no",
      Changed: changes.length === 0 || isShort ? undefined : changedInWords(changes),
      Cost: call?.costUsd === undefined ? undefined : formatShortMoney(call.costUsd),
      Tokens: call?.tokens === undefined ? undefined : formatTokens(call.tokens),
      "Call id": call?.callId ?? activity.callId,
    }),
  };
}

const KINDS = { tool: "", skill: "Skill ", subagent: "Subagent ", other: "Action " } as const;

function titled(title: string, tool: string, kind: keyof typeof KINDS = "tool"): string {
  const name = title === tool || tool === "" ? title : `${title} (${tool})`;
  return `${KINDS[kind] ?? ""}${name}`;
}

const STATES: Readonly<Record<CallView["state"], readonly [words: string, tone: Tone]>> = {
  requested: ["asked for", "busy"],
  approved: ["allowed", "busy"],
  waiting: ["waits for an answer", "warn"],
  paused: ["put off", "warn"],
  "left-to-the-agent": ["left to the agent", "busy"],
  running: ["running", "busy"],
  succeeded: ["done", "good"],
  failed: ["failed", "bad"],
  timeout: ["timed out", "bad"],
  cancelled: ["cancelled", "plain"],
  denied: ["denied", "bad"],
  unknown: ["nobody said how it ended", "warn"],
};

export function outcomeInWords({ state, durationMs, measured }: Pick<CallView, "state" | "durationMs" | "measured">): string {
  const [said] = STATES[state] ?? [spaceWords(state)];
  if (durationMs === undefined || state === "denied") return said;
  return `${said} ${state === "succeeded" ? "in" : "after"} ${measured ? "about " : ""}${formatShortDuration(durationMs)}`;
}

export function toneOf(state: CallView["state"]): Tone {
  return STATES[state]?.[1] ?? "plain";
}

function outcomeOf(activity: ToolActivity, call: CallView | undefined): { readonly words: string; readonly tone: Tone } {
  const known = call ?? stateOfEnd(activity);
  return { words: outcomeInWords(known), tone: toneOf(known.state) };
}

/** Of a call that the views have not joined, as much as this event says. */
function stateOfEnd(activity: ToolActivity): Pick<CallView, "state" | "measured"> & Partial<CallView> {
  if (activity.kind !== "tool.ended") return { state: activity.kind === "tool.started" ? "running" : "requested", measured: false };
  const { outcome, durationMs, error, result } = activity;
  return {
    state: outcome,
    measured: false,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(error === undefined ? {} : { error }),
    ...(result === undefined ? {} : { result }),
  };
}

const MARKS: Readonly<Record<string, string>> = {
  "ran-despite-denial": "It ran although it was denied.",
  "ended-without-start": "Its beginning was never heard.",
  "ended-twice": "Its end was told twice.",
};

function decidedInWords(state: CallView["state"], by: string, reason: string | undefined): string {
  return `${state === "denied" ? "Denied" : "Decided"} by ${by}${reason === undefined ? "." : `: ${reason}`}`;
}

const SUBJECTS: ReadonlySet<string> = new Set(["command", "cmd", "file_path", "filePath", "path", "url", "query", "pattern"]);

/** What it was called with, as far as the row does not say it already. */
function inputOf(input: unknown, subject: string | undefined, isChange: boolean): readonly Piece[] {
  if (input === undefined) return [];
  if (typeof input === "string") return input === subject ? [] : [{ show: "code", label: "Called with", text: input }];
  if (!isMembers(input)) return [{ show: "json", label: "Called with", value: input }];
  const command = input["command"] ?? input["cmd"];
  const pieces: Piece[] = typeof command === "string" ? [{ show: "command", label: "Command", text: command }] : [];
  const left = Object.entries(input).filter(([name, value]) => {
    const isShown = (value === command && pieces.length > 0) || (value === subject && SUBJECTS.has(name));
    return !isShown && !(isChange && (CHANGING.has(name) || SUBJECTS.has(name)));
  });
  if (left.length > 0) pieces.push({ show: "members", label: "Called with", value: Object.fromEntries(left) });
  return pieces;
}

const CHANGING: ReadonlySet<string> = new Set([
  "old_string",
  "new_string",
  "oldString",
  "newString",
  "old_str",
  "new_str",
  "edits",
  "content",
  "file_text",
  "patch",
  "diff",
  "input",
]);

function resultOf(result: string): readonly Piece[] {
  const value = readJson(result);
  return [value === undefined ? { show: "code", label: "Result", text: result } : { show: "json", label: "Result", value }];
}

function changedInWords(changes: readonly FileChange[]): string {
  const counts = changes.map(countLines);
  const sum = (name: "added" | "removed") => counts.reduce((total, count) => total + count[name], 0);
  return `${sum("added")} lines added, ${sum("removed")} removed`;
}

const ICONS: readonly (readonly [RegExp, IconName])[] = [
  [/bash|shell|terminal|exec|command|powershell/i, "terminal"],
  [/edit|write|create|patch|replace|notebook/i, "pencil"],
  [/fetch|http|url|browse|web(?!_?search)/i, "globe"],
  [/search|grep|glob|find|query/i, "search"],
  [/read|view|cat|open|list|ls/i, "file"],
  [/task|agent|spawn/i, "agents"],
];

function iconOf(tool: string): IconName {
  return ICONS.find(([pattern]) => pattern.test(tool))?.[1] ?? "tool";
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
