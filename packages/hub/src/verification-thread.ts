import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
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
    const { completeSealFile, copyLedgerToFile } = await import("./ledger/postgres/copy-ledger.ts");
    const file = join(draft, "ledger.db");
    const sealFile = join(draft, SEAL_FILE);
    // This hub and others go on signing: its file is compared as it was before, completed with what the others signed.
    if (existsSync(join(folder, SEAL_FILE))) copyFileSync(join(folder, SEAL_FILE), sealFile);
    await copyLedgerToFile(location, file, () => {});
    completeSealFile(sealFile, file);
    return verifyFile(file, sealFile);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function verifyFile(path: string, sealFile = join(folder, SEAL_FILE)): Verification {
  return verifyLedger(path, {
    publicKey: readPublicSealKey(folder),
    sealFile,
    isCopy,
    onProgress: (progress) => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      say({ progress });
    },
    ...(session === undefined ? {} : { session }),
  });
}
