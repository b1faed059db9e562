import { EarshotError } from "@earshot/protocol";

/** Calls back once after the delay, unless the returned function is called first. */
export type StartTimer = (callback: () => void, delayMs: number) => () => void;

/**
 * Passes on chunks, but throws BODY_TIMEOUT after waiting `idleMs` for the next one. No timer runs while the consumer works. The stream
 * is not destroyed, because its sender must still be answered.
 */
export async function* withIdleTimeout<Chunk>(
  stream: AsyncIterable<Chunk>,
  idleMs: number,
  startTimer: StartTimer = startNodeTimer,
): AsyncGenerator<Chunk, void, undefined> {
  const iterator = stream[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      isOver = true; // unless `next` gives a chunk: after its end or failure, and while it is pending, nothing is left to close
      const next = await settledWithin(iterator.next(), idleMs, startTimer);
      if (next.done === true) return;
      isOver = false;
      yield next.value;
    }
  } finally {
    if (!isOver) await iterator.return?.();
  }
}

function settledWithin<Value>(promise: Promise<Value>, idleMs: number, startTimer: StartTimer): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = startTimer(() => {
      const seconds = (idleMs / 1000).toLocaleString("en");
      reject(new EarshotError({ code: "BODY_TIMEOUT", message: `No bytes arrived for ${seconds} s, and the body is not complete.` }));
    }, idleMs);
    // Handles a failure after the timeout, which nobody else awaits.
    promise.finally(cancel).then(resolve, reject);
  });
}

/** A timer this late was suspended together with the process or machine. */
const LATE_MS = 2000;

/** Does not keep the process alive. Restarts after sleep, because timers run before the data that arrived meanwhile is read. */
export function startNodeTimer(callback: () => void, delayMs: number): () => void {
  const due = performance.now() + delayMs + LATE_MS;
  let cancel = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    if (performance.now() < due) callback();
    else cancel = startNodeTimer(callback, delayMs);
  }, delayMs).unref();
  return () => cancel();
}
