import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Order {
  /** Answers that promise an event. */
  readonly answers: number;
  /** Writes to the ledger's log, and how often it was made to reach the disk. */
  readonly writes: number;
  readonly syncs: number;
  /** Answers that left while something in the log had not reached the disk, or before anything was written for them. */
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

/** Watches the system calls of a process while something is done, and gives the lines that were written down. */
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

/** Whether every thread of a process is being watched. */
function isWatched(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((thread) => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")));
}

/** An answer that says where an event is. The command that starts a hub asks it other things by itself. */
function isPromise(line: string): boolean {
  return line.includes("HTTP/1.1 200") && line.includes('position\\"');
}

/**
 * Reads the calls in their order. The log of the ledger is written, then synced, then the answer leaves: whenever an answer
 * leaves while the log has unsynced bytes, or when none were written since the answer before, a power cut could take back
 * what was promised. Meant for one event at a time, so that each answer has writes of its own.
 */
export function readOrder(lines: readonly string[]): Order {
  let answers = 0;
  let writes = 0;
  let syncs = 0;
  let early = 0;
  let unsynced = 0;
  let sinceAnswer = 0;
  // A call that another thread interrupts is written in two lines; what it did is certain only with the second.
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
