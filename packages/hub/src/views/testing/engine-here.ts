import { askEngine, type EngineHost, EngineLost, type EngineMethod, type StartEngine } from "../engine-host.ts";
import { type LedgerReading, openLedgerReading } from "../ledger-reading.ts";
import { ViewEngine } from "../view-engine.ts";

/** Runs the engine in this thread: what it folds is the same, and a test may start hundreds of them. */
export function startEngineHere(given?: LedgerReading): StartEngine {
  return ({ path, ledgerPath, thresholds }, { onState, log }) => {
    const opened = given === undefined ? openLedgerReading(ledgerPath) : undefined;
    const ledger = given ?? opened;
    if (ledger === undefined) throw new Error("There is no ledger.");
    const engine = new ViewEngine({ path, ledger, thresholds, log, onState });
    const begun = engine.begin();
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    let isClosed = false;
    const ask = async (method: EngineMethod, ...given: readonly unknown[]) => {
      await begun;
      if (isClosed) throw new EngineLost("It was closed.");
      return structuredClone(await askEngine(engine, method, structuredClone(given)));
    };
    return {
      gone,
      ask: ask as EngineHost["ask"],
      follow: (head, wanted) => void begun.then(() => engine.follow(head, wanted)),
      async close() {
        await begun;
        isClosed = true;
        await engine.close();
        opened?.close();
        leave();
      },
    };
  };
}
