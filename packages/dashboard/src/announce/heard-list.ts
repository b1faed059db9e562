import type { About, Announcement, Urgency } from "@earshot/announcer";
import type { Segment } from "@earshot/narrate";

/** An announcement that was made. */
export interface Heard {
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly about: About;
  readonly urgency: Urgency;
  readonly segments: readonly Segment[];
  readonly sessions: readonly string[];
}

export const MAX_HEARD = 100;
const KEY = "earshot-heard";

/** The last hundred announcements, oldest first, identical in all tabs. Survives a page reload; ends with the tab. */
export class HeardList {
  readonly #listeners = new Set<() => void>();
  #items: readonly Heard[] = read();

  get items(): readonly Heard[] {
    return this.#items;
  }

  /** An announcement that is repeated moves to its latest position. */
  add(...heard: readonly Heard[]): void {
    const ids = new Set(heard.map(({ id }) => id));
    this.#items = [...this.#items.filter(({ id }) => !ids.has(id)), ...heard].sort((one, other) => one.at - other.at).slice(-MAX_HEARD);
    try {
      sessionStorage.setItem(KEY, JSON.stringify(this.#items));
    } catch {
      // Storage is full or forbidden: the list lasts as long as the page.
    }
    for (const listener of this.#listeners) listener();
  }

  /** Returns the function that stops it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export function toHeard({ id, about, urgency, segments, sessions }: Announcement, at: number, tab: string): Heard {
  return { id: `${tab} ${id}`, at, about, urgency, segments, sessions };
}

function read(): readonly Heard[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as unknown;
    return Array.isArray(kept) ? (kept as readonly Heard[]).slice(-MAX_HEARD) : [];
  } catch {
    return [];
  }
}
