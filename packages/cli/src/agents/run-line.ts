import { spawn } from "node:child_process";
import type { JsonValue } from "@earshot/protocol/json";

/** How a hook's process ended, as the agent that ran it sees it. */
export type HookRun =
  | { readonly kind: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** A signal ended it. */
  | { readonly kind: "crashed"; readonly stdout: string; readonly stderr: string }
  /** The agent gave up waiting. */
  | { readonly kind: "late" };

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** How long the agent waits. */
  readonly timeoutMs: number;
}

/** Runs a registered line as agents do: in a shell, with the payload on its standard input. */
export function runLine(command: string, payload: JsonValue, { cwd, env, timeoutMs }: RunOptions): Promise<HookRun> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    let [stdout, stderr] = ["", ""];
    const timer = setTimeout(() => {
      stop();
      resolve({ kind: "late" });
    }, timeoutMs);
    // The whole process group: nothing that the hook started may outlive the call.
    const stop = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // it has ended by itself
      }
    };
    child.stdout.on("data", (piece) => {
      stdout += String(piece);
    });
    child.stderr.on("data", (piece) => {
      stderr += String(piece);
    });
    child.stdin.on("error", () => {}); // a hook may end without having read anything
    child.on("error", () => {
      clearTimeout(timer);
      resolve({ kind: "ended", code: 127, stdout, stderr });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve(
        signal !== null || code === null || code > 128 ? { kind: "crashed", stdout, stderr } : { kind: "ended", code, stdout, stderr },
      );
    });
    child.stdin.end(JSON.stringify(payload));
  });
}
