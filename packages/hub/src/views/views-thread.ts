import { parentPort, workerData } from "node:worker_threads";
import { EarshotError } from "@earshot/protocol";
import { openHistoryAt } from "../ledger/open-ledger.ts";
import { lowerThreadPriority } from "../start-thread.ts";
import { ViewEngine } from "./view-engine.ts";
import { viewsUnavailable } from "./views.ts";
import { askEngine, type EngineMethod, type FromWorker, type ToWorker, type WorkerTask } from "./views-worker.ts";

lowerThreadPriority();
const post = (message: FromWorker) => parentPort?.postMessage(message);
const { path, ledgerAt, thresholds } = workerData as WorkerTask;
const ledger = await openHistoryAt(ledgerAt);
const engine = new ViewEngine({
  path,
  ledger,
  thresholds,
  log: (log) => post({ log }),
  onState: (state, news) => post({ state, news }),
  onLoss: (loss) => post({ loss }),
  onDamage: end,
});
const begun = engine.begin();

parentPort?.on("message", (message: ToWorker) => void handle(message));
await begun;

async function handle(message: ToWorker): Promise<void> {
  await begun;
  if ("follow" in message) engine.follow(message.follow);
  else if ("method" in message) await answer(message.id, message.method, message.given);
  else {
    await engine.close();
    end();
  }
}

function end(): void {
  void ledger[Symbol.asyncDispose]();
  parentPort?.close();
}

async function answer(id: number, method: EngineMethod, given: readonly unknown[]): Promise<void> {
  try {
    post({ id, value: await askEngine(engine, method, given) });
  } catch (error) {
    const { problem } = EarshotError.is(error) ? error : viewsUnavailable("The session views could not answer.", error);
    post({ id, problem });
  }
}
