import { EarshotError, type Problem } from "@earshot/protocol";
import { reasonOfError } from "../ledger/sqlite/sqlite-error.ts";
import { startThread } from "../start-thread.ts";
import type { AlertThresholds } from "./alerts/detector.ts";
import type { ViewEngine, ViewEngineState, ViewQuestionName } from "./view-engine.ts";
import type { NewAlerts } from "./view-follower.ts";
import type { ViewQuestions } from "./view-questions.ts";
import { viewsUnavailable } from "./views.ts";

/** Methods callable from outside the engine's thread, with plain data in both directions. */
export type EngineMethods = Pick<ViewEngine, "applyRemovals" | "checkTime"> & { readonly [Name in ViewQuestionName]: ViewQuestions[Name] };
export type EngineMethod = keyof EngineMethods;
export type EngineArguments<Method extends EngineMethod> = Parameters<EngineMethods[Method]>;
export type EngineAnswer<Method extends EngineMethod> = Promise<Awaited<ReturnType<EngineMethods[Method]>>>;

/** The views' thread as seen from the hub. */
export interface ViewsWorker {
  ask<Method extends EngineMethod>(method: Method, ...given: EngineArguments<Method>): EngineAnswer<Method>;
  follow(head: number): void;
  /** Fulfills when everything is written and the thread has ended. */
  close(): Promise<void>;
  /** Fulfills when the thread has ended. Pending calls are rejected. */
  readonly ended: Promise<void>;
}

export interface WorkerEvents {
  readonly onState: (state: ViewEngineState, news: NewAlerts) => void;
  readonly onLoss: (why: string) => void;
  readonly log: (line: string) => void;
}

export interface WorkerTask {
  readonly path: string;
  readonly ledgerAt: string;
  readonly thresholds: AlertThresholds;
}

export type StartViewsWorker = (task: WorkerTask, events: WorkerEvents) => ViewsWorker;

export type ToWorker =
  | { readonly id: number; readonly method: EngineMethod; readonly given: readonly unknown[] }
  | { readonly follow: number }
  | { readonly close: true };

export type FromWorker =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: Problem }
  | { readonly state: ViewEngineState; readonly news: NewAlerts }
  | { readonly loss: string }
  | { readonly log: string };

const CLOSE_MS = 5000;
/** A small young generation: folded values are short-lived, and a large one wastes memory. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** Starts the engine in a thread: folding and indexing cost more than intake and must not delay it. */
export function startViewsWorker(task: WorkerTask, { onState, onLoss, log }: WorkerEvents, signal?: AbortSignal): ViewsWorker {
  const thread = startThread("views/views-thread", { task, limits: LIMITS });
  thread.unref();
  signal?.addEventListener("abort", () => void thread.terminate(), { once: true });
  const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (reason: unknown) => void }>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let asked = 0;
  let hasEnded = false;
  const post = (message: ToWorker) => thread.postMessage(message);

  thread.on("message", (message: FromWorker) => {
    if ("state" in message) onState(message.state, message.news);
    else if ("loss" in message) onLoss(message.loss);
    else if ("log" in message) log(message.log);
    else {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if ("problem" in message) one?.reject(new EarshotError(message.problem));
      else one?.resolve(message.value);
    }
  });
  thread.on("error", (error) => log(`The thread of the session views failed: ${reasonOfError(error)}.`));
  thread.on("exit", () => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(unreadableViewsError());
    waiting.clear();
    end();
  });

  return {
    ended,
    ask: ((method, ...given) =>
      new Promise<unknown>((resolve, reject) => {
        if (hasEnded) throw unreadableViewsError();
        const id = ++asked;
        waiting.set(id, { resolve, reject });
        post({ id, method, given });
      })) as ViewsWorker["ask"],
    follow: (head) => post({ follow: head }),
    async close() {
      post({ close: true });
      const late = setTimeout(() => void thread.terminate(), CLOSE_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Calls the engine. Messages have these types, because only our side writes to the port. */
export function askEngine(engine: ViewEngine, method: EngineMethod, given: readonly unknown[]): Promise<unknown> {
  switch (method) {
    case "applyRemovals":
    case "checkTime":
      return (engine[method] as (...given: readonly unknown[]) => Promise<unknown>).apply(engine, [...given]);
    default:
      return (engine.ask as (name: ViewQuestionName, ...given: readonly unknown[]) => Promise<unknown>).call(engine, method, ...given);
  }
}

export function unreadableViewsError(cause?: unknown): EarshotError {
  return viewsUnavailable("The session views cannot be read right now.", cause);
}
