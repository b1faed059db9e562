import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * The spool of one receiver is a folder of folders: one per process that wrote, named for when it began, who owns it, and
 * chance; in it the lines in numbered files. Whoever renames such a folder to its own process number owns it. 0 is nobody.
 */
export interface WriterName {
  readonly name: string;
  readonly startedMs: number;
  readonly pid: number;
}

/** An owner that is there and has changed nothing for so long is taken for another process with a number used again. */
const FORGOTTEN_MS = 10 * 60_000;
const PATTERN = /^([0-9a-z]{1,11})-([0-9]{1,10})-[0-9a-f]{8}$/;

export function newWriterName(startedMs: number, pid: number): string {
  return `${startedMs.toString(36)}-${pid}-${randomBytes(4).toString("hex")}`;
}

export function readWriterName(name: string): WriterName | undefined {
  const [, started = "", pid = ""] = PATTERN.exec(name) ?? [];
  return started === "" ? undefined : { name, startedMs: Number.parseInt(started, 36), pid: Number(pid) };
}

export function segmentName(place: number): string {
  return `${String(place).padStart(8, "0")}.jsonl`;
}

/** The files of a folder in the order in which they are to be delivered. */
export async function listSegments(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
}

/** Folders that nobody is going to deliver, oldest first. */
export async function listAbandoned(spool: string): Promise<WriterName[]> {
  const writers = (await readdir(spool)).flatMap((name) => readWriterName(name) ?? []);
  const abandoned: WriterName[] = [];
  for (const writer of writers) if (await isAbandoned(spool, writer)) abandoned.push(writer);
  return abandoned.sort((one, other) => one.startedMs - other.startedMs);
}

async function isAbandoned(spool: string, { name, pid }: WriterName): Promise<boolean> {
  if (pid === 0 || !isAlive(pid)) return true;
  try {
    const { mtimeMs } = await stat(join(spool, name));
    return Date.now() - mtimeMs > FORGOTTEN_MS;
  } catch {
    return false; // somebody else was faster
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Bytes in all files of a folder, for keeping the spool within bounds. */
export function sizeOfFolder(folder: string): number {
  let size = 0;
  for (const name of readdirSync(folder)) size += statSync(join(folder, name)).size;
  return size;
}
