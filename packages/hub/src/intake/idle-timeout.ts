import { EarshotError } from "@earshot/protocol";

/** Calls back once after the delay, unless the function it returns is called first. */
export type StartTimer = (callback: () => void, delayMs: number) => () => void;

/**
 * The same chunks, but a wait of `idleMs` for the next one ends in BODY_TIMEOUT. Only waiting counts: while the consumer
 * works, no timer runs. The stream is not destroyed then, because whoever sent it must still be answered.
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
    // A failure after the timeout ends here too: nobody else listens any more.
    promise.finally(cancel).then(resolve, reject);
  });
}

/** A timer that comes this much too late was not waiting: the process or the machine stood still. */
const LATE_MS = 2000;

/**
 * Keeps no process alive: as long as bytes may come there is a connection that does. After sleep it begins anew, since timers
 * run before what has arrived meanwhile is read.
 */
export function startNodeTimer(callback: () => void, delayMs: number): () => void {
  const due = performance.now() + delayMs + LATE_MS;
  let cancel = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    if (performance.now() < due) callback();
    else cancel = startNodeTimer(callback, delayMs);
  }, delayMs).unref();
  return () => cancel();
}
