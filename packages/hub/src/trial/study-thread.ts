import { parentPort, workerData } from "node:worker_threads";
import { EarshotError } from "@earshot/protocol";
import { openHistoryAt } from "../ledger/open-ledger.ts";
import { lowerThreadPriority } from "../start-thread.ts";
import { answerQuestion } from "./rule-study.ts";
import type { TrialAnswer, TrialQuestion, TrialTask } from "./rule-trials.ts";

lowerThreadPriority();
const { places, ledgerAt } = workerData as TrialTask;
const ports = { places, openHistory: () => openHistoryAt(ledgerAt) };

parentPort?.on("message", async ({ question, given }: TrialQuestion) => {
  parentPort?.postMessage(await answer(question, given));
});

async function answer(question: TrialQuestion["question"], given: TrialQuestion["given"]): Promise<TrialAnswer> {
  try {
    return { value: await answerQuestion(question, given, ports) };
  } catch (error) {
    if (EarshotError.is(error)) return { problem: error.problem };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
