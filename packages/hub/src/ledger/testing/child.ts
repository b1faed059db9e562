import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface ChildProgram extends AsyncDisposable {
  readonly pid: number;
  /** Like a power cut: the process stops at once. */
  kill(): Promise<void>;
}

/** Starts a script of this folder as a process and waits for its first line. */
export async function startChildProgram(script: string, ...values: readonly string[]): Promise<ChildProgram> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...values], { stdio: ["ignore", "pipe", "inherit"] });
  const said = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  if (!Buffer.isBuffer(said[0])) throw new Error(`${script} ended with ${String(said[0])}`);
  const kill = () => killAndWait(child);
  return { pid: child.pid ?? 0, kill, [Symbol.asyncDispose]: kill };
}

async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
