import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { isObject, type JsonObject } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { LeftOut } from "./read-said.ts";
import type { SourceKind } from "./source.ts";

/**
 * What lies beside a recording, as `FILE.capture.json`: what was captured, and where to go on. The recording itself holds
 * events and nothing else. Whatever is claimed here was on the disk before it was claimed.
 */
export interface SideFile {
  readonly earshotCapture: 1;
  readonly source: { readonly kind: SourceKind; readonly name: string; readonly session?: string };
  /** `running` when it was killed, too. */
  readonly state: "running" | "stopped" | "ended" | "failed";
  /** The process that writes, while it does. */
  readonly pid?: number;
  readonly startedAt: string;
  readonly savedAt: string;
  /** How often it was started with this recording. */
  readonly runs: number;
  /** What the recording holds for certain. */
  readonly events: number;
  readonly bytes: number;
  /** Where the source goes on. */
  readonly resume?: JsonObject;
  /** From this byte on the recording may hold what follows that place: it is recognised when it comes again. */
  readonly rereadFrom: number;
  readonly cuts: { readonly count: number; readonly last: readonly Cut[] };
  /** What was not written, and why. */
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>;
  /** Events that came after one with a higher number of the same counter was written. */
  readonly late: number;
  /** Whether every session that was captured has ended. */
  readonly sessionsEnded: boolean;
  /** With `--redact`: how many secrets were masked. */
  readonly masked?: number;
  /** Whether the command ended, and how. */
  readonly exit?: string;
  readonly notes: readonly string[];
}

export interface Cut {
  readonly at: string;
  readonly backAt?: string;
  readonly why: string;
}

export function sideFileOf(recording: string): string {
  return `${recording}.capture.json`;
}

/** Undefined where there is none. */
export function readSideFile(recording: string): SideFile | undefined {
  const path = sideFileOf(recording);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${path} cannot be read.` }, { cause: error });
  }
  const value = parse(text);
  if (!isSideFile(value)) {
    const hint = "Move both files away, or capture into another file.";
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${path} is not what a capture has written.`, hint });
  }
  return value;
}

/** Under another name first: a capture that is killed leaves the old one or the new one, never half of one. */
export function writeSideFile(recording: string, side: SideFile): void {
  const path = sideFileOf(recording);
  const file = openSync(`${path}.tmp`, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(side, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.tmp`, path);
}

/** Takes away a recording that was never begun, and what lies beside it. */
export function removeRecording(recording: string): void {
  for (const path of [recording, sideFileOf(recording)]) rmSync(path, { force: true });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told by whoever asked
  }
}

/** Written by us, so that as much is looked at as is needed to notice that it was not. */
function isSideFile(value: unknown): value is SideFile {
  if (!isObject(value) || value["earshotCapture"] !== 1 || !isObject(value["source"]) || !isObject(value["cuts"])) return false;
  const { events, bytes, rereadFrom, late, runs, startedAt, notes, leftOut } = value;
  const counts = [events, bytes, rereadFrom, late, runs].every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
  return counts && Number(rereadFrom) <= Number(bytes) && typeof startedAt === "string" && Array.isArray(notes) && isObject(leftOut);
}
