import { type ChildProcessByStdio, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Readable, Writable } from "node:stream";

export interface RunProgramOptions {
  readonly limitMs: number;
  /** Standard input; default: empty. */
  readonly input?: string;
}

export interface RunningSpeech {
  /** Rejects with a reason if it cannot run, fails, is stopped or hangs. */
  readonly over: Promise<{ readonly output: Buffer }>;
  /** Stops it at once. */
  stop(): void;
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_COMPLAINT = 200;

/** Runs a program without a shell and with a time limit. */
export function runProgram(path: string, words: readonly string[], { limitMs, input = "" }: RunProgramOptions): RunningSpeech {
  let child: ChildProcessByStdio<Writable, Readable, Readable>;
  try {
    child = spawn(path, words, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  } catch (error) {
    // Arguments with NUL are refused before anything runs.
    return { over: Promise.reject(error), stop: () => {} };
  }
  let isHanging = false;
  const timer = setTimeout(() => {
    isHanging = true;
    child.kill("SIGKILL");
  }, limitMs);
  const chunks: Buffer[] = [];
  let size = 0;
  let complaint = "";
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (complaint.length < MAX_COMPLAINT) complaint += chunk.toString("utf8");
  });
  // It may exit before reading all of its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const over = new Promise<{ readonly output: Buffer }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve({ output: Buffer.concat(chunks) });
      else if (isHanging) reject(new Error(`it did not end within ${Math.round(limitMs / 1000)} seconds`));
      else reject(new Error(`it ended with ${code === null ? `signal ${signal}` : `exit code ${code}`}${told(complaint)}`));
    });
  }).finally(() => clearTimeout(timer));
  return { over, stop: () => void child.kill("SIGKILL") };
}

function told(complaint: string): string {
  const [line = ""] = complaint.trim().split("\n");
  return line === "" ? "" : `: ${line.slice(0, MAX_COMPLAINT)}`;
}

/** A program on the PATH, or at its own path; undefined if there is none. Never from the current folder, which may be an agent's. */
export function findSpeechProgram(command: string, path = process.env["PATH"] ?? ""): string | undefined {
  if (/[\\/]/.test(command)) return isAbsolute(command) && isProgram(command) ? command : undefined;
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) =>
      (process.platform === "win32" && !/\.\w+$/.test(command) ? [`${command}.exe`] : [command]).map((name) => join(folder, name)),
    )
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not to be run
  }
}
