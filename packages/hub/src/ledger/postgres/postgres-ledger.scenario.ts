import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../tools/postgres.ts";
import { describeLedger, type LedgerStore } from "../ledger.contract.ts";
import { openPostgresLedger } from "./open-ledger.ts";

let server: TestPostgres;
let databases = 0;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const createStore = async (): Promise<LedgerStore> => {
  databases++;
  const folder = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  const address = await server.createDatabase(`ledger_${databases}`);
  return {
    open: async (lifecycle) => openPostgresLedger({ address, folder, lifecycle, now: () => Date.UTC(2026, 0, 2) }),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
};

describeLedger("the ledger on PostgreSQL", createStore, { givesRoomBack: false });
