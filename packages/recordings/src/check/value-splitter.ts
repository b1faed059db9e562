import { isAscii } from "node:buffer";
import { decodeUtf8, HeldBytes, refusedHeadOf, type SplitterSink, tooLarge } from "@earshot/hub/splitters";
import type { Problem } from "@earshot/protocol";

const NOTHING = Buffer.alloc(0);
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface ValueSplitterOptions {
  /** Maximum size of a value. */
  readonly maxBytes: number;
}

/** The tokens permitted next between the values of an array. */
type Expected = "opening" | "first" | "value" | "separator" | "nothing";

/**
 * Splits a JSON array, or values over several lines, into its values without parsing: it counts brackets outside strings byte by byte and
 * decodes each value separately. It reports a missing comma, an unterminated value and content after the array, and continues with the
 * next apparent value. A value is cut off where a string contains a line break or a line begins at the indentation of values; this is a
 * heuristic.
 */
export class ValueSplitter {
  readonly #sink: SplitterSink;
  readonly #isArray: boolean;
  readonly #maxBytes: number;
  readonly #held: HeldBytes;
  #expected: Expected;
  #line = 1;
  /** Number of whitespace bytes since the last line break, or -1 after another byte on this line. */
  #indent = 0;
  /** The indentation of values, once a value has begun a line. */
  #valueIndent = -1;
  #valueLine = 0;
  #kind: "none" | "brackets" | "string" | "word" = "none";
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether the current chunk is ASCII; computed on first use. */
  #isAsciiChunk: boolean | undefined;

  constructor(layout: "array" | "values", sink: SplitterSink, { maxBytes }: ValueSplitterOptions) {
    this.#sink = sink;
    this.#isArray = layout === "array";
    this.#maxBytes = maxBytes;
    this.#held = new HeldBytes(maxBytes);
    this.#expected = this.#isArray ? "opening" : "value";
  }

  write(chunk: Buffer): void {
    this.#isAsciiChunk = undefined;
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      const isSpace = byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NEWLINE;
      if (this.#kind !== "none" && this.#isCutBefore(byte)) {
        this.#held.add(chunk.subarray(start, index));
        this.#cutOff();
      }
      if (this.#kind === "word") {
        if (isSpace || byte === COMMA || byte === CLOSE_ARRAY || byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
          this.#finish(chunk, start, index);
        }
      } else if (this.#kind !== "none" && this.#endsWith(byte)) {
        this.#finish(chunk, start, index + 1);
        this.#indent = -1;
        continue;
      }
      if (this.#kind === "none" && !isSpace) {
        start = index;
        this.#begin(byte);
      }
      if (byte === NEWLINE) {
        this.#line++;
        this.#indent = 0;
      } else if (this.#indent >= 0) {
        this.#indent = isSpace ? this.#indent + 1 : -1;
      }
    }
    if (this.#kind !== "none") this.#held.add(chunk.subarray(start));
  }

  end(): void {
    const isCut = this.#kind === "brackets" || this.#kind === "string";
    if (isCut) this.#cutOff();
    else if (this.#kind === "word") this.#finish(NOTHING, 0, 0);
    if (this.#isArray && this.#expected !== "nothing" && !isCut) this.#refuse("The array has no end.", this.#line);
  }

  /** Whether the current value is broken: JSON strings contain no line breaks, and no inner line begins at the indentation of values. */
  #isCutBefore(byte: number): boolean {
    if (this.#inString) return byte === NEWLINE;
    return (
      byte === OPEN_OBJECT &&
      this.#kind === "brackets" &&
      this.#indent >= 0 &&
      this.#indent === this.#valueIndent &&
      this.#line > this.#valueLine
    );
  }

  #begin(byte: number): void {
    if (this.#isArray) {
      if (this.#punctuation(byte)) return;
      if (this.#expected === "separator") this.#refuse("A comma is missing before this value.", this.#line);
      if (this.#expected === "nothing") this.#refuse("The array has ended before this value.", this.#line);
    }
    if (this.#indent >= 0 && this.#valueIndent < 0 && byte === OPEN_OBJECT) this.#valueIndent = this.#indent;
    this.#valueLine = this.#line;
    this.#inString = byte === QUOTE;
    this.#escaped = false;
    this.#depth = byte === OPEN_OBJECT || byte === OPEN_ARRAY ? 1 : 0;
    this.#kind = this.#depth > 0 ? "brackets" : this.#inString ? "string" : "word";
  }

  /** Handles the array's own brackets and commas; true if the byte was one of them. */
  #punctuation(byte: number): boolean {
    if (byte === OPEN_ARRAY && this.#expected === "opening") {
      this.#expected = "first";
      return true;
    }
    if (byte === COMMA) {
      if (this.#expected !== "separator") this.#refuse("A comma does not belong here.", this.#line);
      this.#expected = "value";
      return true;
    }
    if (byte === CLOSE_ARRAY) {
      if (this.#expected === "value") this.#refuse("A comma stands before the end of the array.", this.#line);
      else if (this.#expected === "nothing") this.#refuse("The array has ended already.", this.#line);
      this.#expected = "nothing";
      return true;
    }
    return false;
  }

  #endsWith(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        return this.#kind === "string";
      }
      return false;
    }
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
    return this.#depth === 0;
  }

  /** Ends the value with these bytes of the chunk. They are the whole value unless it began in an earlier chunk. */
  #finish(chunk: Buffer, start: number, end: number): void {
    const isWhole = this.#held.sizeBytes === 0;
    // One check of the whole chunk selects the conversion: ASCII needs no decoding.
    if (isWhole) this.#isAsciiChunk ??= isAscii(chunk);
    if (isWhole && this.#isAsciiChunk === true && end - start <= this.#maxBytes) {
      this.#sink.handle(chunk.toString("latin1", start, end), this.#valueLine, end - start);
    } else {
      this.#finishSlowly(chunk.subarray(start, end));
    }
    this.#leave();
  }

  #finishSlowly(last: Buffer): void {
    let bytes = last;
    let { sizeBytes } = this.#held;
    if (sizeBytes > 0) {
      this.#held.add(last);
      bytes = this.#held.bytes;
    }
    sizeBytes += last.length;
    const text = sizeBytes > this.#maxBytes ? undefined : decodeUtf8(bytes);
    if (text !== undefined) {
      this.#sink.handle(text, this.#valueLine, sizeBytes);
      return;
    }
    const problem: Problem =
      sizeBytes > this.#maxBytes ? tooLarge("event", this.#maxBytes) : { code: "NOT_UTF8", message: "The event is not UTF-8 text." };
    this.#sink.refuse(problem, this.#valueLine, refusedHeadOf(bytes), sizeBytes);
  }

  #cutOff(): void {
    const { bytes, sizeBytes } = this.#held;
    this.#refuse("The event is cut off: it has no end.", this.#valueLine, refusedHeadOf(bytes), sizeBytes);
    this.#leave();
    // The separator before the next value was cut off as well.
    if (this.#isArray) this.#expected = "value";
  }

  #leave(): void {
    this.#kind = "none";
    this.#inString = false;
    this.#depth = 0;
    this.#held.clear();
    if (this.#isArray && this.#expected !== "nothing") this.#expected = "separator";
  }

  #refuse(message: string, line: number, head: Buffer = NOTHING, sizeBytes = 0): void {
    this.#sink.refuse({ code: "NOT_JSON", message }, line, head, sizeBytes);
  }
}
