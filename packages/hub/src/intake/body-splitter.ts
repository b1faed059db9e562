import type { Problem } from "@earshot/protocol";
import { HeldBytes } from "./held-bytes.ts";
import { LineSplitter } from "./line-splitter.ts";
import { EMPTY_ARRAY, EMPTY_BODY, type Piece, skipSpace, toPiece, toRefusal } from "./piece.ts";
import { type SplitterSink, tooLarge } from "./splitter-sink.ts";
import { ValueSplitter } from "./value-splitter.ts";

/** How the body is laid out: a single event is answered with its own verdict, the others with a list of them. */
export type Layout = "single" | "array" | "lines";

export interface Batch {
  readonly layout: Layout;
  /** In the order of the body; never empty. */
  readonly pieces: readonly Piece[];
}

export interface BodySplitterOptions {
  /** What the content type says: `json` is one value or an array, `lines` is NDJSON. */
  readonly layout: "json" | "lines";
  readonly maxEventBytes: number;
  /** A batch ends with the piece that reaches either of these. */
  readonly batchEvents: number;
  readonly batchBytes: number;
}

const NOTHING = Buffer.alloc(0);
export const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
export const OPEN_ARRAY = 0x5b;

/**
 * Cuts a body into batches of pieces, chunk by chunk; what it says depends on the bytes alone, not on how they were cut
 * into chunks. The first byte of JSON that is not white space decides: a bracket begins an array, anything else is one
 * value. Whoever writes takes the full batches after each chunk, the rest whenever it suits.
 */
export class BodySplitter implements SplitterSink {
  readonly #options: BodySplitterOptions;
  readonly #lines: LineSplitter;
  readonly #values: ValueSplitter;
  readonly #single: HeldBytes;
  #stage: "start" | "opening" | Layout = "start";
  /** What may be the beginning of a byte order mark. */
  #start: Buffer = NOTHING;
  #found = 0;
  #full: Batch[] = [];
  #pieces: Piece[] = [];
  #piecesBytes = 0;

  constructor(options: BodySplitterOptions) {
    const maxBytes = options.maxEventBytes;
    this.#options = options;
    this.#lines = new LineSplitter(this, { maxBytes });
    this.#values = new ValueSplitter("array", this, { maxBytes, afterDamage: "stop" });
    this.#single = new HeldBytes(maxBytes);
  }

  write(chunk: Buffer): void {
    switch (this.#stage) {
      case "start": {
        const start = this.#start.length === 0 ? chunk : Buffer.concat([this.#start, chunk]);
        this.#start = start;
        if (start.length >= BOM.length || !BOM.subarray(0, start.length).equals(start)) this.#leaveStart();
        return;
      }
      case "opening": {
        const first = skipSpace(chunk);
        if (first < chunk.length) this.#stage = chunk[first] === OPEN_ARRAY ? "array" : "single";
        // White space goes there too: it counts the lines.
        if (this.#stage !== "single") this.#values.write(chunk);
        else this.#single.add(chunk.subarray(first));
        return;
      }
      case "single":
        this.#single.add(chunk);
        return;
      case "array":
        this.#values.write(chunk);
        return;
      case "lines":
        this.#lines.write(chunk);
    }
  }

  end(): void {
    if (this.#stage === "start") this.#leaveStart();
    if (this.#stage === "single") this.#add(this.#endOfSingle());
    else if (this.#stage === "array") this.#values.end();
    else if (this.#stage === "lines") this.#lines.end();
    if (this.#found === 0) this.#add(toRefusal(this.#stage === "array" ? EMPTY_ARRAY : EMPTY_BODY));
  }

  get hasRest(): boolean {
    return this.#pieces.length > 0;
  }

  /** The oldest full batch. */
  takeFull(): Batch | undefined {
    return this.#full.shift();
  }

  /** What is there after the full batches were taken; only when `hasRest`. */
  takeRest(): Batch {
    const layout = this.#stage === "start" || this.#stage === "opening" ? "single" : this.#stage;
    const batch: Batch = { layout, pieces: this.#pieces };
    this.#pieces = [];
    this.#piecesBytes = 0;
    return batch;
  }

  hear(text: string, line: number, sizeBytes: number): void {
    this.#add(this.#stage === "array" ? { line, index: this.#found, text, sizeBytes } : { line, text, sizeBytes });
  }

  refuse(problem: Problem, line: number, head: Buffer, sizeBytes: number): void {
    this.#add(this.#stage === "array" ? { line, index: this.#found, problem, head, sizeBytes } : { line, problem, head, sizeBytes });
  }

  #leaveStart(): void {
    const start = this.#start;
    this.#start = NOTHING;
    this.#stage = this.#options.layout === "lines" ? "lines" : "opening";
    this.write(startsWithBom(start) ? start.subarray(BOM.length) : start);
  }

  #endOfSingle(): Piece {
    const { bytes, sizeBytes, isOverLimit } = this.#single;
    const { maxEventBytes } = this.#options;
    return isOverLimit ? toRefusal(tooLarge("event", maxEventBytes), bytes, sizeBytes) : toPiece(bytes, 0, maxEventBytes);
  }

  #add(piece: Piece): void {
    this.#found++;
    this.#pieces.push(piece);
    this.#piecesBytes += "text" in piece ? piece.sizeBytes : piece.head.length;
    const { batchEvents, batchBytes } = this.#options;
    if (this.#pieces.length >= batchEvents || this.#piecesBytes >= batchBytes) this.#full.push(this.takeRest());
  }
}

export function startsWithBom(bytes: Buffer): boolean {
  return bytes[0] === BOM[0] && bytes[1] === BOM[1] && bytes[2] === BOM[2];
}
