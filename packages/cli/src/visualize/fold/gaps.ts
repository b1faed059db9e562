import type { Gap } from "./axis.ts";

const KEPT = 24;

/** The longest gaps between coordinates that only grow. */
export class Gaps {
  #longest: Gap[] = [];
  #last: number | undefined;
  #first: number | undefined;

  see(coordinate: number): void {
    if (this.#last === undefined) this.#first = coordinate;
    else if (coordinate > this.#last) this.#keep({ from: this.#last, to: coordinate });
    this.#last = Math.max(coordinate, this.#last ?? coordinate);
  }

  /** In order, together with all that lies before the first and after the last. */
  silent(): readonly Gap[] {
    if (this.#first === undefined || this.#last === undefined) return [{ from: -Infinity, to: Infinity }];
    const inside = [...this.#longest].sort((a, b) => a.from - b.from);
    return [{ from: -Infinity, to: this.#first }, ...inside, { from: this.#last, to: Infinity }];
  }

  #keep(gap: Gap): void {
    const length = gap.to - gap.from;
    const shortest = this.#longest.at(-1);
    if (this.#longest.length === KEPT && shortest !== undefined && length <= shortest.to - shortest.from) return;
    const place = this.#longest.findIndex((one) => one.to - one.from < length);
    this.#longest.splice(place < 0 ? this.#longest.length : place, 0, gap);
    if (this.#longest.length > KEPT) this.#longest.pop();
  }
}
