import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ToolRun {
  readonly code: number | null;
  readonly ms: number;
  /** The most memory the process ever had, as the system counted it; NaN where it does not tell. */
  readonly peakMb: number;
  readonly stdout: string;
  readonly stderr: string;
}

const LOOK_EVERY_MS = 50;
const KEPT = 1 << 20;

/** Runs a program in a process of its own, and watches its memory. */
export async function runTool(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ToolRun> {
  const began = performance.now();
  const child = spawn(process.execPath, [...args], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let peakMb = Number.NaN;
  const look = () => {
    peakMb = peakMegabytes(child.pid ?? 0, peakMb);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      if (said[name].length < KEPT) said[name] += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  clearInterval(timer);
  return { code, ms: performance.now() - began, peakMb, ...said };
}

/** The high-water mark only grows: the last one seen is the highest, but for the last moments. */
export function peakMegabytes(pid: number, before: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? before : Number(kilobytes) / 1024; // one that has ended has none any more
  } catch {
    return before; // it has ended, or the system has no such file
  }
}
