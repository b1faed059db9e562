import { isAscii, isUtf8 } from "node:buffer";
import { HeldBytes, refusedHeadOf, type SplitterSink, tooLarge } from "./held-bytes.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface LineSplitterOptions {
  /** Maximum line length without its line break. */
  readonly maxBytes: number;
}

/** JSONL: one object per line, empty lines ignored. An invalid line does not affect the others. */
export class LineSplitter {
  readonly #sink: SplitterSink;
  readonly #maxBytes: number;
  readonly #held: HeldBytes;
  #line = 1;

  constructor(sink: SplitterSink, { maxBytes }: LineSplitterOptions) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
    // One more than the limit, because the last byte may belong to a CRLF.
    this.#held = new HeldBytes(maxBytes + 1);
  }

  /** Size of the incomplete line. */
  get heldBytes(): number {
    return this.#held.bytes.length;
  }

  write(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(NEWLINE);
    if (end >= 0 && this.#held.sizeBytes > 0) {
      this.#held.add(chunk.subarray(0, end));
      this.#flush();
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    if (end >= 0) {
      // One check of the chunk decides how its lines are decoded: ASCII needs no decoding.
      const ascii = isAscii(chunk);
      for (; end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        this.#emit(chunk, start, end, ascii);
        start = end + 1;
      }
    }
    if (start < chunk.length) this.#held.add(chunk.subarray(start));
  }

  end(): void {
    if (this.#held.sizeBytes > 0) this.#flush();
  }

  #flush(): void {
    const { bytes, sizeBytes } = this.#held;
    if (this.#held.isOverLimit) this.#sink.refuse(tooLarge("line", this.#maxBytes), this.#line++, refusedHeadOf(bytes), sizeBytes);
    else this.#emit(bytes, 0, bytes.length, isAscii(bytes));
    this.#held.clear();
  }

  #emit(bytes: Buffer, start: number, end: number, ascii: boolean): void {
    const line = this.#line++;
    // Measured before trimming, so that the result does not depend on chunk borders.
    const sizeBytes = end - start;
    if (sizeBytes > this.#maxBytes && (sizeBytes > this.#maxBytes + 1 || bytes[end - 1] !== RETURN)) {
      this.#sink.refuse(tooLarge("line", this.#maxBytes), line, refusedHeadOf(bytes.subarray(start, end)), sizeBytes);
      return;
    }
    let first = start;
    let last = end;
    while (last > first && isBlank(bytes[last - 1])) last--;
    while (first < last && isBlank(bytes[first])) first++;
    if (last === first) return;
    if (ascii) {
      this.#sink.handle(bytes.toString("latin1", first, last), line, last - first);
      return;
    }
    const text = bytes.subarray(first, last);
    if (!isUtf8(text)) {
      this.#sink.refuse({ code: "NOT_UTF8", message: "The line is not UTF-8 text." }, line, refusedHeadOf(text), last - first);
      return;
    }
    this.#sink.handle(bytes.toString("utf8", first, last), line, last - first);
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === RETURN;
}
