import type { Activity } from "@earshot/protocol/activities";
import { isObject, type JsonValue } from "@earshot/protocol/json";
import { firstTextIn, type ReadCall, readCallOfActivity, readToolCall } from "../calls/read-call.ts";
import { type CallNames, callDetails, conjugateCall, spokenQuery, spokenToolName } from "./call-words.ts";
import {
  fileName,
  type LanguageWords,
  MAX_WORDS_BY_VERBOSITY,
  spokenAddress,
  spokenBeginning,
  spokenPlainText,
  valuesOfJson,
} from "./reading.ts";
import { type Sentence, spokenDuration } from "./sentence.ts";
import { withoutEscapes } from "./speakable.ts";
import type { Verbosity } from "./words.ts";

type Begun = Extract<Activity, { kind: "tool.requested" | "tool.started" }>;
type Ended = Extract<Activity, { kind: "tool.ended" }>;

export interface SentenceContext {
  readonly summary: string | undefined;
  readonly verbosity: Verbosity;
  readonly tongue: LanguageWords;
}

/** `edits cart.ts`, `runs the tests`; before the call starts, `wants to run the tests`. */
export function callBegunSentence(activity: Begun, { summary, verbosity, tongue }: SentenceContext): Sentence {
  const expected = activity.kind === "tool.started" ? spokenDuration(activity.expectedMs, "takes", tongue) : undefined;
  if (summary !== undefined) return { verb: "", own: [summary], ours: [expected] };
  const call = readCallOfActivity(activity);
  const forms = conjugateCall(call, namesOf(activity), tongue);
  return {
    verb: activity.kind === "tool.started" ? forms.does : tongue.catalogue.words.wantsTo(forms),
    own: verbosity === "terse" ? [] : [aboutOf(activity, call, tongue), purposeOf(activity, call, verbosity, tongue)],
    ours: [...callDetails(call, verbosity, tongue), expected],
  };
}

/** The end of a call. Success repeats the action; failure includes the reason. */
export function callEndedSentence(activity: Ended, telling: SentenceContext): Sentence {
  const { summary, verbosity, tongue } = telling;
  const { words } = tongue.catalogue;
  const call = readCallOfActivity(activity);
  const forms = conjugateCall(call, namesOf(activity), tongue);
  const took = spokenDuration(activity.durationMs, "took", tongue);
  const tests = summary === undefined ? testsAloud(activity, call, tongue) : undefined;
  if (tests !== undefined) return { verb: words.ranTests, ours: [tests, took] };
  const error = summary ?? spokenBeginning(valuesOfJson(activity.error), MAX_WORDS_BY_VERBOSITY[verbosity], tongue);
  switch (activity.outcome) {
    case "failed":
      return { verb: words.failedTo(forms), own: [error] };
    case "timeout":
      return { verb: words.noAnswerTo(forms), own: [error] };
    case "denied":
      return { verb: words.mayNot(forms), own: [error] };
    case "cancelled":
      return { verb: words.stoppedTo(forms), own: [summary] };
    default:
      return summary === undefined ? { verb: words.has(forms), ours: [took] } : { verb: "", own: [summary], ours: [took] };
  }
}

export function callDecidedSentence(
  activity: Extract<Activity, { kind: "tool.decided" }>,
  { verbosity, tongue }: SentenceContext,
): Sentence {
  const { words } = tongue.catalogue;
  const read = (text: string | undefined) => spokenBeginning(text, MAX_WORDS_BY_VERBOSITY[verbosity], tongue);
  const forms = conjugateTool(activity.tool, tongue);
  switch (activity.verdict) {
    case "asked":
      return { verb: words.asksItself, own: [read(activity.message ?? activity.why)], ours: [words.wants(forms)] };
    case "denied":
      return { verb: words.mayNot(forms), own: [read(activity.why)] };
    case "approved":
      return { verb: words.may(forms) };
    default:
      return { verb: words.noVerdict(spokenToolName({ tool: activity.tool ?? "" }, tongue)) };
  }
}

/** A tool known only by name. */
export function conjugateTool(tool: string | undefined, tongue: LanguageWords): ReturnType<typeof conjugateCall> {
  const named = { tool: tool ?? "" };
  return conjugateCall(readToolCall(named), named, tongue);
}

function namesOf(activity: Begun | Ended): CallNames {
  const { tool, toolTitle, server, toolKind } = activity;
  const input = isObject(activity.input) ? activity.input : {};
  const name = firstTextIn(input, ...(toolKind === "skill" ? ["skill", "name"] : ["subagent_type", "agent_type", "agent_name"]));
  return {
    tool,
    ...(toolTitle === undefined ? {} : { toolTitle }),
    ...(server === undefined ? {} : { server }),
    ...(name === undefined ? {} : { name }),
  };
}

/** The agent's own words for the object: a sentence for listening, a query, a name. Never code. */
function aboutOf({ subject, protocol }: Begun, call: ReadCall, tongue: LanguageWords): string | undefined {
  if (protocol === "aaep") return spokenBeginning(subject, MAX_WORDS_BY_VERBOSITY.normal, tongue);
  if (call.query !== undefined) return spokenQuery(call, tongue);
  if (call.kind !== "other" && call.kind !== "mcp") return undefined;
  if (subject === undefined || /[\r\n]/.test(subject)) return undefined;
  if (/^https?:/i.test(subject)) return spokenAddress(subject, tongue);
  return /^[^\s/\\]*[/\\]\S*$/.test(subject) ? fileName(subject, tongue) : spokenPlainText(subject, tongue);
}

/** The agent's stated purpose, if nothing else describes the call or at the highest verbosity. */
function purposeOf(activity: Begun, call: ReadCall, verbosity: Verbosity, tongue: LanguageWords): string | undefined {
  const isUntold = call.command?.effect === "run" || call.kind === "subagent" || call.kind === "other";
  if (verbosity !== "detailed" && !isUntold) return undefined;
  const input = isObject(activity.input) ? activity.input : {};
  const said = activity.kind === "tool.started" ? (activity.why ?? activity.description) : activity.why;
  return spokenBeginning(
    said ?? (call.kind === "subagent" ? firstTextIn(input, "description", "title") : undefined),
    MAX_WORDS_BY_VERBOSITY[verbosity],
    tongue,
  );
}

function testsAloud(activity: Ended, call: ReadCall, { catalogue }: LanguageWords): string | undefined {
  if (call.command?.effect !== "test" || (activity.outcome !== "succeeded" && activity.outcome !== "failed")) return undefined;
  const told = readTestNumbers([activity.result, activity.error, textsIn(activity.output)].filter((text) => text !== undefined).join("\n"));
  if (told === undefined) return undefined;
  const { words } = catalogue;
  if (told.failed === 0) return words.testsPassed(told.passed);
  return [words.testsFailed(told.failed), ...(told.passed === 0 ? [] : [words.passedToo(told.passed)])].join(", ");
}

const MAX_DEEP = 4;
const MAX_MEMBERS = 50;

/** All texts in a nested result, up to a limit. */
function textsIn(value: JsonValue | undefined, deep = 0): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || deep > MAX_DEEP) return "";
  return Object.values(value)
    .slice(0, MAX_MEMBERS)
    .map((member) => textsIn(member, deep + 1))
    .filter((text) => text !== "")
    .join("\n");
}

/** Numbers of passed and failed tests. */
interface TestsTold {
  readonly passed: number;
  readonly failed: number;
}

const MAX_CHARACTERS = 100_000;

/** Numbers before and after the words of test runners: `2 failed | 28 passed`, `# pass 5`, `5 passing`, `Failures: 1`. */
const PASSED = [/\b(\d{1,7}) (?:tests? )?(?:passed|passing|succeeded)\b/gi, /^(?:#|ℹ) pass (\d{1,7})$/gim, /\bPassed:\s+(\d{1,7})/g];
const FAILED = [
  /\b(\d{1,7}) (?:tests? )?(?:failed|failing|failures?)\b/gi,
  /^(?:#|ℹ) fail (\d{1,7})$/gim,
  /\b(?:Failed|Failures):\s+(\d{1,7})/g,
];
/** If one line counts files and another tests, the tests count. */
const SUITES = /^[ \t]*(?:Test Files|Test Suites|Suites|Snapshots|Files)\b.*$/gim;

/** The numbers in a test runner's output; undefined if there are none. Several runs are added up. */
export function readTestNumbers(output: string): TestsTold | undefined {
  const text = withoutEscapes(output.slice(-MAX_CHARACTERS)).replaceAll(SUITES, "");
  const passed = sumOf(text, PASSED);
  const failed = sumOf(text, FAILED);
  return passed === undefined && failed === undefined ? undefined : { passed: passed ?? 0, failed: failed ?? 0 };
}

function sumOf(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = [...text.matchAll(pattern)].map(([, number]) => Number(number));
    if (found.length > 0) return found.reduce((sum, one) => sum + one, 0);
  }
  return undefined;
}
