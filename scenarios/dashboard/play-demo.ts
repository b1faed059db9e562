import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { EARSHOT } from "../../tools/built-command.ts";
import type { HubProcess } from "../hub/hub-process.ts";

/** `earshot demo` running beside the hub. */
export interface Demo extends AsyncDisposable {
  /** Fulfills when its terminal shows this text. */
  said(words: string): Promise<void>;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

interface DemoOptions {
  readonly speed?: number;
  readonly bin?: string;
}

export function playDemo({ home }: HubProcess, { speed = 1000, bin = EARSHOT }: DemoOptions = {}): Demo {
  const env = { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "" };
  const words = [bin, "demo", "--speed", String(speed)];
  const child: ChildProcess = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  const waiting = new Set<() => void>();
  const look = () => {
    for (const one of waiting) one();
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    look();
  });
  let hasEnded = false;
  const ended = once(child, "close").then(([code]) => {
    hasEnded = true;
    look();
    return code as number | null;
  });
  return {
    ended,
    said: (wanted) =>
      new Promise((fulfil, reject) => {
        const see = () => {
          if (text.includes(wanted)) fulfil();
          else if (hasEnded) reject(new Error(`The story ended without saying ${JSON.stringify(wanted)}:\n${text}`));
          else return;
          waiting.delete(see);
        };
        waiting.add(see);
        see();
      }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Printed while it waits for a person. */
export const WAITS = "waits for you";
