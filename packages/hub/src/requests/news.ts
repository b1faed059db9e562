import type { News, NewsKind, NewsList } from "./api.ts";

const KEPT = 1000;

/** What happened to requests, for whoever wants to be told at once: the last thousand, numbered. */
export class NewsDesk {
  readonly #now: () => number;
  readonly #waiting = new Set<() => void>();
  /** With the time in milliseconds: most are told to nobody. */
  #news: (Omit<News, "at"> & { readonly at: number })[] = [];
  #number: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#number = now(); // numbers of an earlier life of the hub are smaller
  }

  tell(what: NewsKind, text: string, about: { readonly request?: string; readonly session?: string } = {}): void {
    this.#number++;
    this.#news.push({ number: this.#number, at: this.#now(), what, request: about.request ?? null, session: about.session ?? null, text });
    if (this.#news.length > 2 * KEPT) this.#news = this.#news.slice(-KEPT);
    for (const wake of [...this.#waiting]) wake();
  }

  after(number: number): NewsList {
    const [oldest] = this.#news;
    const missed = number > 0 && number < this.#number && (oldest === undefined || number < oldest.number - 1);
    const news = this.#news.filter((one) => one.number > number);
    return { news: news.map((one) => ({ ...one, at: new Date(one.at).toISOString() })), next: this.#number, missed };
  }

  /** Fulfils when there is more than this, or when the time is up. */
  async wait(number: number, ms: number, signal?: AbortSignal): Promise<NewsList> {
    if (this.#number <= number && ms > 0) await waitFor(this.#waiting, ms, signal);
    return this.after(number);
  }
}

/** Fulfils when somebody wakes those who wait, when the time is up, or when nobody listens any more. */
export function waitFor(waiting: Set<() => void>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      waiting.delete(done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    waiting.add(done);
    if (signal?.aborted === true) done();
    else signal?.addEventListener("abort", done);
  });
}
