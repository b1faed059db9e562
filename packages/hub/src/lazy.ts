import { EarshotError } from "@earshot/protocol";

/** A rarely needed part, whose modules are loaded on first use. */
export class Lazy<Opened> implements AsyncDisposable {
  readonly #load: () => Promise<Opened>;
  readonly #close: (opened: Opened) => unknown;
  #opening: Promise<Opened> | undefined;
  #closing: Promise<void> | undefined;

  constructor(load: () => Promise<Opened>, close: (opened: Opened) => unknown) {
    this.#load = load;
    this.#close = close;
  }

  /** Undefined until it is needed. */
  get opening(): Promise<Opened> | undefined {
    return this.#opening;
  }

  /** Tries again after a failure. */
  async open(): Promise<Opened> {
    if (this.#closing !== undefined) throw new EarshotError({ code: "LEDGER_UNAVAILABLE", message: "The hub is stopping." });
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      const opened = await this.#opening?.catch(() => undefined); // its caller has the error
      if (opened !== undefined) await this.#close(opened);
    })();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
