import { capitalize, spaceWords } from "../amounts.ts";
import { countChangedLines, type FileChange, readChanges } from "../changes/file-change.ts";
import type { OfKind } from "./describers.ts";
import type { NarratedCall } from "./narrated-item.ts";
import type { DescriptionWords, DetailRank, Narration, NarrationTone, NarrationTopic, Quote } from "./narration.ts";

export type DescribedToolActivity = OfKind<"tool.requested" | "tool.started" | "tool.ended">;

/** Changes and results up to this length are in a normal description, longer ones in a detailed one. */
const SHORT_CHANGE_LINES = 14;
const SHORT_RESULT = 160;

const TONES: Readonly<Record<string, NarrationTone>> = {
  requested: "busy",
  approved: "busy",
  waiting: "warn",
  paused: "warn",
  "left-to-the-agent": "busy",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  timeout: "bad",
  denied: "bad",
  unknown: "warn",
};

/** Members that a newer hub adds are listed under their own names. */
const KNOWN_MEMBERS: ReadonlySet<string> = new Set([
  "session",
  "position",
  "callId",
  "tool",
  "subject",
  "state",
  "startedAt",
  "endedAt",
  "durationMs",
  "measured",
  "input",
  "result",
  "error",
  "metadata",
  "decidedBy",
  "reason",
  "marks",
  "costUsd",
  "tokens",
]);

/** A tool call from request to outcome. `activity` is the agent's report of it, if known. */
export function describeCall(call: NarratedCall, activity: DescribedToolActivity | undefined, words: DescriptionWords): Narration {
  const { story } = words;
  const { state, callId, error, result, metadata, decidedBy, reason, marks, costUsd, tokens } = call;
  const tool = call.tool === "" ? (activity?.tool ?? "") : call.tool;
  const intent = activity?.kind === "tool.ended" ? undefined : activity;
  const input = activity?.input ?? (call.input === undefined ? undefined : (parseJsonContainer(call.input) ?? call.input));
  const changes = readChanges(tool, input, words.catalogue.language);
  const subject = call.subject ?? (changes.length > 0 ? undefined : commandIn(input));
  const isShort = changes.reduce((sum, change) => sum + change.lines.length, 0) <= SHORT_CHANGE_LINES;
  const output = activity?.kind === "tool.ended" && result === undefined ? activity.output : undefined;
  return {
    topic: topicOf(tool),
    tone: state === "succeeded" ? "plain" : callTone(state),
    title: titleOf(tool, activity, words),
    ...(subject === undefined ? {} : { subject: { text: subject, as: "code" } }),
    outcome: { words: describeOutcome(call, words), tone: callTone(state) },
    quotes: [
      ...marks.map((mark): Quote => ({ ...plain(1, "", markWords(mark, words)), isMain: true, tone: "bad" })),
      ...words.prose("summary", activity?.summary),
      ...(decidedBy === undefined ? [] : [{ ...plain(1, "", story.decided(state, decidedBy, reason)), isMain: true } as const]),
      ...changed(changes, isShort ? 1 : 2, words),
      ...words.prose("error", error === "" ? undefined : error).map((quote): Quote => ({ ...quote, isMain: true, tone: "bad" })),
      ...describeResult(result, words),
      ...words.json("result", output),
      ...describeInput(input, subject, changes, words),
      ...words.prose("why", intent?.why, { rank: 2 }),
      ...words.prose("note", intent?.note, { rank: 2 }),
      ...words.prose("description", intent?.kind === "tool.started" ? intent.description : undefined, { rank: 2 }),
      ...(metadata === undefined ? [] : words.json("extra", readMetadata(metadata, call), 3)),
      ...Object.entries(call).flatMap(([name, value]) => (KNOWN_MEMBERS.has(name) ? [] : words.json(name, value, 3))),
    ],
    facts: [
      ...words.facts(1, {
        server: activity?.server,
        risk: intent?.risk === undefined ? undefined : words.story.word(intent.risk),
        reversible: intent?.reversible,
      }),
      ...words.facts(1, {
        expectedMs: intent?.kind !== "tool.started" || intent.expectedMs === undefined ? undefined : words.duration(intent.expectedMs),
        code: activity?.kind === "tool.ended" ? activity.code : undefined,
      }),
      ...words.facts(2, {
        changes: changes.length === 0 || isShort ? undefined : countChanges(changes, words),
        cost: costUsd === undefined ? undefined : words.money(costUsd),
        tokens: tokens === undefined ? undefined : story.tokens(tokens),
      }),
      ...words.facts(3, { callId: callId ?? activity?.callId }),
    ],
  };
}

/** Members of a tool activity that `describeCall` describes. */
export const DESCRIBED_CALL_MEMBERS: ReadonlySet<string> = new Set([
  "callId",
  "tool",
  "toolTitle",
  "toolKind",
  "server",
  "subject",
  "input",
  "risk",
  "reversible",
  "why",
  "note",
  "description",
  "expectedMs",
  "outcome",
  "result",
  "output",
  "error",
  "code",
  "durationMs",
]);

/** A call as one activity reports it. */
export function narratedCallOf(activity: DescribedToolActivity): NarratedCall {
  const { tool, callId, subject } = activity;
  const base = {
    tool,
    measured: false,
    marks: [],
    ...(callId === undefined ? {} : { callId }),
    ...(subject === undefined ? {} : { subject }),
  };
  if (activity.kind !== "tool.ended") return { ...base, state: activity.kind === "tool.started" ? "running" : "requested" };
  const { outcome, durationMs, error, result } = activity;
  return {
    ...base,
    state: outcome,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(error === undefined ? {} : { error }),
    ...(result === undefined ? {} : { result }),
  };
}

/** `done in 3 s`, `failed after 2 s`. */
export function describeOutcome(
  { state, durationMs, measured }: Pick<NarratedCall, "state" | "durationMs" | "measured">,
  words: DescriptionWords,
): string {
  const { story } = words;
  const said = Object.hasOwn(story.callStates, state) ? story.callStates[state as keyof typeof story.callStates] : spaceWords(state);
  if (durationMs === undefined || state === "denied") return said;
  const took = measured ? story.about(words.duration(durationMs)) : words.duration(durationMs);
  return `${said} ${state === "succeeded" ? story.within(took) : story.after(took)}`;
}

export function callTone(state: string): NarrationTone {
  return TONES[state] ?? "plain";
}

function titleOf(tool: string, activity: DescribedToolActivity | undefined, { story, isShort }: DescriptionWords): string {
  const title = activity?.toolTitle ?? tool;
  if (title === "") return story.namelessTool;
  const name = title === tool || tool === "" ? title : story.named(title, tool);
  const kind = activity?.toolKind ?? "tool";
  return isShort && kind === "tool" ? name : (story.toolKinds[kind] ?? story.toolKinds.tool)(name);
}

function markWords(mark: string, { story: { marks } }: DescriptionWords): string {
  return Object.hasOwn(marks, mark) ? marks[mark as keyof typeof marks] : capitalize(spaceWords(mark));
}

function plain(rank: DetailRank, label: string, text: string) {
  return { rank, label, as: "prose", text, style: "plain_text" } as const;
}

function changed(changes: readonly FileChange[], rank: DetailRank, words: DescriptionWords): readonly Quote[] {
  return changes.length === 0 ? [] : [{ rank, label: words.label("changes"), isMain: true, as: "changes", changes }];
}

function describeResult(result: string | undefined, words: DescriptionWords): readonly Quote[] {
  if (result === undefined || result.trim() === "") return [];
  const value = parseJsonContainer(result);
  const label = words.label("result");
  if (value !== undefined) return [{ rank: 2, label, as: "json", value }];
  const isShort = result.length <= SHORT_RESULT && !result.includes("\n");
  return [isShort ? { ...plain(1, label, result), isMain: true, tone: "soft" } : { rank: 2, label, as: "code", text: result }];
}

const SUBJECTS: ReadonlySet<string> = new Set(["command", "cmd", "file_path", "filePath", "path", "url", "query", "pattern"]);

/** Input members of an edit that its changes show. */
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

/** The input without the parts shown by subject and changes. */
function describeInput(
  input: unknown,
  subject: string | undefined,
  changes: readonly FileChange[],
  words: DescriptionWords,
): readonly Quote[] {
  if (input === undefined) return [];
  const isChange = changes.length > 0;
  const label = words.label("input");
  if (typeof input === "string") return input === subject || isChange ? [] : [{ rank: 2, label, as: "code", text: input }];
  if (!isMembers(input)) return [{ rank: 2, label, as: "json", value: input }];
  const command = commandIn(input);
  const isCommand = command !== undefined && !isChange;
  const quotes: Quote[] = isCommand ? [{ rank: 2, label: words.label("command"), as: "command", text: command }] : [];
  const left = Object.entries(input).filter(([name, value]) => {
    const isShown = (value === command && isCommand) || (value === subject && SUBJECTS.has(name));
    return !isShown && !(isChange && (CHANGING.has(name) || value === subject || value === changes[0]?.path));
  });
  if (left.length > 0) quotes.push({ rank: 2, label, as: "members", value: Object.fromEntries(left) });
  return quotes;
}

function commandIn(input: unknown): string | undefined {
  const command = isMembers(input) ? (input["command"] ?? input["cmd"]) : input;
  return typeof command === "string" ? command : undefined;
}

function countChanges(changes: readonly FileChange[], { story }: DescriptionWords): string {
  const counts = changes.map(countChangedLines);
  const sum = (name: "added" | "removed") => counts.reduce((total, count) => total + count[name], 0);
  return story.linesChanged(sum("added"), sum("removed"));
}

const TOPICS: readonly (readonly [RegExp, NarrationTopic])[] = [
  [/bash|shell|terminal|exec|command|powershell/i, "terminal"],
  [/edit|write|create|patch|replace|notebook/i, "pencil"],
  [/fetch|http|url|browse|web(?!_?search)/i, "globe"],
  [/search|grep|glob|find|query/i, "search"],
  [/read|view|cat|open|list|ls/i, "file"],
  [/task|agent|spawn/i, "agents"],
];

function topicOf(tool: string): NarrationTopic {
  return TOPICS.find(([pattern]) => pattern.test(tool))?.[1] ?? "tool";
}

function readMetadata(metadata: string, { tokens, costUsd }: NarratedCall): unknown {
  const value = parseJsonContainer(metadata);
  return isMembers(value) ? undescribedMembers(value, [tokens?.total, tokens?.input, tokens?.output, costUsd]) : (value ?? metadata);
}

/** Additional members from the agent, without numbers described elsewhere; undefined if none are left. */
export function undescribedMembers(metadata: object, told: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const isTold = (name: string, value: unknown) => /token|cost|step|llm|model/.test(name) && value !== undefined && told.includes(value);
  const others = Object.entries(metadata).filter(([name, value]) => !isTold(name, value));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** The parsed JSON object or array in a text; undefined otherwise. */
export function parseJsonContainer(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // the beginning of one that was too long, or something else that begins so
  }
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
