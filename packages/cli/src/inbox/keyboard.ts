import type { ReadStream } from "node:tty";
import type { CommandIo } from "@earshot/terminal/io";

/** Single key presses. Paused during line input. */
export class Keyboard implements Disposable {
  readonly #stdin: ReadStream;
  readonly #take: (key: string) => void;
  readonly #end: () => void;

  constructor({ stdin }: CommandIo, onKey: (key: string) => void, onEnd: () => void) {
    this.#stdin = stdin as ReadStream;
    this.#take = (text: string) => {
      // A sequence, such as that of an arrow key, is one key, and has no function here.
      if (text.length > 1 && text.startsWith("\u001b")) return;
      for (const key of text) onKey(key);
    };
    this.#end = onEnd;
  }

  resume(): void {
    this.#stdin.setRawMode(true);
    this.#stdin.setEncoding("utf8");
    this.#stdin.on("data", this.#take);
    this.#stdin.on("end", this.#end);
    this.#stdin.resume();
  }

  pause(): void {
    this.#stdin.off("data", this.#take);
    this.#stdin.off("end", this.#end);
    this.#stdin.setRawMode(false);
    this.#stdin.pause();
  }

  [Symbol.dispose](): void {
    this.pause();
  }
}
