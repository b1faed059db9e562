import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

export interface AgentProcess {
  readonly child: ChildProcess;
  /** The first printed line. */
  readonly sessionId: Promise<string>;
  /** When it waits for a signal. */
  readonly ready: Promise<void>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: string | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** Starts the scenarios' agent, which finds the hub by its home folder unless given an address. */
export function startAgent(home: string, args: readonly (string | number)[], url = ""): AgentProcess {
  const words = [resolve("scenarios/sdk/agent.ts"), ...args.map(String)];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  const printed = (pattern: RegExp) =>
    new Promise<string>((found) => {
      child.stdout.on("data", () => {
        const [, text] = pattern.exec(stdout) ?? [];
        if (text !== undefined) found(text);
      });
    });
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const sessionId = printed(/^(.+)\n/);
  const ready = printed(/\n(ready)\n/).then(() => {});
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, stdout, stderr }));
  return { child, sessionId, ready, ended };
}
