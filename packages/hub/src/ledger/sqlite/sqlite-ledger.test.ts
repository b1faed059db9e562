import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeLedger, type LedgerStore } from "../ledger.contract.ts";
import { openSqliteLedger } from "./open-ledger.ts";

describeLedger("the ledger on SQLite", async (): Promise<LedgerStore> => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  return {
    open: async (lifecycle) => openSqliteLedger(join(folder, "ledger.db"), { lifecycle, now: () => Date.UTC(2026, 0, 2) }),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
});
