import { isUtf8 } from "node:buffer";
import { JSON_LIMITS } from "@earshot/protocol";
import type { RecordingSink } from "./recording.ts";

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What may come next between the values of an array. */
type Expected = "opening" | "first" | "value" | "separator" | "nothing";

/**
 * Cuts a JSON array, or values laid out over several lines, into its values without parsing: it counts brackets outside
 * strings, byte by byte, and each value is decoded on its own. A value that is cut off does not hide the rest: a line
 * break inside a string, or a line that begins where values begin, ends it.
 */
export class ValueSplitter {
  readonly #sink: RecordingSink;
  readonly #isArray: boolean;
  #expected: Expected;
  #line = 1;
  /** Bytes since the last line break that were white space, or -1 once something else was seen on this line. */
  #indent = 0;
  /** The indentation at which values begin, once one has begun a line. */
  #valueIndent = -1;
  #parts: Buffer[] = [];
  #size = 0;
  #valueLine = 0;
  #kind: "none" | "brackets" | "string" | "word" = "none";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #overlong = false;

  constructor(layout: "array" | "values", sink: RecordingSink) {
    this.#sink = sink;
    this.#isArray = layout === "array";
    this.#expected = this.#isArray ? "opening" : "value";
  }

  write(chunk: Buffer): void {
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      const isSpace = byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NEWLINE;
      if (this.#kind !== "none" && this.#isCutBefore(byte)) {
        this.#add(chunk.subarray(start, index));
        this.#cutOff();
      }
      if (this.#kind === "none") {
        if (!isSpace) {
          start = index;
          this.#begin(byte);
        }
      } else if (this.#kind === "word") {
        if (isSpace || byte === COMMA || byte === CLOSE_ARRAY || byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
          this.#add(chunk.subarray(start, index));
          this.#finish();
          if (!isSpace) {
            start = index;
            this.#begin(byte);
          }
        }
      } else if (this.#endsWith(byte)) {
        this.#add(chunk.subarray(start, index + 1));
        this.#finish();
      }
      if (byte === NEWLINE) {
        this.#line++;
        this.#indent = 0;
      } else if (this.#indent >= 0) {
        this.#indent = isSpace ? this.#indent + 1 : -1;
      }
    }
    if (this.#kind !== "none") this.#add(chunk.subarray(start));
  }

  end(): void {
    const wasCut = this.#kind === "brackets" || this.#kind === "string";
    if (wasCut) this.#cutOff();
    else if (this.#kind === "word") this.#finish();
    if (this.#isArray && this.#expected !== "nothing" && !wasCut) this.#refuse("The array has no end.", this.#line);
  }

  /** Whether the value so far is broken: JSON strings do not span lines, and no inner line begins where values do. */
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
    if (this.#isArray && this.#punctuation(byte)) return;
    if (this.#isArray && this.#expected === "separator") this.#refuse("A comma is missing before this value.", this.#line);
    if (this.#isArray && this.#expected === "nothing") this.#refuse("The array has ended before this value.", this.#line);
    if (this.#indent >= 0 && this.#valueIndent < 0 && byte === OPEN_OBJECT) this.#valueIndent = this.#indent;
    this.#valueLine = this.#line;
    this.#parts = [];
    this.#size = 0;
    this.#overlong = false;
    this.#inString = byte === QUOTE;
    this.#escaped = false;
    this.#depth = byte === OPEN_OBJECT || byte === OPEN_ARRAY ? 1 : 0;
    this.#kind = this.#depth > 0 ? "brackets" : this.#inString ? "string" : "word";
  }

  /** The array's own brackets and commas; true when the byte was one of them. */
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

  #add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > JSON_LIMITS.maxCharacters) {
      this.#overlong = true;
      this.#parts = [];
    } else if (part.length > 0) {
      this.#parts.push(part);
    }
  }

  #finish(): void {
    const bytes = Buffer.concat(this.#parts);
    if (this.#overlong) {
      const message = `The event has more than ${JSON_LIMITS.maxCharacters.toLocaleString("en")} bytes.`;
      this.#sink.refuse({ code: "TOO_LARGE", message }, this.#valueLine);
    } else if (!isUtf8(bytes)) {
      this.#sink.refuse({ code: "NOT_UTF8", message: "The event is not UTF-8 text." }, this.#valueLine);
    } else {
      this.#sink.hear(bytes.toString("utf8"), this.#valueLine, bytes.length);
    }
    this.#leave();
  }

  #cutOff(): void {
    this.#refuse("The event is cut off: it has no end.", this.#valueLine);
    this.#leave();
    // Whatever separates it from the next one went with it.
    if (this.#isArray) this.#expected = "value";
  }

  #leave(): void {
    this.#kind = "none";
    this.#inString = false;
    this.#depth = 0;
    this.#parts = [];
    this.#expected = this.#isArray && this.#expected !== "nothing" ? "separator" : this.#expected;
  }

  #refuse(message: string, line: number): void {
    this.#sink.refuse({ code: "NOT_JSON", message }, line);
  }
}
