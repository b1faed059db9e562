import { parentPort, workerData } from "node:worker_threads";
import { EarshotError } from "@earshot/protocol";
import { StoredHistory } from "../ledger/sqlite/stored-history.ts";
import { lowerThreadPriority } from "../start-thread.ts";
import { checkText, explainAsked, type StudyPorts, tryText } from "./rule-study.ts";
import type { FromStudy, StudyTask, ToStudy } from "./study-desk.ts";

lowerThreadPriority();
const { places, ledgerPath } = workerData as StudyTask;
const ports: StudyPorts = { places, openHistory: () => new StoredHistory(ledgerPath) };
const running = new Map<number, AbortController>();
const say = (message: FromStudy) => parentPort?.postMessage(message);

parentPort?.on("message", (message: ToStudy) => {
  if ("cancel" in message) running.get(message.cancel)?.abort();
  else void answer(message);
});

async function answer(message: Exclude<ToStudy, { cancel: number }>): Promise<void> {
  const { id } = message;
  const stop = new AbortController();
  running.set(id, stop);
  try {
    say({ id, value: await carryOut(message, stop.signal) });
  } catch (error) {
    if (EarshotError.is(error)) say({ id, problem: error.problem });
    else say({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    running.delete(id);
  }
}

function carryOut({ question, given }: Exclude<ToStudy, { cancel: number }>, signal: AbortSignal): unknown {
  switch (question) {
    case "check":
      return checkText(given);
    case "explain":
      return explainAsked(given, ports);
    case "tryOut":
      return tryText(given, ports, signal);
  }
}
