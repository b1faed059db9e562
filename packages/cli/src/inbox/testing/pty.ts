import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { EARSHOT } from "../../../../../tools/built-command.ts";

/** A command at a terminal: its output can be read and keys can be typed. */
export interface Pty extends AsyncDisposable {
  /** Everything shown so far, with program line endings. */
  readonly shown: () => string;
  type(keys: string): void;
  /** Fulfills when the text is shown after the previously awaited one; a key typed too early would be lost. */
  waitFor(text: string | RegExp): Promise<string>;
  /** The exit code. */
  readonly ended: Promise<number>;
}

export interface PtyOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Whether this machine has util-linux `script`, which provides a terminal. */
export const HAS_PTY =
  process.platform === "linux" && spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;

const LONGEST_WAIT_MS = 30_000;

export function earshotInTerminal(words: readonly string[], { home, env = {} }: PtyOptions): Pty {
  const command = [process.execPath, EARSHOT, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qfec", command, "/dev/null"], {
    env: { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "", TERM: "xterm", NO_COLOR: "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let shown = "";
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString().replaceAll("\r\n", "\n");
  });
  const ended = once(child, "close").then(([code]) => Number(code));
  return {
    shown: () => shown,
    type: (keys) => void child.stdin.write(keys),
    async waitFor(text) {
      const until = performance.now() + LONGEST_WAIT_MS;
      for (;;) {
        const rest = shown.slice(seen);
        const at = typeof text === "string" ? rest.indexOf(text) : rest.search(text);
        if (at >= 0) {
          const length = typeof text === "string" ? text.length : (text.exec(rest)?.[0].length ?? 0);
          seen += at + length;
          return rest.slice(0, at + length);
        }
        if (performance.now() > until) throw new Error(`${String(text)} was not shown. There was: ${shown}`);
        await new Promise((done) => setTimeout(done, 10));
      }
    },
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill("SIGKILL");
      await ended;
    },
  };
}
