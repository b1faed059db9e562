import type { Ending, EndListener } from "../delivery/platform.ts";
import { toErrorMessage } from "../plain/text.ts";

/**
 * The ends of a process, heard by one set of listeners for all agents in it. None of them changes how the process ends:
 * errors are only looked at, and a signal that nobody else handles is raised again.
 */
const listeners = new Set<EndListener>();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Of the error that is about to end the process. */
let fatal: { readonly message: string } | undefined;
/** Whether anything was said since the last time that the process was held up. */
let lingering = false;

/** Until it is told to stop. */
export function watchProcess(listener: EndListener): () => void {
  listeners.add(listener);
  if (listeners.size === 1) install();
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) uninstall();
  };
}

function install(): void {
  process.on("uncaughtExceptionMonitor", onUncaught);
  process.on("beforeExit", onBeforeExit);
  process.on("exit", onExit);
  installSignals();
}

function uninstall(): void {
  process.off("uncaughtExceptionMonitor", onUncaught);
  process.off("beforeExit", onBeforeExit);
  process.off("exit", onExit);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function installSignals(): void {
  // The first process of a container ignores signals that it does not handle: raising one again would end nothing.
  if (process.pid === 1 || listeners.size === 0) return;
  for (const signal of SIGNALS) {
    // In front of all others, so that they are still there to be counted.
    if (!process.listeners(signal).includes(onSignal)) process.prependListener(signal, onSignal);
  }
}

function onUncaught(error: unknown): void {
  // Whoever handles such errors may go on.
  if (process.listenerCount("uncaughtException") === 0) fatal = { message: toErrorMessage(error) };
}

/** Nothing is left to do but to deliver. */
function onBeforeExit(code: number): void {
  tell((listener) => listener.lastWords(endingOf(process.exitCode ?? code)));
  if (lingering) return; // it was held up before: once is enough
  lingering = true;
  tell((listener) => void listener.linger());
}

function onExit(code: number): void {
  tell((listener) => listener.lastWords(endingOf(code)));
  tell((listener) => listener.leave());
}

/**
 * Others who handle the signal decide whether the process ends. They must not count us among those who do: libraries
 * that raise a signal again do so only when they find themselves alone.
 */
function onSignal(signal: NodeJS.Signals): void {
  process.off(signal, onSignal);
  if (process.listenerCount(signal) > 0) {
    tell((listener) => listener.prepare());
    setImmediate(installSignals).unref();
    return;
  }
  const ending: Ending = { outcome: "cancelled", summary: `The process was ended by ${signal}.` };
  tell((listener) => listener.lastWords(ending));
  tell((listener) => listener.leave());
  process.kill(process.pid, signal);
}

function endingOf(code: number | string): Ending {
  if (fatal !== undefined) return { outcome: "failed", errorMessage: fatal.message };
  if (Number(code) === 0) return { outcome: "completed", summary: "The process ended with exit code 0." };
  return { outcome: "failed", errorMessage: `The process ended with exit code ${code}.` };
}

function tell(action: (listener: EndListener) => void): void {
  for (const listener of listeners) {
    try {
      action(listener);
    } catch {
      // Nothing here may change how the process ends.
    }
  }
}
