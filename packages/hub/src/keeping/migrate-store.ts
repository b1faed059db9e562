import { EarshotError } from "@earshot/protocol";
import type { HubHome } from "../home.ts";
import { createLifecycle } from "../intake/lifecycle.ts";
import { takeLock } from "../ledger/lock.ts";
import { openSealKey } from "../ledger/seal-key.ts";
import { inspectLedgerFile } from "../ledger/sqlite/open-file.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { type VerificationStep, watchVerification } from "../verification.ts";
import { type BackupStep, reportCopying } from "./backup.ts";

/**
 * Copies the ledger of a home from its file into a PostgreSQL database, and verifies both: the file before, the database after. No hub may
 * run meanwhile. The file stays as it is. When it is interrupted, the next run goes on where it was.
 */
export async function* migrateStore(home: HubHome, address: string): AsyncGenerator<BackupStep> {
  if (inspectLedgerFile(home.ledger) === undefined) {
    throw new EarshotError({ code: "NOT_FOUND", message: `There is no ledger at ${home.ledger}, so there is nothing to copy.` });
  }
  const lock = takeLock(home.ledger, { pid: process.pid, started: new Date().toISOString() });
  try {
    // Opening it signs what has no signature yet.
    await openSqliteLedger(home.ledger, { lifecycle: createLifecycle({ strict: false }), now: Date.now }).close();
    if (!(yield* verify(home.ledger, home))) return;
    const { copyFileToDatabase } = await import("../ledger/postgres/migrate-ledger.ts");
    const publicKey = openSealKey(home.folder).publicKey.export({ type: "spki", format: "pem" }).toString();
    yield* reportCopying((onProgress) => copyFileToDatabase({ address, path: home.ledger, publicKey, onProgress }));
    yield* verify(address, home);
  } finally {
    lock.release();
  }
}

async function* verify(location: string, { folder }: HubHome): AsyncGenerator<VerificationStep, boolean> {
  let isGood = false;
  for await (const step of watchVerification(location, { folder })) {
    if ("result" in step) isGood = step.result.ok;
    yield step;
  }
  return isGood;
}
