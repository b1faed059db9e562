import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { EarshotError } from "@earshot/protocol";
import { isPostgresAddress } from "./ledger/open-ledger.ts";
import { readPublicSealKey } from "./ledger/seal-key.ts";
import { SEAL_FILE } from "./ledger/sqlite/open-ledger.ts";
import { type Verification, verifyLedger } from "./ledger/verify.ts";
import type { VerificationMessage, VerificationTask } from "./verification.ts";

const TELL_EVERY_MS = 200;

const { location, folder, session, isCopy } = workerData as VerificationTask;
const say = (message: VerificationMessage) => parentPort?.postMessage(message);
let toldAt = performance.now();
try {
  say({ result: isPostgresAddress(location) ? await verifyDatabase() : verifyFile(location) });
} catch (error) {
  if (!EarshotError.is(error)) throw error;
  say({ problem: error.problem });
}

/** Copies the ledger into a file and verifies that: one verifier serves both kinds of store. */
async function verifyDatabase(): Promise<Verification> {
  const draft = mkdtempSync(join(folder, "verify-"));
  try {
    const { copyLedgerToFile } = await import("./ledger/postgres/copy-ledger.ts");
    const file = join(draft, "ledger.db");
    await copyLedgerToFile(location, file, () => {});
    return verifyFile(file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function verifyFile(path: string): Verification {
  return verifyLedger(path, {
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
}
