import { Worker } from "node:worker_threads";
import { EarshotError } from "@earshot/protocol";
import { reasonOf } from "../ledger/sqlite/sqlite-error.ts";
import { type EngineEvents, type EngineHost, EngineLost, type EngineTask, type FromEngine, type ToEngine } from "./engine-host.ts";

const isSource = import.meta.url.endsWith(".ts");
const CLOSE_MS = 5000;
/** A small young generation: what is folded lives for a moment only, and a large one costs memory for nothing. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Starts the engine in a thread of its own: folding and indexing cost more than taking events in, and must not hold that up.
 * The signal ends it at once, wherever it is.
 */
export function startEngineThread(task: EngineTask, { onState, log }: EngineEvents, signal?: AbortSignal): EngineHost {
  const thread = new Worker(new URL(isSource ? "./views-thread.ts" : "./views-thread.js", import.meta.url), {
    workerData: task,
    // In a clone the thread must find the sources too, as the process does.
    execArgv: isSource ? ["--conditions=earshot-source"] : [],
    resourceLimits: LIMITS,
  });
  thread.unref();
  signal?.addEventListener("abort", () => void thread.terminate(), { once: true });
  const waiting = new Map<number, Waiting>();
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  let asked = 0;
  let isClosing = false;
  let isGone = false;
  const post = (message: ToEngine) => thread.postMessage(message);

  thread.on("message", (message: FromEngine) => {
    if ("state" in message) onState(message.state, message.news);
    else if ("log" in message) log(message.log);
    else {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if ("problem" in message) one?.reject(new EarshotError(message.problem));
      else one?.resolve(message.value);
    }
  });
  thread.on("error", (error) => log(`The thread of the session views failed: ${reasonOf(error)}.`));
  thread.on("exit", () => {
    isGone = true;
    for (const { reject } of waiting.values()) reject(lost());
    waiting.clear();
    leave();
  });

  return {
    gone,
    ask: ((method, ...given) =>
      new Promise<unknown>((resolve, reject) => {
        if (isGone) throw lost();
        const id = ++asked;
        waiting.set(id, { resolve, reject });
        post({ id, method, given });
      })) as EngineHost["ask"],
    follow: (head, wanted) => post({ follow: [head, wanted] }),
    async close() {
      if (!isClosing) post({ close: true });
      isClosing = true;
      const late = setTimeout(() => void thread.terminate(), CLOSE_MS);
      await gone;
      clearTimeout(late);
    },
  };
}

function lost(): EngineLost {
  return new EngineLost("The thread of the session views ended.");
}
