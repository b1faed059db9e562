import type { Announcement } from "@earshot/announcer";

const FORGOTTEN_MS = 120_000;
const MAX_FAILURES = 100;

/** Repeated failures of a session within two minutes are suppressed, unless critical. */
export class AnnouncedFailures {
  readonly #lastAnnounced = new Map<string, number>();

  note(announcement: Announcement, at: number): void {
    if (announcement.about !== "failure") return;
    const key = keyOf(announcement);
    this.#lastAnnounced.delete(key);
    this.#lastAnnounced.set(key, at);
    for (const oldest of this.#lastAnnounced.keys()) {
      if (this.#lastAnnounced.size <= MAX_FAILURES) return;
      this.#lastAnnounced.delete(oldest);
    }
  }

  isAgain(announcement: Announcement, at: number): boolean {
    if (announcement.about !== "failure" || announcement.urgency === "critical" || announcement.demanded === true) return false;
    const before = this.#lastAnnounced.get(keyOf(announcement));
    return before !== undefined && at - before < FORGOTTEN_MS;
  }
}

/** The key ignores the source, which is not always named. */
function keyOf({ sessions, segments }: Announcement): string {
  return JSON.stringify([sessions, segments.length, segments.at(-1)?.text]);
}
