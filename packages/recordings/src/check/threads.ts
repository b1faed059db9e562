import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DEFAULT_ID_CAPACITY } from "@earshot/protocol";
import type { CheckFileOptions, CheckProgress, FileOutcome } from "./check-file.ts";

/** The input and the messages of a thread. */
export interface ThreadTask {
  readonly file: string;
  readonly options: CheckFileOptions;
}
export type ThreadMessage = { readonly bytes: number } | { readonly outcome: FileOutcome };

/** Checks files in parallel, one thread per core, and returns the outcomes in file order. */
export async function checkInThreads(files: readonly string[], options: CheckFileOptions, progress: CheckProgress): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  let next = 0;
  const threads = Math.min(availableParallelism(), files.length);
  const shared = { ...options, idCapacity: Math.floor(DEFAULT_ID_CAPACITY / threads) };
  const work = async () => {
    for (let index = next++; index < files.length; index = next++) {
      outcomes[index] = await checkInThread({ file: files[index] as string, options: shared }, progress);
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  return outcomes;
}

const isSource = import.meta.url.endsWith(".ts");

function checkInThread(task: ThreadTask, progress: CheckProgress): Promise<FileOutcome> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(isSource ? "./thread.ts" : "./thread.js", import.meta.url), {
      workerData: task,
      execArgv: [],
      // Events live for microseconds: a small young generation is as fast and keeps total memory within a few hundred megabytes.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
    worker.on("message", (message: ThreadMessage) => {
      if ("outcome" in message) resolve(message.outcome);
      else progress(task.file, message.bytes);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`A checking thread ended with ${code}.`)));
  });
}
