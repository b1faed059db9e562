import type { Announcement } from "../announcement.ts";
import type { Announcer } from "../announcer.ts";

/** Speaks everything due until a time, each to its end at the configured pace, and returns it. */
export function speakUntil(announcer: Announcer, from: number, until: number): readonly Announcement[] {
  const heard: Announcement[] = [];
  let at = from;
  for (;;) {
    const due = announcer.dueAt();
    if (due === undefined || Math.max(due, at) > until) return heard;
    at = Math.max(due, at);
    const announcement = announcer.next(at);
    if (announcement === undefined) {
      if ((announcer.dueAt() ?? Number.POSITIVE_INFINITY) <= at) throw new Error(`Due at ${at}, and nothing to say`);
      continue;
    }
    heard.push(announcement);
    at += (announcement.words * 60_000) / announcer.settings.paceWpm;
    announcer.spoken(announcement.id, at);
  }
}

export function announcementTexts(announcements: readonly Announcement[]): readonly string[] {
  return announcements.map(({ text }) => text);
}
