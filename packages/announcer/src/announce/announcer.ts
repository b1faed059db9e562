import type { RequestSettling } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { AnnouncedRequest, Announcement, SpokenNotice } from "./announcement.ts";
import type { AnnouncerSettings } from "./settings.ts";

/**
 * Turns agents' activities into one announcement at a time for one person, at the person's pace, urgent ones first.
 *
 * Pure: it speaks nothing and reads no clock. Times are milliseconds of one monotonic clock. The caller asks for the `next` announcement
 * at `dueAt`, speaks it, and reports the result; until then only a critical one follows. All state is bounded; overflow is merged into
 * summaries, except critical announcements. Every request stays in `waiting` until it is settled.
 */
export interface Announcer {
  readonly settings: AnnouncerSettings;
  change(changes: Partial<AnnouncerSettings>, at: number): void;

  /** Activities in order within each session, each once. */
  handle(activity: Activity, at: number): void;
  notice(notice: SpokenNotice, at: number): void;
  /** Reports how a request ended when no event says so. */
  settled(request: string, how: RequestSettling, options: { readonly at: number; readonly by?: string }): void;
  /** Reports a later deadline of a request. */
  extended(request: string, deadline: number): void;

  /** The announcement to speak now. It replaces the current one if it says that it interrupts. */
  next(at: number): Announcement | undefined;
  /**
   * When to call `next` again (in the past for now); undefined when nothing waits, or only for the end of the current announcement. Any
   * input may change it.
   */
  dueAt(): number | undefined;
  /** It was spoken to its end. */
  spoken(id: string, at: number): void;
  /** It was interrupted and will be repeated. */
  interrupted(id: string, at: number): void;
  /** The person skipped it; it is not repeated. */
  skipped(id: string, at: number): void;

  /** Open requests, oldest first. The newest ones of a session with hundreds of them are only counted. */
  waiting(at: number): readonly AnnouncedRequest[];
  readonly unlisted: number;

  /** This and the following announcements are requested by the person and spoken at once. */
  missed(at: number): Announcement;
  /** The waiting and the running sessions. */
  overview(at: number): Announcement;
  /** Repeats the last announcement, or an earlier one. */
  repeat(at: number, back?: number): Announcement | undefined;

  /** The last 100 announcements, oldest first. */
  pastAnnouncements(): readonly Announcement[];
  /** Number of waiting announcements, including summaries. */
  readonly backlog: number;
}
