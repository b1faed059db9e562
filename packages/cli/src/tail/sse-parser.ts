import { EarshotError } from "@earshot/protocol/problem";

/** One server-sent event as the standard reads it. An id without data is told too: it moves the place to resume from. */
export interface SseMessage {
  readonly event: string;
  readonly id: string;
  /** Empty when only the id was said. */
  readonly data: string;
}

/** Longer than any frame of a hub, which takes events of a megabyte. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;

/** Reads server-sent events from pieces of text that may end anywhere, also between the two halves of a line end. */
export class SseParser {
  #rest = "";
  #event = "";
  #data: string[] = [];
  #id = "";
  #hasId = false;
  #size = 0;

  feed(text: string): readonly SseMessage[] {
    const messages: SseMessage[] = [];
    this.#rest += text;
    // A carriage return at the very end may be half of a line end: it waits for the next piece.
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.#size += line.length;
      if (line === "") this.#dispatch(messages);
      else this.#take(line);
    }
    if (this.#size + this.#rest.length > LONGEST_MESSAGE) {
      throw new EarshotError({ code: "TOO_LARGE", message: "The hub's stream has a message that never ends." });
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

  #dispatch(messages: SseMessage[]): void {
    if (this.#data.length > 0 || this.#hasId) {
      messages.push({ event: this.#event === "" ? "message" : this.#event, id: this.#id, data: this.#data.join("\n") });
    }
    this.#event = "";
    this.#data = [];
    this.#hasId = false;
    this.#size = 0;
  }
}
