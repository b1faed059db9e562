import { hash } from "node:crypto";

/** The run's working directory: the same file has another path in another run. */
export type Workspace = string | undefined;

/** Longer texts are stored as a digest. */
const LONGEST_KEPT = 48;

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const TIMES = /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g;
const DURATIONS = /\b\d+(?:[.,]\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|milliseconds?|mins?|minutes?)\b/gi;
/** `toolu_01abc…`, `call_9f8e7d6c`: a name followed by a generated part. */
const NAMED_IDS = /\b([A-Za-z]{2,12}[_-])(?=[0-9A-Za-z]*\d)(?=[0-9A-Za-z]*[A-Za-z])[0-9A-Za-z]{8,}\b/g;
const HASHES = /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi;
/** Process ids, ephemeral ports, Unix seconds. */
const LONG_NUMBERS = /\b\d{5,}\b/g;
const TEMPORARY = /(?:\/private)?\/(?:var\/folders\/[^\s/"'`]+\/[^\s/"'`]+\/[A-Z]|var\/tmp|tmp)\/[^\s/"'`;|)]+/g;
const HOMES = /(?:\/home|\/Users)\/[^\s/"'`]+(?=\/|\b)|[A-Za-z]:\\Users\\[^\s\\"'`]+/g;

/** Replaces parts that differ between runs without meaning. Case and words are preserved. */
export function normaliseForDiff(text: string, workspace?: Workspace): string {
  return withoutWorkspace(text, workspace)
    .replace(TEMPORARY, "<temporary>")
    .replace(HOMES, "~")
    .replace(UUID, "<id>")
    .replace(TIMES, "<time>")
    .replace(DURATIONS, "<duration>")
    .replace(NAMED_IDS, "$1<id>")
    .replace(HASHES, "<hash>")
    .replace(LONG_NUMBERS, "<number>")
    .replace(/\s+/g, " ")
    .trim();
}

/** Makes paths below the workspace relative to it. */
export function withoutWorkspace(text: string, workspace: Workspace): string {
  const root = workspace?.replace(/(?<![/\\])[/\\]+$/, "");
  if (root === undefined || root.length < 2 || !text.includes(root)) return text;
  return text.replaceAll(`${root}/`, "").replaceAll(`${root}\\`, "").replaceAll(root, ".");
}

/** A comparison key, equal for equal normalized texts: short texts unchanged, long texts as a digest. */
export function comparisonKeyOf(normal: string): string {
  return normal.length <= LONGEST_KEPT ? normal : `#${hash("sha1", normal, "base64url")}`;
}

/** Normalizes names of tools: `fetchBalance`, `fetch_balance` and `Fetch balance` are equal. */
export function normaliseName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Limits on the text that is compared: the first distinct words, and the first characters. */
const MAX_WORDS = 64;
const MAX_CHARACTERS = 2000;

/** The words of a text as sorted hashes, for fast comparison. All numbers are equal; paths and names are split. */
export function wordHashesOf(text: string): Uint32Array {
  const found = new Set<number>();
  for (const word of text
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .match(/[\p{L}\p{M}]+|\p{N}+|--?[\p{L}\p{N}]+/gu) ?? []) {
    found.add(/^\p{N}/u.test(word) ? 1 : numberOf(word));
    if (found.size >= MAX_WORDS) break;
  }
  return Uint32Array.from(found).sort();
}

/**
 * The similarity of two texts from 0 to 1: twice the number of shared words divided by the number of all words (Dice coefficient). Two
 * empty texts are equal.
 */
export function measureLikeness(one: Uint32Array, other: Uint32Array): number {
  if (one.length + other.length === 0) return 1;
  let shared = 0;
  for (let a = 0, b = 0; a < one.length && b < other.length; ) {
    const [left = 0, right = 0] = [one[a], other[b]];
    if (left === right) shared++;
    if (left <= right) a++;
    if (right <= left) b++;
  }
  return (2 * shared) / (one.length + other.length);
}

/** FNV-1a. A collision only makes two texts appear slightly more similar. */
function numberOf(word: string): number {
  let number = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) number = Math.imul(number ^ word.charCodeAt(index), 0x01000193);
  return number >>> 0;
}
