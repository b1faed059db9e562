import { EarshotError } from "./problem.ts";

/** One server-sent event (WHATWG HTML, 9.2). An id without data is reported as well, because it moves the resume position. */
export interface SseParsedMessage {
  readonly event: string;
  /** The last event id of the stream, even if this message does not repeat it. */
  readonly id: string;
  /** Whether this message contains the id. */
  readonly hasId: boolean;
  /** Empty if the message has only an id. */
  readonly data: string;
}

/** Larger than any event that a hub accepts. */
const MAX_MESSAGE_CHARACTERS = 16 * 1024 * 1024;

/** Parses server-sent events from pieces of text that may end anywhere, even between the two characters of a line end. */
export class SseParser {
  readonly #limit: number;
  #isFirst = true;
  #rest: string[] = [];
  #restSize = 0;
  /** The previous piece ended with a carriage return: a following line feed belongs to it. */
  #afterReturn = false;
  #event = "";
  #data: string[] = [];
  #id = "";
  #hasId = false;
  #size = 0;

  /** Throws for messages of more than `limit` characters. */
  constructor(limit = MAX_MESSAGE_CHARACTERS) {
    this.#limit = limit;
  }

  feed(text: string): readonly SseParsedMessage[] {
    const messages: SseParsedMessage[] = [];
    let piece = this.#isFirst && text.startsWith("\ufeff") ? text.slice(1) : text;
    if (this.#afterReturn && piece.startsWith("\n")) piece = piece.slice(1);
    if (text !== "") {
      this.#isFirst = false;
      this.#afterReturn = piece.endsWith("\r");
    }
    this.#rest.push(piece);
    this.#restSize += piece.length;
    // An unfinished line is not scanned again with each piece.
    const lines = /[\r\n]/.test(piece) ? this.#rest.join("").split(/\r\n|\n|\r/) : [];
    const rest = lines.pop();
    if (rest !== undefined) {
      this.#rest = rest === "" ? [] : [rest];
      this.#restSize = rest.length;
    }
    for (const line of lines) {
      this.#size += line.length;
      if (line === "") this.#dispatch(messages);
      else this.#take(line);
    }
    if (this.#size + this.#restSize > this.#limit) {
      throw new EarshotError({ code: "TOO_LARGE", message: "The stream has a message that never ends." });
    }
    return messages;
  }

  #take(line: string): void {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    switch (name) {
      case "event":
        this.#event = value;
        break;
      case "data":
        this.#data.push(value);
        break;
      case "id":
        if (value.includes("\0")) break;
        this.#id = value;
        this.#hasId = true;
        break;
      default:
        break; // comments, `retry`, and what later standards add
    }
  }

  #dispatch(messages: SseParsedMessage[]): void {
    if (this.#data.length > 0 || this.#hasId) {
      messages.push({ event: this.#event === "" ? "message" : this.#event, id: this.#id, hasId: this.#hasId, data: this.#data.join("\n") });
    }
    this.#event = "";
    this.#data = [];
    this.#hasId = false;
    this.#size = 0;
  }
}
