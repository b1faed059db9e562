import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { EarshotError } from "@earshot/protocol";
import { readPublicSealKey } from "./ledger/seal-key.ts";
import { SEAL_FILE } from "./ledger/sqlite/open-ledger.ts";
import { verifyLedger } from "./ledger/verify.ts";
import type { VerificationMessage, VerificationTask } from "./verification.ts";

const TELL_EVERY_MS = 200;

const { path, session, isCopy } = workerData as VerificationTask;
const say = (message: VerificationMessage) => parentPort?.postMessage(message);
let toldAt = performance.now();
try {
  const folder = dirname(path);
  const result = verifyLedger(path, {
    publicKey: readPublicSealKey(folder),
    sealFile: join(folder, SEAL_FILE),
    isCopy,
    onProgress: (progress) => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      say({ progress });
    },
    ...(session === undefined ? {} : { session }),
  });
  say({ result });
} catch (error) {
  if (!EarshotError.is(error)) throw error;
  say({ problem: error.problem });
}
