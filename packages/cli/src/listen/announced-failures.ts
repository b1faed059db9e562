import type { Announcement } from "@earshot/announcer";

const FORGOTTEN_MS = 120_000;
const MAX_FAILURES = 100;

/** Repeated failures of a session within two minutes are suppressed, unless critical. */
export class AnnouncedFailures {
  readonly #said = new Map<string, number>();

  said(announcement: Announcement, at: number): void {
    if (announcement.about !== "failure") return;
    const key = keyOf(announcement);
    this.#said.delete(key);
    this.#said.set(key, at);
    for (const oldest of this.#said.keys()) {
      if (this.#said.size <= MAX_FAILURES) return;
      this.#said.delete(oldest);
    }
  }

  isAgain(announcement: Announcement, at: number): boolean {
    if (announcement.about !== "failure" || announcement.urgency === "critical" || announcement.demanded === true) return false;
    const before = this.#said.get(keyOf(announcement));
    return before !== undefined && at - before < FORGOTTEN_MS;
  }
}

/** The key ignores the source, which is not always named. */
function keyOf({ sessions, segments }: Announcement): string {
  return JSON.stringify([sessions, segments.length, segments.at(-1)?.text]);
}
