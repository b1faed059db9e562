import { spawn } from "node:child_process";
import { once } from "node:events";
import { EARSHOT } from "../../tools/built-command.ts";

const LONGEST_WAIT_MS = 60_000;

/** A command without a terminal whose output is read while it runs. */
export interface Talk extends AsyncDisposable {
  readonly shown: () => string;
  type(line: string): void;
  /** Fulfills when the text is shown after the previously awaited one. */
  waitFor(text: RegExp | string): Promise<void>;
  /** Asks it to end. Returns the exit code. */
  end(): Promise<number | null>;
}

export function talk(words: readonly string[], home: string): Talk {
  const env = { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "" };
  const child = spawn(process.execPath, [EARSHOT, ...words], { env, stdio: ["pipe", "pipe", "pipe"] });
  let shown = "";
  let seen = 0;
  const hear = (chunk: Buffer) => {
    shown += chunk.toString();
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    shown: () => shown,
    type: (line) => void child.stdin.write(line),
    async waitFor(text) {
      const until = performance.now() + LONGEST_WAIT_MS;
      for (;;) {
        const rest = shown.slice(seen);
        const found = typeof text === "string" ? rest.indexOf(text) : rest.search(text);
        if (found >= 0) {
          seen += found + 1;
          return;
        }
        if (performance.now() > until || child.exitCode !== null) throw new Error(`${String(text)} was not shown. There was: ${shown}`);
        await new Promise((done) => setTimeout(done, 20));
      }
    },
    end() {
      child.kill("SIGTERM");
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
