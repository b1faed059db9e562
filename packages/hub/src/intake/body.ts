import { type Batch, BOM, BodySplitter, type BodySplitterOptions, OPEN_ARRAY, startsWithBom } from "./body-splitter.ts";
import { type StartTimer, withIdleTimeout } from "./idle-timeout.ts";
import { type Piece, skipSpace, toPiece } from "./piece.ts";

export interface BodyOptions extends BodySplitterOptions {
  /** Fail with BODY_TIMEOUT when no bytes arrive for this long; otherwise wait for as long as the connection lives. */
  readonly idleMs?: number;
  readonly startTimer?: StartTimer;
  /**
   * How long a batch that is not full waits for more when the sender pauses. 0, as when left out: until the event loop has
   * looked at its sockets once more.
   */
  readonly patienceMs?: number;
}

/** Chunks are cut to this size, so that one huge chunk does not become a huge number of pieces at once. */
const SLICE_BYTES = 64 * 1024;

/**
 * Reads the body of a request in bounded memory: a batch, a chunk and the longest event allowed. While the consumer works
 * on a batch it stops reading; at most one chunk that was already asked for may arrive. Every body gives at least one piece,
 * an empty one a refusal. A batch that is not full is handed over when the sender pauses, so a stream that stays open for
 * hours is heard as it speaks. When the stream fails, what had arrived completely is handed over first, then the failure is
 * thrown.
 */
export async function* readBody(body: AsyncIterable<Buffer>, options: BodyOptions): AsyncGenerator<Batch, void, undefined> {
  const splitter = new BodySplitter(options);
  const source = options.idleMs === undefined ? body : withIdleTimeout(body, options.idleMs, options.startTimer);
  const iterator = source[Symbol.asyncIterator]();
  const { patienceMs = 0 } = options;
  let state: "reading" | "consuming" | "ended" = "consuming";
  try {
    for (;;) {
      state = "reading";
      const reading = iterator.next();
      if (splitter.hasRest && !(await isReady(reading, patienceMs))) yield splitter.takeRest();
      const next = await reading;
      if (next.done === true) break;
      state = "consuming";
      for (let start = 0; start < next.value.length; start += SLICE_BYTES) {
        splitter.write(next.value.subarray(start, start + SLICE_BYTES));
        for (let batch = splitter.takeFull(); batch !== undefined; batch = splitter.takeFull()) yield batch;
      }
    }
    state = "ended";
    splitter.end();
    for (let batch = splitter.takeFull(); batch !== undefined; batch = splitter.takeFull()) yield batch;
    if (splitter.hasRest) yield splitter.takeRest();
  } finally {
    // A consumer that leaves early closes the stream, as `for await` would. With a read under way that could take for
    // ever, since a generator only closes after it; then it is left to whoever owns the stream.
    if (state === "consuming") await iterator.return?.();
  }
}

/**
 * The short way for by far the most common request, one event that arrived as one chunk: no generator, no copy but the
 * text. Undefined when the body is an array; otherwise the same piece that `readBody` would give.
 */
export function readSingle(chunk: Buffer, maxEventBytes: number): Piece | undefined {
  const first = skipSpace(chunk, startsWithBom(chunk) ? BOM.length : 0);
  if (chunk[first] === OPEN_ARRAY) return undefined;
  return toPiece(chunk, first, maxEventBytes);
}

/**
 * Whether a read has succeeded by the time the event loop has looked at its sockets once more, or patience has run out. It
 * also takes care of a failure that comes while the consumer is busy: it is thrown when the read is awaited, not as an
 * unhandled rejection.
 */
function isReady(reading: Promise<unknown>, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = patienceMs === 0 ? undefined : setTimeout(() => resolve(false), patienceMs);
    if (timer === undefined) setImmediate(() => resolve(false));
    const answer = (isThere: boolean) => {
      clearTimeout(timer);
      resolve(isThere);
    };
    reading.then(
      () => answer(true),
      () => answer(false),
    );
  });
}
