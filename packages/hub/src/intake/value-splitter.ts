import { isAscii } from "node:buffer";
import type { Problem } from "@earshot/protocol";
import { HeldBytes } from "./held-bytes.ts";
import { headOf, REFUSED_HEAD_BYTES, type SplitterSink, tooLarge, toText } from "./splitter-sink.ts";

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
  /** The longest value that is read. */
  readonly maxBytes: number;
  /**
   * What a missing comma, a value without an end or anything after the array means. `go-on`: the damage is named and what
   * looks like the next value is heard, as suits a recording that somebody wants to understand; a value ends early where
   * a string spans lines or a line begins as values begin, which is a guess. `stop`: nothing is guessed; one refusal, at
   * the end, for everything from the damage on, as suits a sender who can be told to send again.
   */
  readonly afterDamage: "go-on" | "stop";
}

/** What may come next between the values of an array. */
type Expected = "opening" | "first" | "value" | "separator" | "nothing";

/** Why nothing more is heard, and what has come since. */
interface Damage {
  readonly message: string;
  readonly line: number;
  readonly rest: HeldBytes;
}

/**
 * Cuts a JSON array, or values laid out over several lines, into its values without parsing: it counts brackets outside
 * strings, byte by byte, and each value is decoded on its own.
 */
export class ValueSplitter {
  readonly #sink: SplitterSink;
  readonly #isArray: boolean;
  readonly #maxBytes: number;
  readonly #goesOn: boolean;
  readonly #held: HeldBytes;
  #expected: Expected;
  #line = 1;
  /** Bytes since the last line break that were white space, or -1 once something else was seen on this line. */
  #indent = 0;
  /** The indentation at which values begin, once one has begun a line. */
  #valueIndent = -1;
  #valueLine = 0;
  #kind: "none" | "brackets" | "string" | "word" = "none";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #damage: Damage | undefined;
  /** Whether the chunk at hand is ASCII, once that was asked. */
  #isAsciiChunk: boolean | undefined;

  constructor(layout: "array" | "values", sink: SplitterSink, { maxBytes, afterDamage }: ValueSplitterOptions) {
    this.#sink = sink;
    this.#isArray = layout === "array";
    this.#maxBytes = maxBytes;
    this.#goesOn = afterDamage === "go-on";
    this.#held = new HeldBytes(maxBytes);
    this.#expected = this.#isArray ? "opening" : "value";
  }

  write(chunk: Buffer): void {
    if (this.#damage !== undefined) {
      this.#damage.rest.add(chunk);
      return;
    }
    this.#isAsciiChunk = undefined;
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      if (!this.#goesOn && this.#kind === "brackets") {
        index = this.#pass(chunk, index);
        if (index === chunk.length) break;
      }
      const byte = chunk[index] as number;
      const isSpace = byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NEWLINE;
      if (this.#goesOn && this.#kind !== "none" && this.#isCutBefore(byte)) {
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
        const damage = this.#begin(byte);
        if (damage !== undefined) {
          damage.rest.add(chunk.subarray(index));
          return;
        }
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
    if (this.#damage !== undefined) {
      const { message, line, rest } = this.#damage;
      const hint = "Nothing from here on was read. Send what follows again, as JSON.";
      this.#sink.refuse({ code: "NOT_JSON", message, hint }, line, headOf(rest.bytes), rest.sizeBytes);
      return;
    }
    // A number or a word may be complete at the end of a recording; in an array that goes on, nobody can know.
    const isCut = this.#kind === "brackets" || this.#kind === "string" || (this.#kind === "word" && !this.#goesOn);
    if (isCut) this.#cutOff();
    else if (this.#kind === "word") this.#finish(NOTHING, 0, 0);
    if (this.#isArray && this.#expected !== "nothing" && !isCut) this.#refuse("The array has no end.", this.#line);
  }

  /**
   * Goes over the bytes of a value, up to the one that ends it, a line break or the end of the chunk. Nearly all bytes are
   * inside values, and where nothing is guessed nothing else has to be looked at with each of them.
   */
  #pass(chunk: Buffer, from: number): number {
    const { length } = chunk;
    let index = from;
    let inString = this.#inString;
    let depth = this.#depth;
    if (this.#escaped) {
      this.#escaped = false;
      if (chunk[index] !== NEWLINE) index++;
    }
    for (; index < length; index++) {
      if (inString) {
        // Most bytes are inside strings: three comparisons each, and nothing to remember.
        while (index < length && chunk[index] !== QUOTE && chunk[index] !== BACKSLASH && chunk[index] !== NEWLINE) index++;
        if (index === length || chunk[index] === NEWLINE) break;
        if (chunk[index] === QUOTE) inString = false;
        else if (++index === length || chunk[index] === NEWLINE) {
          this.#escaped = index === length;
          break;
        }
        continue;
      }
      const byte = chunk[index];
      if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (depth === 1) break;
        depth--;
      } else if (byte === NEWLINE) break;
    }
    this.#inString = inString;
    this.#depth = depth;
    return index;
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

  #begin(byte: number): Damage | undefined {
    if (this.#isArray) {
      if (this.#punctuation(byte)) return this.#damage;
      if (this.#expected === "separator") this.#damaged("A comma is missing before this value.");
      if (this.#expected === "nothing") this.#damaged("The array has ended before this value.");
      if (this.#damage !== undefined) return this.#damage;
    }
    if (this.#indent >= 0 && this.#valueIndent < 0 && byte === OPEN_OBJECT) this.#valueIndent = this.#indent;
    this.#valueLine = this.#line;
    this.#inString = byte === QUOTE;
    this.#escaped = false;
    this.#depth = byte === OPEN_OBJECT || byte === OPEN_ARRAY ? 1 : 0;
    this.#kind = this.#depth > 0 ? "brackets" : this.#inString ? "string" : "word";
    return undefined;
  }

  /** The array's own brackets and commas; true when the byte was one of them. */
  #punctuation(byte: number): boolean {
    if (byte === OPEN_ARRAY && this.#expected === "opening") {
      this.#expected = "first";
      return true;
    }
    if (byte === COMMA) {
      if (this.#expected !== "separator") this.#damaged("A comma does not belong here.");
      this.#expected = "value";
      return true;
    }
    if (byte === CLOSE_ARRAY) {
      if (this.#expected === "value") this.#damaged("A comma stands before the end of the array.");
      else if (this.#expected === "nothing") this.#damaged("The array has ended already.");
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

  /** The value ends with these bytes of the chunk, which are all of it unless it began in an earlier one. */
  #finish(chunk: Buffer, start: number, end: number): void {
    const isWhole = this.#held.sizeBytes === 0;
    // One look at the whole chunk decides how its values become text: ASCII needs no decoding at all.
    if (isWhole) this.#isAsciiChunk ??= isAscii(chunk);
    if (isWhole && this.#isAsciiChunk === true && end - start <= this.#maxBytes) {
      this.#sink.hear(chunk.toString("latin1", start, end), this.#valueLine, end - start);
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
    const text = sizeBytes > this.#maxBytes ? undefined : toText(bytes);
    if (text !== undefined) {
      this.#sink.hear(text, this.#valueLine, sizeBytes);
      return;
    }
    const problem: Problem =
      sizeBytes > this.#maxBytes ? tooLarge("event", this.#maxBytes) : { code: "NOT_UTF8", message: "The event is not UTF-8 text." };
    this.#sink.refuse(problem, this.#valueLine, headOf(bytes), sizeBytes);
  }

  #cutOff(): void {
    const { bytes, sizeBytes } = this.#held;
    this.#refuse("The event is cut off: it has no end.", this.#valueLine, headOf(bytes), sizeBytes);
    this.#leave();
    // Whatever separates it from the next one went with it.
    if (this.#isArray) this.#expected = "value";
  }

  #leave(): void {
    this.#kind = "none";
    this.#inString = false;
    this.#depth = 0;
    this.#held.clear();
    if (this.#isArray && this.#expected !== "nothing") this.#expected = "separator";
  }

  #damaged(message: string): void {
    if (this.#goesOn) this.#refuse(message, this.#line);
    else this.#damage = { message, line: this.#line, rest: new HeldBytes(REFUSED_HEAD_BYTES) };
  }

  #refuse(message: string, line: number, head: Buffer = NOTHING, sizeBytes = 0): void {
    this.#sink.refuse({ code: "NOT_JSON", message }, line, head, sizeBytes);
  }
}
