import type { SpanLanes, TraceMoment, TraceSpan } from "../trace.ts";

/** More spans than this cannot be told apart in a picture. */
const KEPT = 600;
/** The maximum number of spans open at once. Further spans are counted but not followed. */
export const MAX_OPEN_SPANS = 256;
/** Rows drawn below each other; further spans share the last row. */
const ROWS = 8;

/** The common fields of every span in a lane with rows. */
export interface RowSpan extends TraceSpan {
  readonly row: number;
}

interface Holder<One> {
  span: One;
}

/**
 * The spans of one lane: the open ones by key, and the kept ones. A lane with too many spans keeps none, because a subset would look
 * complete.
 */
export class OpenSpans<One extends RowSpan> {
  readonly #open = new Map<string, Holder<One>>();
  /** Number of open spans in each row. */
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

  /** The key of the matching span that has been open longest. */
  search(fits: (span: One) => boolean): string | undefined {
    for (const [key, { span }] of this.#open) if (fits(span)) return key;
    return undefined;
  }

  /** Opens a span and generates a key if none is given. Reopening a key starts a new span. */
  begin(key: string | undefined, at: TraceMoment, make: (begun: RowSpan) => One): string {
    const own = key ?? `#${++this.#unkeyed}`;
    this.#leave(own, at);
    this.#count++;
    const holder = { span: make({ from: at, to: at, open: true, row: this.#freeRow() }) };
    this.#keep(holder);
    this.#follow(own, holder);
    return own;
  }

  /** Updates an open span. */
  change(key: string, change: (span: One) => One): void {
    const holder = this.#open.get(key);
    if (holder !== undefined) holder.span = change(holder.span);
  }

  end(key: string, at: TraceMoment, change: (span: One) => One = (span) => span): void {
    const holder = this.#take(key);
    if (holder !== undefined) holder.span = { ...change(holder.span), to: at, open: false };
  }

  endAll(at: TraceMoment): void {
    for (const key of [...this.#open.keys()]) this.end(key, at);
  }

  /** Adds a span without duration. */
  instant(at: TraceMoment, make: (begun: RowSpan) => One): void {
    this.end(this.begin(undefined, at, make), at);
  }

  /** Closes all open spans at the end of the session, marked as not ended. */
  leaveAll(at: TraceMoment): void {
    for (const key of [...this.#open.keys()]) this.#leave(key, at);
  }

  /** Returns the lane; spans still open extend to the last moment. */
  lane(last: TraceMoment): SpanLanes<One> {
    this.leaveAll(last);
    return { spans: this.#kept?.map(({ span }) => span), count: this.#count, atOnce: this.#atOnce };
  }

  #leave(key: string, at: TraceMoment): void {
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
    if (this.#open.size >= MAX_OPEN_SPANS) return;
    this.#open.set(key, holder);
    this.#inRow[holder.span.row] = (this.#inRow[holder.span.row] ?? 0) + 1;
    this.#atOnce = Math.max(this.#atOnce, this.#open.size);
  }

  /** Removes a span from the open ones. */
  #take(key: string): Holder<One> | undefined {
    const holder = this.#open.get(key);
    if (holder === undefined) return undefined;
    this.#open.delete(key);
    this.#inRow[holder.span.row] = (this.#inRow[holder.span.row] ?? 1) - 1;
    return holder;
  }
}
