import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, opendirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonValue } from "@earshot/protocol/json";
import { redactJson } from "../intake/redact-json.ts";
import { readRegularFile } from "../regular-file.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";

/** One file per hook run, named by time: delivered in order of name. */
const NAME = /^[0-9a-z]{9}-[0-9a-f]{8}\.jsonl$/;
/** The number of dropped files. */
const DROPPED = "dropped";

/** Far more than hooks write: another program may have filled the folder, which the hub reads every second. */
const MAX_ENTRIES = 20_000;

export interface SpoolLimits {
  readonly files: number;
  readonly bytes: number;
}

export const SPOOL_LIMITS: SpoolLimits = { files: 5000, bytes: 32 * 1024 * 1024 };

/** Stores lines until the hub is back. Throws if nothing can be written. */
export function spoolLines(folder: string, lines: readonly string[], now: number, limits: SpoolLimits = SPOOL_LIMITS): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  makeRoom(folder, limits);
  const name = `${now.toString(36).padStart(9, "0")}-${randomBytes(4).toString("hex")}.jsonl`;
  // Without a sync: an agent waits for its hook, and nothing lost in a power cut was acknowledged.
  writeFileAtomically(join(folder, name), lines.map((line) => `${line}\n`).join(""), { durable: false });
}

/** In the order written. */
export function spooledFiles(folder: string): readonly string[] {
  const names: string[] = [];
  try {
    using entries = opendirSync(folder);
    for (let read = 0; read < MAX_ENTRIES; read++) {
      const entry = entries.readSync();
      if (entry === null) break;
      if (entry.isFile() && NAME.test(entry.name)) names.push(entry.name);
    }
  } catch {
    return []; // nothing was ever spooled
  }
  return names.sort();
}

/** The number dropped since the last call. */
export function takeDroppedCount(folder: string): number {
  try {
    const count = Number(readRegularFile(join(folder, DROPPED), { maxBytes: 64 }));
    rmSync(join(folder, DROPPED), { force: true });
    return Number.isSafeInteger(count) ? count : 0;
  } catch {
    return 0; // none
  }
}

/** Drops the oldest and counts them. */
function makeRoom(folder: string, { files, bytes }: SpoolLimits): void {
  const names = spooledFiles(folder);
  const sizes = names.map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let gone = 0;
  while (gone < names.length && (names.length - gone >= files || total > bytes)) {
    rmSync(join(folder, names[gone] ?? "-"), { force: true });
    total -= sizes[gone] ?? 0;
    gone++;
  }
  if (gone > 0) writeFileAtomically(join(folder, DROPPED), String(takeDroppedCount(folder) + gone), { durable: false });
}

/** Fits the hub's maximum event size. */
export const MAX_SPOOLED_EVENT_BYTES = 512 * 1024;
const LONGEST_TEXT = 4096;
/** The extension that marks an event stored with long texts cut: it is shown incomplete and cannot be allowed. */
export const TRUNCATED_EXTENSION = "x-truncated";

/** The event, with its long texts cut if it is too large. */
export function fitEvent<Event extends object>(event: Event): Event {
  if (JSON.stringify(event).length <= MAX_SPOOLED_EVENT_BYTES) return event;
  const cut = shorten(event as unknown as JsonValue) as unknown as Event & { readonly extensions?: object };
  const fitted = { ...cut, extensions: { ...cut.extensions, [TRUNCATED_EXTENSION]: true } };
  return JSON.stringify(fitted).length <= MAX_SPOOLED_EVENT_BYTES ? fitted : { ...fitted, action: undefined, content: undefined };
}

function shorten(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === "string") return value.length <= LONGEST_TEXT ? value : `${value.slice(0, LONGEST_TEXT).toWellFormed()}…`;
  if (Array.isArray(value)) return value.slice(0, 1000).map((one: JsonValue) => shorten(one) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorten(one)]));
}

/** An event as a line for the disk, with secrets masked. */
export function redactLine(event: object): string {
  const text = JSON.stringify(event);
  return redactJson(text, event as JsonValue)?.text ?? text;
}
