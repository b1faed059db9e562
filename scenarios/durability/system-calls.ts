import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Order {
  /** Answers that acknowledge an event. */
  readonly answers: number;
  /** Writes to the WAL, and syncs. */
  readonly writes: number;
  readonly syncs: number;
  /** Answers sent while WAL bytes were unsynced, or before anything was written for them. */
  readonly early: number;
}

const CALLS = "fdatasync,fsync,pwrite64,pwritev,write,writev,sendto,sendmsg";

export const NO_STRACE =
  "Skipped: strace is not installed or may not watch another process, so that the order of writing and answering cannot be seen.";

export function hasStrace(): boolean {
  if (spawnSync("strace", ["-V"]).status !== 0) return false;
  const sleeper = spawn("sleep", ["20"], { stdio: "ignore" });
  const { stderr } = spawnSync("timeout", ["-s", "INT", "1", "strace", "-p", String(sleeper.pid)], { encoding: "utf8" });
  sleeper.kill("SIGKILL");
  return stderr.includes("attached");
}

/** Traces the system calls of a process during `work` and returns the lines. */
export async function watchCalls(pid: number, work: () => Promise<void>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-strace-"));
  const file = join(folder, "calls");
  const strace = spawn("strace", ["-f", "-p", String(pid), "-o", file, "-yy", "-ttt", "-s", "800", "-e", `trace=${CALLS}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    let said = "";
    for await (const chunk of strace.stderr as AsyncIterable<Buffer>) {
      said += chunk.toString();
      if (said.includes("attached")) break;
    }
    if (!said.includes("attached")) throw new Error(`strace: ${said}`);
    while (!isWatched(pid)) await new Promise((resolve) => setTimeout(resolve, 20)); // thread after thread
    await work();
    await new Promise((resolve) => setTimeout(resolve, 500)); // what was done last is written down, too
  } finally {
    const ended = strace.exitCode === null && strace.signalCode === null ? once(strace, "exit") : undefined;
    strace.kill("SIGINT");
    await ended;
  }
  const lines = readFileSync(file, "utf8").split("\n");
  rmSync(folder, { recursive: true, force: true });
  return lines;
}

/** Whether every thread of the process is traced. */
function isWatched(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((thread) => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")));
}

/** An answer with an event's position. The start command sends other requests as well. */
function isPromise(line: string): boolean {
  return line.includes("HTTP/1.1 200") && line.includes('position\\"');
}

/**
 * Checks the order of system calls: the WAL is written and synced before the answer leaves. An answer that leaves with unsynced bytes, or
 * without a write since the previous answer, could be undone by a power cut. For one event at a time, so that each answer has its own
 * writes.
 */
export function readOrder(lines: readonly string[]): Order {
  let answers = 0;
  let writes = 0;
  let syncs = 0;
  let early = 0;
  let unsynced = 0;
  let sinceAnswer = 0;
  // A call interrupted by another thread spans two lines; its result is only in the second.
  const syncing = new Map<string, boolean>();
  for (const line of lines) {
    const [thread = ""] = line.split(" ", 1);
    const isLog = line.includes("ledger.db-wal>");
    if (/\b(pwrite64|pwritev|write)\(/.test(line) && isLog) {
      writes++;
      unsynced++;
      sinceAnswer++;
    } else if (/\b(fdatasync|fsync)\(/.test(line) && line.includes("<unfinished")) {
      syncing.set(thread, isLog);
    } else if (/\b(fdatasync|fsync)\(/.test(line) ? isLog : /sync resumed>/.test(line) && syncing.get(thread) === true) {
      syncs++;
      unsynced = 0;
    } else if (/\b(write|writev|sendto|sendmsg)\(/.test(line) && isPromise(line)) {
      answers++;
      if (unsynced > 0 || sinceAnswer === 0) early++;
      sinceAnswer = 0;
    }
  }
  return { answers, writes, syncs, early };
}
