import type { Worker } from "node:worker_threads";
import type { Places } from "@earshot/policy";
import { EarshotError, type Problem } from "@earshot/protocol";
import { startThread } from "../start-thread.ts";
import type { StudyQuestions } from "./rule-study.ts";

export interface StudyTask {
  readonly places: Places;
  readonly ledgerPath: string;
}

type Question = keyof StudyQuestions;
export type ToStudy =
  | {
      readonly [Name in Question]: { readonly id: number; readonly question: Name; readonly given: Parameters<StudyQuestions[Name]>[0] };
    }[Question]
  | { readonly cancel: number };
export type FromStudy =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: Problem }
  | { readonly id: number; readonly failure: string };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

const IDLE_MS = 60_000;
/** Whoever comes then is told to come again. */
const MOST_OPEN = 16;
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 384 };

/** One thread, and who waits for it. */
interface Study {
  readonly thread: Worker;
  readonly waiting: Map<number, Waiting>;
}

/**
 * Rules are read, compared and tried in a thread of its own: a large text takes half a second, and a hundred thousand past actions
 * some. It is there while somebody asks, and ends after a minute of nothing. Only one text is tried at a time.
 */
export class StudyDesk implements AsyncDisposable {
  readonly #task: StudyTask;
  #study: Study | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;
  #open = 0;
  #trying: Promise<unknown> = Promise.resolve();

  constructor(task: StudyTask) {
    this.#task = task;
  }

  /** The signal says that whoever asked has gone. */
  async ask<Name extends Question>(
    question: Name,
    given: Parameters<StudyQuestions[Name]>[0],
    signal?: AbortSignal,
  ): Promise<ReturnType<StudyQuestions[Name]>> {
    if (this.#open >= MOST_OPEN) throw busy();
    this.#open++;
    try {
      const asking = () => this.#ask(question, given, signal) as Promise<ReturnType<StudyQuestions[Name]>>;
      if (question !== "tryOut") return await asking();
      const tried = this.#trying.then(asking);
      this.#trying = tried.catch(() => {}); // whoever asked for it hears that it failed
      return await tried;
    } finally {
      this.#open--;
      this.#rest();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#study?.thread.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #ask(question: Question, given: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    if (signal?.aborted === true) throw gone();
    const { thread, waiting } = this.#take();
    const id = ++this.#asked;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(id, { resolve, reject });
    const leave = () => {
      thread.postMessage({ cancel: id } satisfies ToStudy);
      waiting.delete(id);
      reject(gone());
    };
    signal?.addEventListener("abort", leave, { once: true });
    thread.postMessage({ id, question, given } as ToStudy);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  #take(): Study {
    clearTimeout(this.#idle);
    this.#study ??= this.#start();
    return this.#study;
  }

  #start(): Study {
    const thread = startThread("trial/study-thread", { task: this.#task, limits: LIMITS });
    thread.unref();
    const waiting = new Map<number, Waiting>();
    const study = { thread, waiting };
    let why: unknown;
    thread.on("message", (message: FromStudy) => {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if ("problem" in message) one?.reject(new EarshotError(message.problem));
      else if ("failure" in message) one?.reject(new Error(message.failure));
      else one?.resolve(message.value);
    });
    thread.on("error", (error) => {
      why = error;
    });
    thread.on("exit", () => {
      if (this.#study === study) this.#study = undefined;
      for (const { reject } of waiting.values()) reject(lost(why));
      waiting.clear();
    });
    return study;
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#open > 0) return;
    this.#idle = setTimeout(() => {
      const study = this.#study;
      this.#study = undefined;
      void study?.thread.terminate();
    }, IDLE_MS);
    this.#idle.unref();
  }
}

function busy(): EarshotError {
  return new EarshotError({ code: "OVERLOADED", message: "Too many rules are being looked at.", hint: "Ask again in a moment." });
}

function gone(): EarshotError {
  return new EarshotError({ code: "OVERLOADED", message: "Whoever asked has gone." });
}

/** It ran out of memory, or the hub is closing. */
function lost(cause: unknown): EarshotError {
  const message = "The rules could not be looked at: it took too much memory, or the hub is stopping.";
  return new EarshotError({ code: "OVERLOADED", message, hint: "Try fewer of the past actions." }, { cause });
}
