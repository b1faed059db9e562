import type { Settling } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { Announcement, Notice, OpenRequest } from "./announcement.ts";
import type { AnnouncerSettings } from "./settings.ts";

/**
 * Turns what agents do into what one person hears: one announcement at a time, at the person's pace, urgent first.
 *
 * Pure: it speaks nothing and reads no clock. Times are milliseconds of one clock that never runs backwards. The caller asks
 * for the `next` announcement when `dueAt` says so, speaks it, and reports how that went; until then there is no other,
 * unless it is critical. Everything it holds is bounded; what is too much is merged into summaries. What is critical is
 * never merged into one, and every request stays listed by `waiting` until it is settled.
 */
export interface Announcer {
  readonly settings: AnnouncerSettings;
  change(changes: Partial<AnnouncerSettings>, at: number): void;

  /** In the order in which they were said, within each session; each once. */
  hear(activity: Activity, at: number): void;
  notice(notice: Notice, at: number): void;
  /** Somebody knows how a request ended, and no event says so. */
  settled(request: string, how: Settling, options: { readonly at: number; readonly by?: string }): void;
  /** The asker waits for longer than it said: until then, by the clock that is passed in. */
  extended(request: string, deadline: number): void;

  /** What to say now. Whatever is being spoken stops when the announcement says that it interrupts. */
  next(at: number): Announcement | undefined;
  /**
   * When `next` is to be asked again, in the past where it is now; undefined where nothing waits, or where it waits for the
   * end of what is being spoken. Anything that is heard or reported may change it.
   */
  dueAt(): number | undefined;
  /** It was heard to its end. */
  spoken(id: string, at: number): void;
  /** It was cut short by something else: it is said again. */
  interrupted(id: string, at: number): void;
  /** The person wants to hear no more of it: it is not said again. */
  skipped(id: string, at: number): void;

  /** All that waits for an answer, oldest first. Of one that asks hundreds of times, the newest are only counted. */
  waiting(at: number): readonly OpenRequest[];
  readonly unlisted: number;

  /** Each of these was asked for by the person, and is to be spoken at once. */
  missed(at: number): Announcement;
  /** Who waits, and who runs. */
  overview(at: number): Announcement;
  /** The last announcement once more, or one before that. */
  repeat(at: number, back?: number): Announcement | undefined;

  /** The last 100 announcements, oldest first. */
  said(): readonly Announcement[];
  /** How many announcements wait, summaries included. */
  readonly backlog: number;
}
