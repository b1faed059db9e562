import { WakeSignal } from "./waiting.ts";

/** Pauses and resumes reading. */
interface Valve {
  readonly close: () => void;
  readonly open: () => void;
}

const HIGH_CHARACTERS = 1 << 20;
const LOW_CHARACTERS = 1 << 18;
/** The limit if reading cannot be paused. */
const MAX_CHARACTERS = 64 << 20;

/** A bounded, ordered queue of texts between a writer and a reader. */
export class TextQueue implements AsyncIterable<string> {
  readonly #valve: Valve | undefined;
  readonly #bell = new WakeSignal();
  #texts: string[] = [];
  #first = 0;
  #characters = 0;
  #isShut = false;
  #end: { readonly error: unknown } | undefined;

  constructor(valve?: Valve) {
    this.#valve = valve;
  }

  push(text: string): void {
    if (this.#end !== undefined) return;
    this.#texts.push(text);
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) this.end(new RangeError("More came than can be kept."));
    else if (this.#characters > HIGH_CHARACTERS && !this.#isShut) {
      this.#isShut = true;
      this.#valve?.close();
    }
    this.#bell.ring();
  }

  /** Ends the queue; the reader gets the error after the earlier texts. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#bell.ring();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const text = this.#texts[this.#first];
      if (text !== undefined) {
        this.#take(text);
        yield text;
      } else if (this.#end === undefined) await this.#bell.next();
      else if (this.#end.error === undefined) return;
      else throw this.#end.error;
    }
  }

  #take(text: string): void {
    this.#first++;
    this.#characters -= text.length;
    if (this.#first > 512 || this.#first === this.#texts.length) {
      this.#texts = this.#texts.slice(this.#first);
      this.#first = 0;
    }
    if (this.#isShut && this.#characters < LOW_CHARACTERS) {
      this.#isShut = false;
      this.#valve?.open();
    }
  }
}
