import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import type { Places } from "@earshot/policy";
import { EarshotError, isObject, type JsonValue, type Problem } from "@earshot/protocol";
import type { RulePast, RuleProposal } from "../requests/api.ts";
import { startThread } from "../start-thread.ts";
import type { StudyQuestions } from "./rule-study.ts";

type Question = keyof StudyQuestions;
type TrialResult<Name extends Question> = Awaited<ReturnType<StudyQuestions[Name]>>;
type Given<Name extends Question> = Parameters<StudyQuestions[Name]>[0];

/** The data a thread starts with and the messages in both directions, one answer per question. */
export interface TrialTask {
  readonly places: Places;
  readonly ledgerAt: string;
}
export type TrialQuestion = { readonly question: Question; readonly given: Given<Question> };
export type TrialAnswer = { readonly value: unknown } | { readonly problem: Problem } | { readonly failure: string };

/** Maximum number of waiting questions; more are refused. */
const MAX_WAITING = 16;
const IDLE_MS = 60_000;
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 384 };

/**
 * Reads, compares and tests rules in threads: a large text takes half a second, a hundred thousand past actions several. Tests and checks
 * have separate threads.
 */
export class RuleTrials implements AsyncDisposable {
  readonly #trials: QuestionThread;
  readonly #checks: QuestionThread;
  #waiting = 0;

  constructor(task: TrialTask) {
    this.#trials = new QuestionThread(task);
    this.#checks = new QuestionThread(task);
  }

  /** Aborting the signal ends the work. */
  async ask<Name extends Question>(question: Name, given: Given<Name>, signal?: AbortSignal): Promise<TrialResult<Name>> {
    if (this.#waiting >= MAX_WAITING) throw overloaded("Too many rules are being looked at.", "Ask again in a moment.");
    this.#waiting++;
    try {
      const thread = question === "tryOut" ? this.#trials : this.#checks;
      // The question determines the answer's type; the type is lost on the way through a thread.
      return (await thread.ask({ question, given }, signal)) as TrialResult<Name>;
    } finally {
      this.#waiting--;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#trials.close(), this.#checks.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** A thread that answers one question at a time. It starts with a question and stops after an idle minute. */
class QuestionThread {
  readonly #task: TrialTask;
  #thread: Worker | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(task: TrialTask) {
    this.#task = task;
  }

  ask(question: TrialQuestion, signal?: AbortSignal): Promise<unknown> {
    const answer = this.#turn.then(() => this.#answer(question, signal));
    this.#turn = answer.catch(() => {}); // the caller gets the error
    return answer;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #answer(question: TrialQuestion, signal: AbortSignal | undefined): Promise<unknown> {
    if (signal?.aborted === true) throw overloaded("The caller has gone.");
    if (this.#isClosed) throw lost();
    clearTimeout(this.#idle);
    const thread = this.#start();
    const stop = () => void this.#stop();
    const done = new AbortController();
    signal?.addEventListener("abort", stop, { once: true, signal: done.signal });
    try {
      thread.postMessage(question);
      // Settles with the answer or when the thread is stopped.
      const stopped = once(thread, "exit", done).then(() => []);
      const [message] = (await Promise.race([once(thread, "message", done), stopped])) as [TrialAnswer?];
      if (message === undefined) throw lost();
      if ("problem" in message) throw new EarshotError(message.problem);
      if ("failure" in message) throw new Error(message.failure);
      return message.value;
    } catch (error) {
      throw hasCode(error, "ERR_WORKER_OUT_OF_MEMORY") ? lost(error) : error;
    } finally {
      done.abort();
      this.#idle = setTimeout(stop, IDLE_MS).unref();
    }
  }

  #start(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const thread = startThread("trial/study-thread", { task: this.#task, limits: LIMITS });
    thread.unref();
    thread.on("error", () => {}); // the question that it works on is rejected
    thread.on("exit", () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    this.#thread = thread;
    return thread;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** The thread ran out of memory or was stopped. */
function lost(cause?: unknown): EarshotError {
  const message = "The rules could not be looked at: it took too much memory, or the hub is stopping.";
  return overloaded(message, "Try fewer of the past actions.", cause);
}

function overloaded(message: string, hint?: string, cause?: unknown): EarshotError {
  return new EarshotError({ code: "OVERLOADED", message, ...(hint === undefined ? {} : { hint }) }, { cause });
}

/** Past asks tested for a proposed rule; the proposal must appear quickly. */
const MAX_PAST_ASKS = 500;
const MAX_PAST_ENTRIES = 100_000;
const MAX_PAST_EXAMPLES = 5;
const MAX_EXAMPLE_CHARACTERS = 200;

/** How many past asks a proposed rule would have allowed; null where that could not be counted. */
export async function countPast({ yaml, rule }: RuleProposal, trials: RuleTrials, gone: AbortSignal): Promise<RulePast | null> {
  if (yaml === null) return null;
  const text = { file: "proposed rule", text: `rules:\n${yaml.replaceAll(/^(?=.)/gm, "  ")}` };
  try {
    const given = { text, accepted: null, limit: MAX_PAST_ASKS, lookedAt: MAX_PAST_ENTRIES };
    const { asks, rules, moves } = await trials.ask("tryOut", given, gone);
    const examples = moves.flatMap((move) => move.examples.map(({ asked: { title, input } }) => exampleOf(title, input)));
    return {
      asks,
      matched: rules.find((one) => one.rule === rule)?.count ?? 0,
      examples: [...new Set(examples)].slice(0, MAX_PAST_EXAMPLES),
    };
  } catch {
    return null; // overloaded, or the caller has gone
  }
}

function exampleOf(title: string, input: JsonValue | undefined): string {
  const { command, file_path: path } = isObject(input) ? input : {};
  const about = command ?? path;
  return typeof about === "string" ? about.slice(0, MAX_EXAMPLE_CHARACTERS) : title;
}
