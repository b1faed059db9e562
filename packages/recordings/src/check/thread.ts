import { parentPort, workerData } from "node:worker_threads";
import { checkRecordingFile } from "./check-file.ts";
import type { ThreadMessage, ThreadTask } from "./threads.ts";

const { file, options } = workerData as ThreadTask;
const say = (message: ThreadMessage) => parentPort?.postMessage(message);
const EVERY_BYTES = 4e6;
let told = 0;
const outcome = await checkRecordingFile(file, file, options, (bytes) => {
  if (bytes - told < EVERY_BYTES) return;
  told = bytes;
  say({ bytes });
});
say({ outcome });
