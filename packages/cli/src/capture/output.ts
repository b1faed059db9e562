/** Where events are written, one per line. */
export interface Output {
  /** Bytes, with those that are gathered. */
  readonly size: number;
  append(line: string): void;
  /** What is gathered goes where it is seen. */
  flush(): void;
  /** Everything is as safe as it gets when this returns. */
  sync(): void;
}

const GATHERED = 64 * 1024;

/** Standard output: nothing is gathered for longer than what came at once. */
export class PrintedOutput implements Output {
  readonly #print: (text: string) => void;
  #text = "";
  #size = 0;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  get size(): number {
    return this.#size;
  }

  append(line: string): void {
    this.#text += `${line}\n`;
    this.#size += line.length + 1;
    if (this.#text.length >= GATHERED) this.flush();
  }

  flush(): void {
    if (this.#text === "") return;
    const text = this.#text;
    this.#text = "";
    this.#print(text);
  }

  sync(): void {
    this.flush();
  }
}
