import type { Problem } from "@earshot/protocol";

const NOTHING = Buffer.alloc(0);
/** A larger buffer is released after its event; a smaller one is reused. */
const REUSED_BYTES = 64 * 1024;

/**
 * The beginning of an incomplete item. Parts are copied into one growing buffer: a list of parts would cost a hundred bytes each, so a
 * peer sending single bytes could exceed the limit a hundredfold. Above the limit only the head is kept and the rest is counted.
 */
export class HeldBytes {
  readonly #limitBytes: number;
  #buffer: Buffer = NOTHING;
  #keptBytes = 0;
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Total size added, kept or not. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get isOverLimit(): boolean {
    return this.#sizeBytes > this.#limitBytes;
  }

  /** The kept bytes, valid until the next `add` or `clear`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#keptBytes);
  }

  add(part: Buffer): void {
    this.#sizeBytes += part.length;
    if (this.isOverLimit && this.#keptBytes > REFUSED_HEAD_BYTES) {
      this.#buffer = refusedHeadOf(this.#buffer);
      this.#keptBytes = REFUSED_HEAD_BYTES;
    }
    const mostBytes = this.isOverLimit ? REFUSED_HEAD_BYTES : this.#limitBytes;
    const end = Math.min(this.#keptBytes + part.length, mostBytes);
    if (end <= this.#keptBytes) return;
    if (end > this.#buffer.length) this.#grow(end);
    part.copy(this.#buffer, this.#keptBytes, 0, end - this.#keptBytes);
    this.#keptBytes = end;
  }

  clear(): void {
    this.#keptBytes = 0;
    this.#sizeBytes = 0;
    if (this.#buffer.length > REUSED_BYTES) this.#buffer = NOTHING;
  }

  /** Doubles, so that copying stays proportional to the input, but never far above the limit. */
  #grow(neededBytes: number): void {
    const doubled = Math.min(this.#buffer.length * 2, this.#limitBytes);
    const grown = Buffer.allocUnsafeSlow(Math.max(neededBytes, doubled, REFUSED_HEAD_BYTES));
    this.#buffer.copy(grown, 0, 0, this.#keptBytes);
    this.#buffer = grown;
  }
}

/**
 * Receives a splitter's results in order: each event as text with its first line, or why it cannot be read. A refusal includes the first
 * bytes for the log of refused events, and the whole size; `head` is a copy, so keeping it does not keep the chunk.
 */
export interface SplitterSink {
  handle(text: string, line: number, sizeBytes: number): void;
  refuse(problem: Problem, line: number, head: Buffer, sizeBytes: number): void;
}

/** How much of a refused item is passed on: enough to recognize it, too little to fill a disk. */
export const REFUSED_HEAD_BYTES = 4096;

export function refusedHeadOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, REFUSED_HEAD_BYTES));
}

export function tooLarge(what: string, maxBytes: number): Problem {
  return { code: "TOO_LARGE", message: `The ${what} has more than ${maxBytes.toLocaleString("en")} bytes.` };
}
