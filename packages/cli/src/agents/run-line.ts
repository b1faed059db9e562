import { spawn } from "node:child_process";
import type { JsonValue } from "@earshot/protocol/json";

/** How a hook's process ended, as its agent sees it. */
export type HookProcessEnd =
  | { readonly kind: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** Ended by a signal. */
  | { readonly kind: "crashed"; readonly stdout: string; readonly stderr: string }
  /** The agent stopped waiting. */
  | { readonly kind: "late" };

export interface RunLineOptions {
  readonly cwd: string;
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** The agent's timeout. */
  readonly timeoutMs: number;
}

/** Runs a registered line like an agent: in a shell, with the payload on standard input. */
export function runLine(command: string, payload: JsonValue, { cwd, env, timeoutMs }: RunLineOptions): Promise<HookProcessEnd> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    let [stdout, stderr] = ["", ""];
    const timer = setTimeout(() => {
      stop();
      resolve({ kind: "late" });
    }, timeoutMs);
    // The whole process group: no child may outlive the call.
    const stop = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has already ended.
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
