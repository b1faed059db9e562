import { StoredHistory } from "../../ledger/sqlite/stored-history.ts";
import type { LedgerReading } from "../ledger-reading.ts";
import { ViewEngine } from "../view-engine.ts";
import { askEngine, type EngineMethod, type StartViewsWorker, unreadableViewsError, type ViewsWorker } from "../views-worker.ts";

/** Runs the engine in this thread: it folds the same, and a test may start hundreds. */
export function startWorkerHere(given?: LedgerReading): StartViewsWorker {
  return ({ path, ledgerAt, thresholds }, { onState, onLoss, log }) => {
    const opened = given === undefined ? new StoredHistory(ledgerAt) : undefined;
    const ledger = given ?? opened;
    if (ledger === undefined) throw new Error("There is no ledger.");
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let hasEnded = false;
    const leave = () => {
      hasEnded = true;
      void opened?.[Symbol.asyncDispose]();
      end();
    };
    let engine: ViewEngine | undefined;
    const begun = (async () => {
      engine = new ViewEngine({ path, ledger, thresholds, log, onState, onLoss, onDamage: leave });
      await engine.begin();
    })().catch((error: unknown) => {
      log(String(error));
      leave();
    });
    const ask = async (method: EngineMethod, ...given: readonly unknown[]) => {
      await begun;
      if (hasEnded || engine === undefined) throw unreadableViewsError();
      return structuredClone(await askEngine(engine, method, structuredClone(given)));
    };
    return {
      ended,
      ask: ask as ViewsWorker["ask"],
      follow: (head) => void begun.then(() => engine?.follow(head)),
      async close() {
        await begun;
        await engine?.close();
        if (!hasEnded) leave();
      },
    };
  };
}
