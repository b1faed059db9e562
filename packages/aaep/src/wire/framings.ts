/** One JSON text per line. Compact JSON contains no line ends. */
export function encodeLine(text: string): string {
  return `${text}\n`;
}

/** Joins pieces into lines; empty lines are skipped. Throws a `RangeError` for a line that is too long. */
export class LineParser {
  readonly #longest: number;
  #pieces: string[] = [];
  #size = 0;

  constructor(longestCharacters = 1 << 20) {
    this.#longest = longestCharacters;
  }

  read(piece: string): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      this.#add(piece.slice(start, end));
      const line = this.#pieces.join("");
      this.#pieces = [];
      this.#size = 0;
      const text = line.endsWith("\r") ? line.slice(0, -1) : line;
      if (text.trim() !== "") lines.push(text);
      start = end + 1;
    }
    this.#add(piece.slice(start));
    return lines;
  }

  #add(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size > this.#longest) throw new RangeError("A line is longer than what is read.");
  }
}

/** The maximum message size, larger than the protocol requires. */
const LONGEST_MESSAGE_BYTES = 1 << 20;

const encoder = new TextEncoder();

/** A length-prefixed message: four big-endian bytes, then that many bytes of UTF-8. */
export function encodeLengthPrefixed(text: string): Uint8Array {
  const body = encoder.encode(text);
  const bytes = new Uint8Array(4 + body.length);
  new DataView(bytes.buffer).setUint32(0, body.length);
  bytes.set(body, 4);
  return bytes;
}

/** Joins pieces into messages. Throws a `RangeError` for one that is too long, a `TypeError` for invalid UTF-8. */
export class LengthPrefixedParser {
  readonly #longest: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(longestBytes = LONGEST_MESSAGE_BYTES) {
    this.#longest = longestBytes;
  }

  read(piece: Uint8Array): readonly string[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    const texts: string[] = [];
    for (;;) {
      const head = this.#size < 4 ? undefined : this.#join(4);
      if (head === undefined) return texts;
      const length = new DataView(head.buffer, head.byteOffset, 4).getUint32(0);
      if (length > this.#longest) throw new RangeError(`A message of ${length} bytes is longer than what is read.`);
      if (this.#size < 4 + length) return texts;
      const bytes = this.#join(4 + length);
      texts.push(this.#decoder.decode(bytes.subarray(4, 4 + length)));
      this.#drop(4 + length);
    }
  }

  /** The first piece, extended to at least this many bytes. */
  #join(bytes: number): Uint8Array {
    const [first] = this.#pieces;
    if (first !== undefined && first.length >= bytes) return first;
    const joined = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [joined];
    return joined;
  }

  #drop(bytes: number): void {
    const rest = this.#pieces[0]?.subarray(bytes);
    this.#size -= bytes;
    if (rest === undefined || rest.length === 0) this.#pieces.shift();
    else this.#pieces[0] = rest;
  }
}
