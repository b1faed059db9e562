import { LineSplitter } from "./line-splitter.ts";
import { EMPTY_BODY, type EventPiece, startsWithBom, toRefusal } from "./piece.ts";

export interface LinesOptions {
  readonly maxEventBytes: number;
  /** A batch ends with the piece that reaches either limit. */
  readonly batchEvents: number;
  readonly batchBytes: number;
  /** How long a partial batch waits for more data. Default 0: until the event loop has polled its sockets once more. */
  readonly patienceMs?: number;
  /** Called after each chunk with the size of the incomplete line. May throw. */
  readonly onHeld?: (bytes: number) => void;
}

/** Chunks are cut to this size to bound the number of pieces created at once. */
const SLICE_BYTES = 64 * 1024;
const BOM_BYTES = 3;

/**
 * Reads NDJSON in bounded memory: a batch, a chunk and the longest allowed event. Reading pauses while the consumer works on a batch; at
 * most one requested chunk may arrive meanwhile. A partial batch is returned when the sender pauses, so that a long-lived stream is
 * processed as it arrives. If the stream fails, complete lines are returned before the error is thrown. An empty body gives one refusal.
 */
export async function* readLines(
  body: AsyncIterable<Buffer>,
  options: LinesOptions,
): AsyncGenerator<readonly EventPiece[], void, undefined> {
  const { maxEventBytes, patienceMs = 0, onHeld } = options;
  const batches = new Batches(options);
  const splitter = new LineSplitter(batches, { maxBytes: maxEventBytes });
  const iterator = body[Symbol.asyncIterator]();
  let isOpen = true;
  let start: Buffer | undefined = Buffer.alloc(0); // may be a part of a byte order mark
  const write = (chunk: Buffer) => {
    if (start === undefined) return splitter.write(chunk);
    start = Buffer.concat([start, chunk]);
    if (start.length < BOM_BYTES) return;
    const rest = startsWithBom(start) ? start.subarray(BOM_BYTES) : start;
    start = undefined;
    splitter.write(rest);
  };
  try {
    for (;;) {
      isOpen = false; // a generator only closes after a read that is under way, which could take for ever
      const reading = iterator.next();
      if (batches.hasRest && !(await isReady(reading, patienceMs))) yield batches.takeRest();
      const next = await reading;
      if (next.done === true) break;
      isOpen = true;
      for (let from = 0; from < next.value.length; from += SLICE_BYTES) {
        write(next.value.subarray(from, from + SLICE_BYTES));
        yield* batches.takeFull();
      }
      onHeld?.(splitter.heldBytes);
    }
    if (start !== undefined) splitter.write(start);
    splitter.end();
    if (batches.isEmpty) yield [toRefusal(EMPTY_BODY)];
    yield* batches.takeFull();
    if (batches.hasRest) yield batches.takeRest();
  } finally {
    // A consumer that stops early closes the stream, like `for await`.
    if (isOpen) await iterator.return?.();
  }
}

class Batches {
  readonly #options: LinesOptions;
  #full: (readonly EventPiece[])[] = [];
  #pieces: EventPiece[] = [];
  #bytes = 0;
  isEmpty = true;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  get hasRest(): boolean {
    return this.#pieces.length > 0;
  }

  takeFull(): readonly (readonly EventPiece[])[] {
    return this.#full.splice(0);
  }

  takeRest(): readonly EventPiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#bytes = 0;
    return pieces;
  }

  handle(text: string, line: number, sizeBytes: number): void {
    this.#add({ line, text, sizeBytes }, sizeBytes);
  }

  refuse(problem: Extract<EventPiece, { problem: unknown }>["problem"], line: number, head: Buffer, sizeBytes: number): void {
    this.#add({ line, problem, head, sizeBytes }, head.length);
  }

  #add(piece: EventPiece, bytes: number): void {
    this.isEmpty = false;
    this.#pieces.push(piece);
    this.#bytes += bytes;
    if (this.#pieces.length >= this.#options.batchEvents || this.#bytes >= this.#options.batchBytes) this.#full.push(this.takeRest());
  }
}

/**
 * Whether a read has completed by the next poll of the event loop, or within `patienceMs`. A failure meanwhile is thrown when the read is
 * awaited, not as an unhandled rejection.
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
