import { hashText } from "../hash-table.ts";
import type { JsonValue } from "../json.ts";

/**
 * The last entries under their names, as plain JSON: two generations, the older of which is forgotten as a whole when
 * the younger one is full. It holds the last `capacity` entries for certain and at most twice as many, every step takes
 * constant time on average, and unlike a ring or a Map it survives being written and read back.
 */
export interface Recent<Entry> {
  young: Record<string, Entry>;
  old: Record<string, Entry>;
  /** How many entries `young` has. */
  count: number;
  /** Whether there ever was an older generation: most sessions are short, and need not look there. */
  aged: boolean;
}

export function createRecent<Entry>(): Recent<Entry> {
  return { young: {}, old: {}, count: 0, aged: false };
}

export function recall<Entry>(recent: Recent<Entry>, key: string): Entry | undefined {
  return recent.young[key] ?? (recent.aged ? recent.old[key] : undefined);
}

/** Keeps an entry under a key that is not kept yet. Says how many others had to be forgotten for it. */
export function keep<Entry>(recent: Recent<Entry>, key: string, entry: Entry, capacity: number): number {
  let forgot = 0;
  if (recent.count >= capacity) {
    forgot = Object.keys(recent.old).length;
    recent.old = recent.young;
    recent.young = {};
    recent.count = 0;
    recent.aged = true;
  }
  recent.young[key] = entry;
  recent.count++;
  return forgot;
}

export function drop<Entry>(recent: Recent<Entry>, key: string): void {
  if (recent.young[key] === undefined) {
    delete recent.old[key];
    return;
  }
  delete recent.young[key];
  recent.count--;
}

export function* entriesOf<Entry>(recent: Recent<Entry>): Generator<[string, Entry]> {
  yield* Object.entries(recent.old);
  yield* Object.entries(recent.young);
}

export function sizeOf<Entry>(recent: Recent<Entry>): number {
  return recent.count + (recent.aged ? Object.keys(recent.old).length : 0);
}

/** An id as it is kept: as it is, or hashed when it is long, so that a hostile id cannot fill the memory. */
export function brief(id: string): string {
  return id.length <= 128 ? id : `#${id.length}:${hashText(id, 0x51ed270b)}:${hashText(id, 0x2545f491)}`;
}

/** A record key that can be neither a number (which would change the order) nor a name of `Object.prototype`. */
export function keyOf(id: string): string {
  return `:${brief(id)}`;
}

/** 32 bits of a JSON value, never 0. The order of an object's members makes no difference. */
export function hashJson(value: JsonValue): number {
  return mix(value) || 1;
}

function mix(value: JsonValue): number {
  if (typeof value === "string") return hashText(value, 0x1b873593);
  if (typeof value === "number") return hashText(String(value), 0x38b34ae5);
  if (value === null) return 0x165667b1;
  if (typeof value === "boolean") return value ? 0x27d4eb2f : 0x9e3779b1;
  if (Array.isArray(value)) {
    let hash = 0x85ebca77;
    for (const item of value as readonly JsonValue[]) hash = Math.imul(hash ^ mix(item), 0x5bd1e995) ^ (hash >>> 13);
    return hash;
  }
  let sum = 0x3c6ef372;
  const object = value as { readonly [key: string]: JsonValue };
  for (const key in object) {
    const pair = hashText(key, 0x7feb352d) ^ Math.imul(mix(object[key] as JsonValue), 0x846ca68b);
    sum = (sum + Math.imul(pair ^ (pair >>> 15), 0xc2b2ae35)) | 0;
  }
  return sum;
}
