export interface QueueLimits {
  readonly lines: number;
  readonly characters: number;
}

/** A bounded queue of lines in memory, oldest first. The caller decides what to drop when it overflows. */
export class LineQueue {
  readonly #limits: QueueLimits;
  #lines: string[] = [];
  #first = 0;
  #characters = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#lines.length - this.#first;
  }

  get isOver(): boolean {
    return this.length > this.#limits.lines || this.#characters > this.#limits.characters;
  }

  push(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
  }

  /** Puts back lines that were taken. */
  unshift(lines: readonly string[]): void {
    this.#lines = [...lines, ...this.#lines.slice(this.#first)];
    this.#first = 0;
    for (const line of lines) this.#characters += line.length;
  }

  /** The oldest lines within the limits, but at least one if there is any. */
  take({ lines, characters }: QueueLimits): string[] {
    const taken: string[] = [];
    let size = 0;
    while (this.length > 0 && taken.length < lines) {
      const line = this.#lines[this.#first] ?? "";
      size += line.length;
      if (taken.length > 0 && size > characters) break;
      taken.push(line);
      this.#drop();
    }
    return taken;
  }

  takeAll(): string[] {
    const taken = this.#lines.slice(this.#first);
    this.#lines = [];
    this.#first = 0;
    this.#characters = 0;
    return taken;
  }

  /** Drops the oldest lines until the rest fits. Returns their number. */
  dropOverflow(): number {
    let dropped = 0;
    while (this.isOver && this.length > 0) {
      this.#drop();
      dropped++;
    }
    return dropped;
  }

  #drop(): void {
    this.#characters -= (this.#lines[this.#first] ?? "").length;
    this.#lines[this.#first] = ""; // lets go of the text before the array does
    this.#first++;
    if (this.#first > 1024 && this.#first * 2 > this.#lines.length) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
  }
}
