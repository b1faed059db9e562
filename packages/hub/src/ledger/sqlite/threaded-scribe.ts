import { Worker } from "node:worker_threads";
import { EarshotError, type Problem } from "@earshot/protocol";
import type { Draft, Written } from "./draft.ts";
import { toLedgerFailure } from "./failures.ts";
import type { RemovalTask, ScribeOptions, ScribePort } from "./scribe-port.ts";

export type ToScribe =
  | { readonly draft: Draft }
  | { readonly heed: true }
  | { readonly removal: RemovalTask; readonly task: number }
  | { readonly close: true };

export type FromScribe =
  | { readonly written: Written }
  | { readonly begun: number }
  | { readonly removed: number; readonly count: number }
  | { readonly notRemoved: number; readonly problem: Problem; readonly cause: string }
  | { readonly failure: string }
  | { readonly resumed: true }
  | { readonly closed: true };

interface Removing {
  readonly begun: () => void;
  readonly resolve: (count: number) => void;
  readonly reject: (error: Error) => void;
}

const isSource = import.meta.url.endsWith(".ts");
const YOUNG_MEGABYTES = 16;

/**
 * The scribe in a thread of his own: while he waits for the disk, events are read and judged. A thread that ends unasked
 * takes what it was asked with it, which is said; the next draft starts another one.
 */
export class ThreadedScribe implements ScribePort {
  readonly resumed: Promise<void>;
  readonly #path: string;
  readonly #options: ScribeOptions;
  readonly #drafts = new Map<number, (written: Written) => void>();
  readonly #removals = new Map<number, Removing>();
  #thread: Worker;
  #ended = false;
  #isAtWork = false;
  #tasks = 0;
  #sayResumed: () => void = () => {};
  #sayClosed: () => void = () => {};

  constructor(path: string, options: ScribeOptions) {
    this.#path = path;
    this.#options = options;
    this.resumed = new Promise((resolve) => {
      this.#sayResumed = resolve;
    });
    this.#thread = this.#start();
  }

  /** It lives, and has finished what an earlier one left undone. */
  get isAtWork(): boolean {
    return this.#isAtWork;
  }

  write(draft: Draft): Promise<Written> {
    return new Promise((resolve) => {
      this.#drafts.set(draft.number, resolve);
      this.#say({ draft });
    });
  }

  /** Somebody else has written entries to the file. */
  heedOthers(): void {
    this.#say({ heed: true });
  }

  remove(removal: RemovalTask, begun: () => void): Promise<number> {
    const task = ++this.#tasks;
    return new Promise((resolve, reject) => {
      this.#removals.set(task, { begun, resolve, reject });
      this.#say({ removal, task });
    });
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    const closed = new Promise<void>((resolve) => {
      this.#sayClosed = resolve;
    });
    this.#say({ close: true });
    await closed;
    await this.#thread.terminate();
  }

  #say(message: ToScribe): void {
    if (this.#ended) this.#thread = this.#start();
    this.#thread.postMessage(message);
  }

  #start(): Worker {
    this.#ended = false;
    const name = isSource ? "./scribe-thread.ts" : "./scribe-thread.js";
    const thread = new Worker(new URL(name, import.meta.url), {
      workerData: { path: this.#path, sealEveryMs: this.#options.sealEveryMs },
      // In a clone the thread must find the sources too, as the process does.
      execArgv: isSource ? ["--conditions=earshot-source"] : [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    thread.on("message", (message: FromScribe) => this.#hear(message));
    thread.on("error", (error) => this.#options.onFailure(error));
    thread.on("exit", () => {
      if (thread === this.#thread) this.#end();
    });
    return thread;
  }

  #hear(message: FromScribe): void {
    if ("written" in message) {
      const { written } = message;
      const tell = this.#drafts.get(written.number);
      this.#drafts.delete(written.number);
      tell?.(written);
    } else if ("begun" in message) this.#removals.get(message.begun)?.begun();
    else if ("removed" in message) this.#finish(message.removed)?.resolve(message.count);
    else if ("notRemoved" in message) {
      const cause = new Error(message.cause);
      this.#finish(message.notRemoved)?.reject(new EarshotError(message.problem, { cause }));
    } else if ("failure" in message) this.#options.onFailure(new Error(message.failure));
    else if ("resumed" in message) {
      this.#isAtWork = true;
      this.#sayResumed();
    } else this.#sayClosed();
  }

  #finish(task: number): Removing | undefined {
    const removing = this.#removals.get(task);
    this.#removals.delete(task);
    return removing;
  }

  #end(): void {
    this.#ended = true;
    this.#isAtWork = false;
    const { problem } = toLedgerFailure(new Error("The writing thread ended."));
    for (const [number, tell] of this.#drafts) tell({ number, ok: false, problem, cause: "The writing thread ended." });
    for (const { reject } of this.#removals.values()) reject(new EarshotError(problem));
    this.#drafts.clear();
    this.#removals.clear();
    this.#sayResumed();
    this.#sayClosed();
  }
}
