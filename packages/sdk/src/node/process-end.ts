import type { EndListener, FinalOutcome } from "../delivery/platform.ts";
import { toErrorMessage } from "../plain/text.ts";

/**
 * One set of process-exit listeners for all agents. None of them changes how the process ends: errors are only observed, and a signal
 * without another handler is raised again.
 */
const listeners = new Set<EndListener>();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** The error about to end the process. */
let fatal: { readonly message: string } | undefined;
/** Whether events were reported since the last delay of the exit. */
let lingering = false;

/** Returns the function that stops watching. */
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
  // The first process of a container ignores unhandled signals, so raising one again would not end it.
  if (process.pid === 1 || listeners.size === 0) return;
  for (const signal of SIGNALS) {
    // Prepended, so that the other listeners are still registered when they are counted.
    if (!process.listeners(signal).includes(onSignal)) process.prependListener(signal, onSignal);
  }
}

function onUncaught(error: unknown): void {
  // A handler for such errors may keep the process running.
  if (process.listenerCount("uncaughtException") === 0) fatal = { message: toErrorMessage(error) };
}

/** The event loop is empty; only delivery is left. */
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
 * Other signal handlers decide whether the process ends. They must not see this handler when they check whether they are the only one, as
 * some libraries do before raising a signal again.
 */
function onSignal(signal: NodeJS.Signals): void {
  process.off(signal, onSignal);
  if (process.listenerCount(signal) > 0) {
    tell((listener) => listener.prepare());
    setImmediate(installSignals).unref();
    return;
  }
  const ending: FinalOutcome = { outcome: "cancelled", summary: `The process was ended by ${signal}.` };
  tell((listener) => listener.lastWords(ending));
  tell((listener) => listener.leave());
  process.kill(process.pid, signal);
}

function endingOf(code: number | string): FinalOutcome {
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
