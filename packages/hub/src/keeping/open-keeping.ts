import { EarshotError } from "@earshot/protocol";
import type { HubHome } from "../home.ts";
import { createLifecycle } from "../intake/lifecycle.ts";
import { takeLock } from "../ledger/lock.ts";
import { isPostgresAddress, openLedger } from "../ledger/open-ledger.ts";
import { inspectLedgerFile } from "../ledger/sqlite/open-file.ts";
import { openViews } from "../views/open-views.ts";
import type { KeptStore } from "./prune.ts";

const KEEP_ALIVE_MS = 60_000;

/** Opens the ledger at a location for pruning and erasing while no hub runs, under the hub's lock, so that none can start meanwhile. */
export async function openKeeping(home: HubHome, location: string, log: (line: string) => void): Promise<KeptStore & AsyncDisposable> {
  if (!isPostgresAddress(location) && inspectLedgerFile(location) === undefined) {
    throw new EarshotError({ code: "NOT_FOUND", message: `There is no ledger at ${location}.`, hint: "earshot start makes one." });
  }
  await using open = new AsyncDisposableStack();
  const lock = takeLock(home.ledger, { pid: process.pid, started: new Date().toISOString() });
  open.defer(() => lock.release());
  const lifecycle = createLifecycle({ strict: false });
  const onFailure = (error: unknown) => log(error instanceof Error ? error.message : String(error));
  const ledger = open.use(await openLedger(location, home.folder, { lifecycle, now: Date.now, onFailure }));
  const views = open.use(await openViews({ path: home.views, ledger, ledgerAt: location, now: Date.now, log }));
  // The timers of ledger and views do not keep the process alive; in a hub, its port does.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  open.defer(() => clearInterval(alive));
  const parts = open.move();
  return { ledger, views, now: Date.now, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
