import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { hash53 } from "../hash53.ts";

/** Members that say why, how long or how often, not what is done: a call that differs in them alone is made again. */
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
/** Of what is longer, only the length is compared. */
const INPUT_CHARACTERS = 4000;
const RESULT_CHARACTERS = 65_536;

/**
 * A number that is the same for similar inputs of one tool: those that differ in nothing but letter case, white space, the
 * order of their members, and members that are beside the point.
 */
export function similarInput(tool: string, input: JsonValue): number {
  const point = isObject(input) ? pointOf(input) : input;
  const words = write(point, INPUT_CHARACTERS).toLowerCase();
  return hash53(`${tool}\n${words.replaceAll(/(?:\s|\\[nrt])+/g, " ")}`);
}

/** A number that is the same for equal results only. */
export function sameResult(outcome: string, result: JsonValue): number {
  return hash53(`${outcome}\n${write(result, RESULT_CHARACTERS)}`);
}

function pointOf(input: JsonObject): JsonObject {
  const point: Record<string, JsonValue | undefined> = {};
  for (const name in input) if (!BESIDE_THE_POINT.has(name.toLowerCase())) point[name] = input[name];
  return point;
}

/** JSON with sorted members, as far as there is room; of what is longer, the beginning and the length. */
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
