import { hash } from "node:crypto";

/** Where a run worked: the same file has another path in another run. */
export type Workspace = string | undefined;

/** Longer ones are kept as a digest. */
const LONGEST_KEPT = 48;

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const TIMES = /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g;
const DURATIONS = /\b\d+(?:[.,]\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|milliseconds?|mins?|minutes?)\b/gi;
/** `toolu_01abc…`, `call_9f8e7d6c`: a name, and behind it what no person made up. */
const NAMED_IDS = /\b([A-Za-z]{2,12}[_-])(?=[0-9A-Za-z]*\d)(?=[0-9A-Za-z]*[A-Za-z])[0-9A-Za-z]{8,}\b/g;
const HASHES = /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi;
/** Process numbers, ports given by the system, seconds since 1970. */
const LONG_NUMBERS = /\b\d{5,}\b/g;
const TEMPORARY = /(?:\/private)?\/(?:var\/folders\/[^\s/"'`]+\/[^\s/"'`]+\/[A-Z]|var\/tmp|tmp)\/[^\s/"'`;|)]+/g;
const HOMES = /(?:\/home|\/Users)\/[^\s/"'`]+(?=\/|\b)|[A-Za-z]:\\Users\\[^\s\\"'`]+/g;

/** The text without what differs from run to run and means nothing. Case and words stay. */
export function normalise(text: string, workspace?: Workspace): string {
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

/** A path below the workspace is told from there. */
export function withoutWorkspace(text: string, workspace: Workspace): string {
  const root = workspace?.replace(/[/\\]+$/, "");
  if (root === undefined || root.length < 2 || !text.includes(root)) return text;
  return text.replaceAll(`${root}/`, "").replaceAll(`${root}\\`, "").replaceAll(root, ".");
}

/** What is equal for texts that mean the same: short ones as they are. */
export function sameness(normal: string): string {
  return normal.length <= LONGEST_KEPT ? normal : `#${hash("sha1", normal, "base64url")}`;
}

/** Names of tools: `fetchBalance`, `fetch_balance` and `Fetch balance` are one. */
export function normaliseName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Texts are compared by this many different words at most, the first. */
const MAX_WORDS = 64;
const MAX_CHARACTERS = 2000;

/** The words of a text, as sorted numbers: quick to compare. Numbers count as alike; paths and names are taken apart. */
export function wordsOf(text: string): Uint32Array {
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

/** How much two texts share, from 0 to 1: twice what both have, by what there is. Two empty ones are alike. */
export function likeness(one: Uint32Array, other: Uint32Array): number {
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

/** FNV-1a. Two words with one number make two texts look a little more alike, no more. */
function numberOf(word: string): number {
  let number = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) number = Math.imul(number ^ word.charCodeAt(index), 0x01000193);
  return number >>> 0;
}
