import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * A receiver's spool is a folder with one folder per writing process, named after start time, owner and random digits, which holds
 * numbered files of lines. A process claims a folder by renaming it to its own process id. 0 means no owner.
 */
export interface WriterName {
  readonly name: string;
  readonly startedMs: number;
  readonly pid: number;
}

/** An owner without changes for this long is taken for another process with a reused id. */
const FORGOTTEN_MS = 10 * 60_000;
const MAX_ABANDONED = 128;
const PATTERN = /^([0-9a-z]{1,11})-([0-9]{1,10})-[0-9a-f]{8}$/;

export function newWriterName(startedMs: number, pid: number): string {
  return `${startedMs.toString(36)}-${pid}-${randomBytes(4).toString("hex")}`;
}

export function segmentName(place: number): string {
  return `${String(place).padStart(8, "0")}.jsonl`;
}

/** The files of a folder in delivery order. */
export function listSegments(folder: string): string[] {
  return list(folder).filter((name) => name.endsWith(".jsonl"));
}

/** Folders without a live owner, oldest first. */
export function listAbandoned(spool: string): WriterName[] {
  return list(spool)
    .flatMap((name) => readWriterName(name) ?? [])
    .filter((writer) => isAbandoned(spool, writer))
    .sort((one, other) => one.startedMs - other.startedMs);
}

/** Bounds the lines of ended processes, for machines without a hub. */
export function pruneAbandoned(spool: string, maxBytes: number): void {
  const abandoned = listAbandoned(spool);
  const sizes = abandoned.map(({ name }) => sizeOf(join(spool, name)));
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  for (let index = 0; index < abandoned.length; index++) {
    if (bytes <= maxBytes && abandoned.length - index <= MAX_ABANDONED) return;
    bytes -= sizes[index] ?? 0;
    rmSync(join(spool, abandoned[index]?.name ?? "-"), { recursive: true, force: true });
  }
}

function readWriterName(name: string): WriterName | undefined {
  const [, started, pid] = PATTERN.exec(name) ?? [];
  return started === undefined ? undefined : { name, startedMs: Number.parseInt(started, 36), pid: Number(pid) };
}

function isAbandoned(spool: string, { name, pid }: WriterName): boolean {
  if (pid === 0 || !isAlive(pid)) return true;
  const changed = statSync(join(spool, name), { throwIfNoEntry: false });
  return changed !== undefined && Date.now() - changed.mtimeMs > FORGOTTEN_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function sizeOf(folder: string): number {
  return list(folder).reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // not there, or not any more
  }
}
