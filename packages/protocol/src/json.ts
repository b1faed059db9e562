import type { Problem } from "./problem.ts";
import { pointerTo } from "./problem.ts";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxCharacters: number;
}

export const JSON_LIMITS: JsonLimits = { maxDepth: 64, maxCharacters: 16 * 1024 * 1024 };

/** Facts learned while reading, besides the value. */
export interface JsonFacts {
  /** 1 for an object without objects inside. */
  readonly depth: number;
  /** Pointer to the first integer that a double cannot represent exactly. */
  readonly unsafeInteger: string | undefined;
  /** Pointer to the first null. */
  readonly firstNull: string | undefined;
  /** Characters of the text; a caller that knows the byte count stores it here. */
  sizeBytes: number;
  /** True if a scan of the whole text found no string in the shape of a secret; later stages then skip their own scan. */
  hasNoSecret?: boolean;
  /**
   * 32-bit content hash for detecting redelivered events: `hashContent`, unless the reader was given a hash that is faster on its
   * platform.
   */
  readonly bodyHash: number;
}

/** Equal for equal events. `compact`: no white space between the tokens; `hasNull`: some member is null. */
export type BodyHash = (value: JsonValue, text: string, compact: boolean, hasNull: boolean) => number;

export type JsonReading =
  | { readonly ok: true; readonly value: JsonValue; readonly facts: JsonFacts }
  | { readonly ok: false; readonly problem: Problem };

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;

/**
 * A hardened JSON.parse: nesting is bounded before any recursive code runs, and duplicate keys, keys that pollute prototypes and numbers
 * beyond a double's range are refused. One pass over the text counts the written keys and a walk over the value counts the surviving
 * keys. Only if they differ is the text searched for the duplicate, so a valid event pays for counting only.
 */
export function readJson(text: string, limits: JsonLimits = JSON_LIMITS, hash: BodyHash = hashContent): JsonReading {
  if (text.length > limits.maxCharacters) {
    return refuse(
      "TOO_LARGE",
      `${text.length.toLocaleString("en")} characters; at most ${limits.maxCharacters.toLocaleString("en")} are read.`,
    );
  }
  let depth = 0;
  let maxDepth = 0;
  let keys = 0;
  let spaces = 0;
  const length = text.length;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 32) {
      spaces++;
    } else if (code === QUOTE) {
      index = endOfString(text, index);
      if (index < 0) break; // JSON.parse says where
    } else if (code === COLON) {
      keys++;
    } else if (code === 123 || code === 91) {
      if (++depth > maxDepth) maxDepth = depth;
      if (depth > limits.maxDepth) return refuse("JSON_TOO_DEEP", `Nested more than ${limits.maxDepth} levels deep.`);
    } else if (code === 125 || code === 93) {
      depth--;
    }
  }

  // Throwing is slow, and a log that is not JSON has millions of such lines.
  if (!mayBegin(text)) return refuse("NOT_JSON", text.trim() === "" ? "The text is empty." : "Not JSON at character 1.");
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return refuse("NOT_JSON", describeSyntaxError(error, text));
  }
  flags = 0;
  let kept = 0;
  if (typeof value === "object" && value !== null) kept = countKeys(value);
  else flagScalar(value);
  if ((flags & FORBIDDEN) !== 0) {
    const pointer = locate(value, (key, member) => isForbidden(key, member));
    return refuse("JSON_FORBIDDEN_KEY", "An object has the key __proto__, or constructor with prototype inside.", pointer);
  }
  if ((flags & INFINITE) !== 0) {
    return refuse(
      "JSON_NUMBER_RANGE",
      "A number is too large for a double.",
      locate(value, (_, member) => isInfinite(member)),
    );
  }
  if (kept !== keys) {
    const pointer = findDuplicateKey(text);
    return refuse("JSON_DUPLICATE_KEY", `The key ${JSON.stringify(lastSegment(pointer))} is written twice in one object.`, pointer);
  }
  return {
    ok: true,
    value,
    facts: {
      depth: maxDepth,
      // A number written as a double loses nothing; only digits without a point or exponent do.
      unsafeInteger:
        (flags & UNSAFE) === 0 || !/[:[,]\s*-?\d{16,}\s*[,}\]]/.test(text)
          ? undefined
          : locate(value, (_, member) => isUnsafeInteger(member)),
      firstNull: (flags & NULL) === 0 ? undefined : locate(value, (_, member) => member === null),
      sizeBytes: text.length,
      hasNoSecret: false,
      bodyHash: hash(value, text, spaces === 0, (flags & NULL) !== 0),
    },
  };
}

/** Whether the first non-space character can begin JSON. */
function mayBegin(text: string): boolean {
  let index = 0;
  while (text.charCodeAt(index) <= 32) index++;
  const code = text.charCodeAt(index);
  if (code === 123 || code === 91 || code === QUOTE || code === 45 || (code >= 48 && code <= 57)) return true;
  return code === 116 || code === 102 || code === 110; // true, false, null
}

/** Index of the quote that ends the string begun at `start`, or -1. The native search is faster than a loop over the characters. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) {
    let slashes = end - 1;
    while (text.charCodeAt(slashes - 1) === BACKSLASH) slashes--;
    if ((end - slashes) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return end;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** 32-bit hash of a value's content: independent of white space, key order and character escapes; null members count as absent. */
export function hashContent(value: JsonValue | undefined): number {
  if (typeof value === "string") return hashString(value);
  if (typeof value !== "object" || value === null) return hashString(String(value));
  if (Array.isArray(value)) {
    let hash = 0x27d4eb2f;
    for (const item of value as readonly JsonValue[]) hash = Math.imul(hash ^ hashContent(item), 0x01000193) ^ (hash >>> 15);
    return hash;
  }
  const object = value as JsonObject;
  let hash = 0x165667b1;
  for (const key in object) {
    if (object[key] === null) continue;
    const content = hashContent(object[key]);
    // Summed because key order has no meaning; mixed first so that swapped values differ.
    const mixed = Math.imul(hashString(key) ^ content, 0x85ebca6b) ^ Math.imul(content, 0xc2b2ae35);
    hash = (hash + (mixed ^ (mixed >>> 13))) | 0;
  }
  return hash;
}

function hashString(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash ^ (hash >>> 13);
}

// Flags found by the walk. A module variable: returning two numbers from a recursive function would allocate an object per level, and
// reading is synchronous.
let flags = 0;
const FORBIDDEN = 1;
const INFINITE = 2;
const UNSAFE = 4;
const NULL = 8;

/** One walk counts the keys that survived parsing and flags forbidden keys and unsafe values. */
function countKeys(value: JsonObject | readonly JsonValue[]): number {
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      if (typeof item === "object" && item !== null) keys += countKeys(item);
      else if (typeof item !== "string") flagScalar(item);
    }
    return keys;
  }
  const object = value as JsonObject;
  for (const key in object) {
    keys++;
    const member = object[key];
    if ((key === "__proto__" || key === "constructor") && isForbidden(key, member)) flags |= FORBIDDEN;
    if (typeof member === "string") continue;
    if (typeof member === "object" && member !== null) keys += countKeys(member);
    else flagScalar(member);
  }
  return keys;
}

function flagScalar(value: JsonValue | undefined): void {
  if (value === null) flags |= NULL;
  else if (isInfinite(value)) flags |= INFINITE;
  else if (isUnsafeInteger(value)) flags |= UNSAFE;
}

function isForbidden(key: string, member: unknown): boolean {
  return key === "__proto__" || (key === "constructor" && isObject(member) && Object.hasOwn(member, "prototype"));
}

function isInfinite(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

function isUnsafeInteger(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Pointer to the first member that matches; run only if one is known to exist. */
function locate(value: JsonValue, fits: (key: string, member: unknown) => boolean): string | undefined {
  if (typeof value !== "object" || value === null) return fits("", value) ? "" : undefined;
  for (const key in value) {
    const member = (value as JsonObject)[key];
    if (fits(key, member)) return pointerTo(key);
    const inner = typeof member === "object" && member !== null ? locate(member, fits) : undefined;
    if (inner !== undefined) return pointerTo(key) + inner;
  }
  return undefined;
}

/** The slow path, taken only if a duplicate is known to exist: a small parser that remembers each object's keys. */
function findDuplicateKey(text: string): string {
  interface Frame {
    readonly keys: Set<string> | undefined;
    readonly pointer: string;
    index: number;
    key: string;
  }
  const frames: Frame[] = [];
  let expectKey = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const frame = frames.at(-1);
    if (code === QUOTE) {
      const start = index;
      for (index++; text.charCodeAt(index) !== QUOTE; index++) if (text.charCodeAt(index) === BACKSLASH) index++;
      if (expectKey && frame?.keys !== undefined) {
        const key = JSON.parse(text.slice(start, index + 1)) as string;
        if (frame.keys.has(key)) return frame.pointer + pointerTo(key);
        frame.keys.add(key);
        frame.key = key;
        expectKey = false;
      }
    } else if (code === 123 || code === 91) {
      const pointer = frame === undefined ? "" : frame.pointer + pointerTo(frame.keys === undefined ? frame.index : frame.key);
      frames.push({ keys: code === 123 ? new Set() : undefined, pointer, index: 0, key: "" });
      expectKey = code === 123;
    } else if (code === 125 || code === 93) {
      frames.pop();
      expectKey = false;
    } else if (code === 44 && frame !== undefined) {
      frame.index++;
      expectKey = frame.keys !== undefined;
    }
  }
  return "";
}

function lastSegment(pointer: string): string {
  return (pointer.split("/").at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}

function describeSyntaxError(error: unknown, text: string): string {
  if (text.trim() === "") return "The text is empty.";
  // V8 quotes the offending text in its message; only the position is kept, because the text may contain anything.
  const at = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  if (at !== undefined) return `Not JSON at character ${Number(at) + 1}.`;
  const character = /Unexpected token '(.)'/u.exec(error instanceof Error ? error.message : "")?.[1];
  return character === undefined ? "The JSON ends too early." : "Not JSON.";
}

function refuse(code: Problem["code"], message: string, pointer?: string): JsonReading {
  return { ok: false, problem: pointer === undefined ? { code, message } : { code, message, pointer } };
}
