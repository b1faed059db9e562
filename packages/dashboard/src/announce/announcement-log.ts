import type { Announcement, AnnouncementSubject, Urgency } from "@earshot/announcer";
import type { Segment } from "@earshot/narrate";

/** An announcement that was made. */
export interface PastAnnouncement {
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly about: AnnouncementSubject;
  readonly urgency: Urgency;
  readonly segments: readonly Segment[];
  readonly sessions: readonly string[];
}

export const MAX_PAST_ANNOUNCEMENTS = 100;
const KEY = "earshot-heard";

/** The last hundred announcements, oldest first, identical in all tabs. Survives a page reload; ends with the tab. */
export class AnnouncementLog {
  readonly #listeners = new Set<() => void>();
  #items: readonly PastAnnouncement[] = read();

  get items(): readonly PastAnnouncement[] {
    return this.#items;
  }

  /** An announcement that is repeated moves to its latest position. */
  add(...heard: readonly PastAnnouncement[]): void {
    const ids = new Set(heard.map(({ id }) => id));
    this.#items = [...this.#items.filter(({ id }) => !ids.has(id)), ...heard]
      .sort((one, other) => one.at - other.at)
      .slice(-MAX_PAST_ANNOUNCEMENTS);
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

export function toPastAnnouncement({ id, about, urgency, segments, sessions }: Announcement, at: number, tab: string): PastAnnouncement {
  return { id: `${tab} ${id}`, at, about, urgency, segments, sessions };
}

function read(): readonly PastAnnouncement[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as unknown;
    return Array.isArray(kept) ? (kept as readonly PastAnnouncement[]).slice(-MAX_PAST_ANNOUNCEMENTS) : [];
  } catch {
    return [];
  }
}
