import { parentPort, workerData } from "node:worker_threads";
import { tidyMemorySoon } from "../../tidy-memory.ts";
import { toLedgerFailure } from "./failures.ts";
import { openDesk } from "./open-desk.ts";
import { reasonOf } from "./sqlite-error.ts";
import type { FromScribe, ToScribe } from "./threaded-scribe.ts";

/** The scribe in a thread of his own: says what became of everything he was asked. */
const { path, sealEveryMs } = workerData as { readonly path: string; readonly sealEveryMs: number };
const say = (message: FromScribe) => parentPort?.postMessage(message);
const desk = openDesk(path, { now: Date.now, sealEveryMs, onFailure: (error) => say({ failure: reasonOf(error) }) });
void desk.resumed.then(() => say({ resumed: true }));

let drafts = 0;
let seen = 0;
const hasWritten = () => {
  const before = seen;
  seen = drafts;
  return seen !== before;
};
tidyMemorySoon(hasWritten); // each thread has a nursery of its own

parentPort?.on("message", (message: ToScribe) => {
  if ("draft" in message) {
    drafts++;
    void desk.write(message.draft).then((written) => say({ written }));
  } else if ("heed" in message) desk.heedOthers();
  else if ("removal" in message) {
    const { task } = message;
    desk
      .remove(message.removal, () => say({ begun: task }))
      .then(
        (count) => say({ removed: task, count }),
        (error: unknown) => say({ notRemoved: task, problem: toLedgerFailure(error).problem, cause: reasonOf(error) }),
      );
  } else {
    void desk.close().finally(() => {
      say({ closed: true });
      parentPort?.close();
    });
  }
});
