import { spawnSync } from "node:child_process";
import type { RunningProgram } from "./check-agent.ts";

/** The programs that run here. None where they cannot be listed. */
export function runningPrograms(now: number): readonly RunningProgram[] {
  const { status, stdout } = spawnSync("ps", ["-axww", "-o", "pid=,etime=,args="], {
    encoding: "utf8",
    timeout: 5000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return status === 0 ? readPrograms(stdout, now) : [];
}

/** `[[days-]hours:]minutes:seconds`. */
export function readPrograms(text: string, now: number): readonly RunningProgram[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, days = "0", hours = "0", minutes, seconds, words = ""] =
      /^\s*(\d+)\s+(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) return [];
    const age = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
    return [{ pid: Number(pid), words: words.split(" "), startedAt: now - age * 1000 }];
  });
}
