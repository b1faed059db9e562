import type { AaepPorts, OpenAaep } from "./open-aaep.ts";

/** The hub's AAEP producer, opened by the first who wants it. Everything that it is made of is loaded then, and not before. */
export class AaepDesk implements AsyncDisposable {
  readonly #ports: AaepPorts;
  #opening: Promise<OpenAaep> | undefined;
  #opened: OpenAaep | undefined;
  #isClosed = false;

  constructor(ports: AaepPorts) {
    this.#ports = ports;
  }

  /** Undefined as long as nobody wanted it. */
  get opened(): OpenAaep | undefined {
    return this.#opened;
  }

  open(): Promise<OpenAaep> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Subscribers are told, and may come back: to this hub when it is started again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => {}); // whoever wanted it has heard
    this.#opened?.[Symbol.dispose]();
    this.#opened = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #open(): Promise<OpenAaep> {
    try {
      const { openAaep } = await import("./open-aaep.ts");
      const opened = await openAaep(this.#ports);
      if (this.#isClosed) opened[Symbol.dispose]();
      else this.#opened = opened;
      return opened;
    } catch (error) {
      this.#opening = undefined; // the next one tries again
      throw error;
    }
  }
}
