import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";
import { hash53 } from "../bounded.ts";

/**
 * Recent calls of a session with the inputs and results known so far: a plain JSON value. A result may arrive before its call, and both
 * may arrive twice; a call becomes complete once.
 */
export type RecentCalls = Call[];

type Call = [id: number | null, tool: number, input: number | null, result: number | null];

export interface WholeCall {
  readonly input: number;
  readonly result: number;
}

/** A call still running after this many others began is dropped. */
const MAX_CALLS = 64;

type ToolActivity = Extract<Activity, { kind: "tool.requested" | "tool.started" | "tool.ended" }>;

/** Returns the call when this activity completes it. */
export function joinCall(calls: RecentCalls, activity: ToolActivity): WholeCall | undefined {
  const tool = hash53(activity.tool);
  const input = inputOf(activity);
  const result = activity.kind === "tool.ended" ? resultOf(activity) : undefined;
  if (input === undefined && result === undefined) return undefined;
  const call = find(calls, activity, tool) ?? begin(calls, activity, tool);
  if (call === undefined) return undefined;
  const wasWhole = call[2] !== null && call[3] !== null;
  if (input !== undefined) call[2] ??= input;
  if (result !== undefined) call[3] ??= result;
  const [, , heardInput, heardResult] = call;
  return wasWhole || heardInput === null || heardResult === null ? undefined : { input: heardInput, result: heardResult };
}

function find(calls: RecentCalls, { callId, kind }: ToolActivity, tool: number): Call | undefined {
  const id = callId === undefined ? null : hash53(callId);
  for (let index = calls.length - 1; index >= 0; index--) {
    const call = calls[index];
    if (call === undefined || call[0] !== id || call[1] !== tool) continue;
    // Without an id, an end belongs to the tool's last call without one, and every start is a new call.
    if (id !== null || (kind === "tool.ended" && call[3] === null)) return call;
  }
  return undefined;
}

function begin(calls: RecentCalls, { callId, kind }: ToolActivity, tool: number): Call | undefined {
  // A result without an id and a call could never be matched.
  if (callId === undefined && kind === "tool.ended") return undefined;
  const call: Call = [callId === undefined ? null : hash53(callId), tool, null, null];
  calls.push(call);
  if (calls.length > MAX_CALLS) calls.shift();
  return call;
}

/** Calls without an input cannot be compared. */
function inputOf(activity: ToolActivity): number | undefined {
  const input: JsonValue | undefined = activity.input ?? activity.subject;
  return input === undefined ? undefined : similarInput(activity.tool, input);
}

/** A success without text, or an end without an outcome, may have brought something new. */
function resultOf({ outcome, result, output, error }: Extract<Activity, { kind: "tool.ended" }>): number | undefined {
  const said = error ?? output ?? result ?? "";
  if (said === "" && (outcome === "succeeded" || outcome === "unknown")) return undefined;
  return sameResult(outcome, said);
}

/** Members with the reason, time or count of a call. Calls that differ only in these are equal. */
const BESIDE_THE_POINT: ReadonlySet<string> = new Set([
  "attempt",
  "description",
  "explanation",
  "justification",
  "metadata",
  "nonce",
  "reason",
  "request_id",
  "retries",
  "retry",
  "timeout",
  "timeout_ms",
  "timestamp",
  "trace_id",
  "why",
]);
/** Longer inputs are compared by this many characters and their length. */
const INPUT_CHARACTERS = 4000;
const RESULT_CHARACTERS = 65_536;

/**
 * Hashes an input so that similar inputs of one tool are equal: letter case, white space, member order and irrelevant members are
 * ignored.
 */
export function similarInput(tool: string, input: JsonValue): number {
  const point = isObject(input) ? pointOf(input) : input;
  const words = write(point, INPUT_CHARACTERS).toLowerCase();
  return hash53(`${tool}\n${words.replaceAll(/(?:\s|\\[nrt])+/g, " ")}`);
}

/** Hashes a result; only equal results have equal hashes. */
export function sameResult(outcome: string, result: JsonValue): number {
  return hash53(`${outcome}\n${write(result, RESULT_CHARACTERS)}`);
}

function pointOf(input: JsonObject): JsonObject {
  const point: Record<string, JsonValue | undefined> = {};
  for (const name in input) if (!BESIDE_THE_POINT.has(name.toLowerCase())) point[name] = input[name];
  return point;
}

/** JSON with sorted members, cut to `room` characters; the length of a cut value is appended. */
function write(value: JsonValue | undefined, room: number): string {
  if (typeof value === "string") {
    return value.length <= room ? JSON.stringify(value.trim()) : `${JSON.stringify(value.slice(0, room))}…${value.length}`;
  }
  if (isObject(value)) {
    const names = Object.keys(value).sort();
    return writeAll("{", names.length, room, (index, left) => {
      const name = names[index] ?? "";
      return `${JSON.stringify(name.slice(0, left))}:${write(value[name], left)}`;
    });
  }
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return writeAll("[", items.length, room, (index, left) => write(items[index], left));
  }
  return String(value);
}

function writeAll(beginning: string, count: number, room: number, one: (index: number, left: number) => string): string {
  let text = beginning;
  for (let index = 0; index < count; index++) {
    if (text.length >= room) return `${text}…${count}`;
    text += `${one(index, room - text.length)},`;
  }
  return text;
}
