import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { EarshotError } from "@earshot/protocol";
import { askEngine, type EngineMethod, type EngineTask, type FromEngine, type ToEngine } from "./engine-host.ts";
import { openLedgerReading } from "./ledger-reading.ts";
import { ViewEngine } from "./view-engine.ts";
import { viewsUnavailable } from "./views-unavailable.ts";

/** Those who speak come first. On Linux a priority is a thread's own; elsewhere it would be that of the whole hub. */
if (process.platform === "linux") {
  try {
    setPriority(0, 10);
  } catch {
    // Some sandboxes forbid it: then all are equal.
  }
}

const say = (message: FromEngine) => parentPort?.postMessage(message);
const { path, ledgerPath, thresholds } = workerData as EngineTask;
const ledger = openLedgerReading(ledgerPath);
const engine = new ViewEngine({
  path,
  ledger,
  thresholds,
  log: (log) => say({ log }),
  onState: (state, news) => say({ state, news }),
});
const begun = engine.begin();

parentPort?.on("message", (message: ToEngine) => void hear(message));
await begun;

async function hear(message: ToEngine): Promise<void> {
  await begun;
  if ("follow" in message) engine.follow(...message.follow);
  else if ("method" in message) await answer(message.id, message.method, message.given);
  else {
    await engine.close();
    ledger.close();
    parentPort?.close();
  }
}

async function answer(id: number, method: EngineMethod, given: readonly unknown[]): Promise<void> {
  try {
    say({ id, value: await askEngine(engine, method, given) });
  } catch (error) {
    const { problem } = EarshotError.is(error) ? error : viewsUnavailable("The session views could not answer.", error);
    say({ id, problem });
  }
}
