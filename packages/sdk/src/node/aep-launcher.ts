import { spawn } from "node:child_process";
import type { AepResponse } from "@earshot/protocol";

/**
 * What the hook of this user answers: it starts the hub, and decides by the rules on disk if that does not help. Undefined
 * where it says nothing.
 */
export function askLauncher(launcher: string, event: string, until: number): Promise<AepResponse | undefined> {
  const seconds = Math.max(1, Math.floor((until - performance.now()) / 1000));
  return new Promise((resolve) => {
    const child = spawn(launcher, [SPEAKS_ITSELF, "", String(seconds)], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const timer = setTimeout(() => finish(undefined), Math.max(0, until - performance.now()));
    let said = "";
    const finish = (response: AepResponse | undefined) => {
      clearTimeout(timer);
      resolve(response);
      child.kill();
    };
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("error", () => finish(undefined));
    child.on("close", () => finish(readResponse(said)));
    child.stdin.on("error", () => {}); // it has ended, and said why
    child.stdin.end(event);
  });
}

const SPEAKS_ITSELF = "aep";

function readResponse(text: string): AepResponse | undefined {
  try {
    const value = JSON.parse(text) as Partial<AepResponse> | null;
    return typeof value?.control?.behavior === "string" ? (value as AepResponse) : undefined;
  } catch {
    return undefined; // nothing was said
  }
}
