/**
 * Long work in short slices: whoever does it yields when the slice is over, with no statement open, and whoever runs it lets
 * others run before it goes on.
 */
export class Slice {
  readonly #lengthMs: number;
  #end = 0;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
    this.begin();
  }

  begin(): void {
    this.#end = performance.now() + this.#lengthMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }
}

export type Steps<Result> = Generator<void, Result, void>;
