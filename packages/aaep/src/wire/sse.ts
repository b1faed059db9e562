/** One frame of an event stream: LF line ends, `data: ` with one space, all data on one line. */
export interface SseFrame {
  /** Undefined: the frame is not named, and a browser calls it `message`. */
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

/** The name of a frame that holds an event of the protocol. Messages go unnamed. */
export const SSE_EVENT = "aaep.event";

export function sseFrame({ event, id, data }: SseFrame): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  const place = id === undefined ? "" : `id: ${id}\n`;
  // JSON on one line has no line ends; anything else is written so that it comes out as it went in.
  return `${name}${place}data: ${data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data}\n\n`;
}

/** A frame without data is no event, and still moves the id that a peer resumes from. */
export function sseMark(id: string): string {
  return `id: ${id}\n\n`;
}

/** Says nothing, and keeps whatever stands between from closing a silent stream. */
export const SSE_COMMENT = ":\n\n";

/** What a parser tells besides frames. */
export interface SseReading {
  readonly frames: readonly SseFrame[];
  /** How long the peer asks to wait before connecting again. */
  readonly retryMs?: number;
}

/**
 * Reads an event stream (WHATWG HTML, 9.2) in pieces cut anywhere between characters: any line end, comments, unknown fields,
 * several lines of data. A frame without data is dropped. What is not ended by an empty line is not a frame.
 */
export class SseParser {
  readonly #longest: number;
  #rest = "";
  #afterReturn = false;
  #isFirst = true;
  #data: string[] = [];
  #size = 0;
  #event: string | undefined;
  #id: string | undefined;
  #ownId: string | undefined;
  #retryMs: number | undefined;

  /** Frames that are longer than this many characters are refused by throwing a `RangeError`. */
  constructor(longest = 16 << 20) {
    this.#longest = longest;
  }

  /** The last id that was read, also that of a frame without data, which is no frame otherwise. */
  get lastId(): string | undefined {
    return this.#id;
  }

  read(piece: string): SseReading {
    const frames: SseFrame[] = [];
    let text = piece;
    if (this.#afterReturn && text.startsWith("\n")) text = text.slice(1);
    if (piece !== "") this.#afterReturn = false;
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    if (text.endsWith("\r")) this.#afterReturn = true;
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length + this.#size > this.#longest) throw new RangeError("A frame is longer than what is read.");
    for (const line of lines) this.#line(line, frames);
    const retryMs = this.#retryMs;
    this.#retryMs = undefined;
    return retryMs === undefined ? { frames } : { frames, retryMs };
  }

  #line(raw: string, frames: SseFrame[]): void {
    const line = this.#isFirst && raw.startsWith("\ufeff") ? raw.slice(1) : raw;
    this.#isFirst = false;
    if (line === "") {
      if (this.#data.length > 0) {
        frames.push({ event: this.#event, id: this.#ownId, data: this.#data.join("\n") });
      }
      // Also of a frame that says nothing else.
      if (this.#ownId !== undefined) this.#id = this.#ownId;
      this.#data = [];
      this.#size = 0;
      this.#event = undefined;
      this.#ownId = undefined;
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    this.#field(field, value);
  }

  #field(field: string, value: string): void {
    switch (field) {
      case "data":
        this.#data.push(value);
        this.#size += value.length + 1;
        if (this.#size > this.#longest) throw new RangeError("A frame is longer than what is read.");
        return;
      case "event":
        this.#event = value === "" ? undefined : value;
        return;
      case "id":
        if (value.includes("\0")) return;
        this.#ownId = value;
        return;
      case "retry":
        if (/^\d+$/.test(value)) this.#retryMs = Number(value);
        return;
      default:
    }
  }
}
