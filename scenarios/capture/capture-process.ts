import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { EARSHOT } from "../../tools/built-command.ts";

/** `earshot capture` or `earshot export` in a process of its own, into one recording. */
export class CaptureProcess implements AsyncDisposable {
  readonly recording: string;
  readonly #command: string;
  readonly #words: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #told = "";

  constructor(recording: string, words: readonly string[], env: Readonly<Record<string, string>> = {}, command = "capture") {
    this.recording = recording;
    this.#command = command;
    this.#words = words;
    this.#env = { ...process.env, EARSHOT_URL: "", ...env };
  }

  /** The text on the error streams of all of them. */
  get told(): string {
    return this.#told;
  }

  start(): void {
    const child = spawn(process.execPath, [EARSHOT, this.#command, "-o", this.recording, ...this.#words], {
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.on("data", (chunk: Buffer) => {
      this.#told += chunk.toString();
    });
    this.#child = child;
  }

  /** Fulfils with its code when it ends by itself. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    return child.exitCode;
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.#child?.kill(signal);
    await this.ended();
  }

  /** Whole lines of the recording. */
  lines(): readonly string[] {
    if (!existsSync(this.recording)) return [];
    return readFileSync(this.recording, "utf8").split("\n").slice(0, -1);
  }

  /** It is connected; an export says nothing about that, and misses nothing. */
  get hasBegun(): boolean {
    return this.#command === "export" || this.#told.includes("capturing");
  }

  check(): { readonly status: number | null; readonly report: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [EARSHOT, "check", this.recording], { encoding: "utf8" });
    return { status, report: stdout + stderr };
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    const end = performance.now() + 60_000;
    while (!holds()) {
      if (performance.now() > end) throw new Error(`In vain: ${what}. ${this.lines().length} events so far.\n${this.#told}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
