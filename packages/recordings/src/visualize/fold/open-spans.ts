import type { Lane, Moment, Span } from "../trace.ts";

/** More spans than this cannot be told apart in a picture. */
const KEPT = 600;
/** Open at once. Who leaves more open than that is counted and not followed. */
export const MAX_OPEN = 256;
/** Rows to draw side by side; what is more shares the last one. */
const ROWS = 8;

/** What every span of a lane with rows begins with. */
export interface Begun extends Span {
  readonly row: number;
}

interface Holder<One> {
  span: One;
}

/**
 * The spans of one lane: those open now, by key, and those kept. A lane with too many of them keeps none, since part of
 * them would look like all of them.
 */
export class OpenSpans<One extends Begun> {
  readonly #open = new Map<string, Holder<One>>();
  /** How many are open in each row. */
  readonly #inRow: number[] = new Array<number>(ROWS).fill(0);
  #kept: Holder<One>[] | undefined = [];
  #count = 0;
  #atOnce = 0;
  #unkeyed = 0;

  get openNow(): number {
    return this.#open.size;
  }

  get count(): number {
    return this.#count;
  }

  has(key: string): boolean {
    return this.#open.has(key);
  }

  /** The key of the one open for longest that fits. */
  search(fits: (span: One) => boolean): string | undefined {
    for (const [key, { span }] of this.#open) if (fits(span)) return key;
    return undefined;
  }

  /** Opens a span; without a key of its own it gets one. Opened again under the same key, it is another one. */
  begin(key: string | undefined, at: Moment, make: (begun: Begun) => One): string {
    const own = key ?? `#${++this.#unkeyed}`;
    this.#leave(own, at);
    this.#count++;
    const holder = { span: make({ from: at, to: at, open: true, row: this.#freeRow() }) };
    this.#keep(holder);
    this.#follow(own, holder);
    return own;
  }

  /** It goes on, and this is known about it now. */
  change(key: string, change: (span: One) => One): void {
    const holder = this.#open.get(key);
    if (holder !== undefined) holder.span = change(holder.span);
  }

  end(key: string, at: Moment, change: (span: One) => One = (span) => span): void {
    const holder = this.#take(key);
    if (holder !== undefined) holder.span = { ...change(holder.span), to: at, open: false };
  }

  endAll(at: Moment): void {
    for (const key of [...this.#open.keys()]) this.end(key, at);
  }

  /** Something that has no length. */
  instant(at: Moment, make: (begun: Begun) => One): void {
    this.end(this.begin(undefined, at, make), at);
  }

  /** The session is over, and nothing said that these ended. */
  leaveAll(at: Moment): void {
    for (const key of [...this.#open.keys()]) this.#leave(key, at);
  }

  /** Whatever is still open reaches to the last moment. */
  lane(last: Moment): Lane<One> {
    this.leaveAll(last);
    return { spans: this.#kept?.map(({ span }) => span), count: this.#count, atOnce: this.#atOnce };
  }

  #leave(key: string, at: Moment): void {
    const holder = this.#take(key);
    if (holder !== undefined) holder.span = { ...holder.span, to: at };
  }

  #keep(holder: Holder<One>): void {
    if (this.#kept === undefined) return;
    if (this.#kept.length < KEPT) this.#kept.push(holder);
    else this.#kept = undefined;
  }

  #freeRow(): number {
    const free = this.#inRow.indexOf(0);
    return free < 0 ? ROWS - 1 : free;
  }

  #follow(key: string, holder: Holder<One>): void {
    if (this.#open.size >= MAX_OPEN) return;
    this.#open.set(key, holder);
    this.#inRow[holder.span.row] = (this.#inRow[holder.span.row] ?? 0) + 1;
    this.#atOnce = Math.max(this.#atOnce, this.#open.size);
  }

  /** Takes it from what is open. */
  #take(key: string): Holder<One> | undefined {
    const holder = this.#open.get(key);
    if (holder === undefined) return undefined;
    this.#open.delete(key);
    this.#inRow[holder.span.row] = (this.#inRow[holder.span.row] ?? 1) - 1;
    return holder;
  }
}
