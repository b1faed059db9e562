import { type ChildProcess, spawn } from "node:child_process";

const LONGEST_MS = 30_000;
const MAX_CHARACTERS = 1 << 20;

/** Runs a command of the scenarios file in the user's shell and returns its output. */
export function readCommandOutput(command: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "ignore"], timeout: LONGEST_MS });
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      if (output.length < MAX_CHARACTERS) output += chunk.toString();
    });
    child.once("error", () => resolve(output));
    child.once("close", () => resolve(output));
  });
}

export interface RunningCommand {
  /** Ends it and its children if it still runs. */
  stop(): void;
}

/** Starts a command without waiting: an agent that asks runs until it is answered. Undefined if it cannot be started. */
export function startCommand(command: string): Promise<RunningCommand | undefined> {
  return new Promise((resolve) => {
    // Its own process group, so that children of the shell can be ended.
    const child = spawn(command, { shell: true, stdio: "ignore", detached: process.platform !== "win32" });
    child.once("error", () => resolve(undefined));
    child.once("spawn", () => resolve({ stop: () => stop(child) }));
  });
}

function stop(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill();
    else process.kill(-child.pid, "SIGTERM");
  } catch {
    // It has ended already.
  }
}
