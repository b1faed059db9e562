import type { Segment } from "@earshot/narrate";

/** The subject of an announcement, which selects its sound, style and filter. */
export type AnnouncementSubject =
  | "request"
  | "settled"
  | "guard"
  | "failure"
  | "ended"
  | "started"
  | "output"
  | "tool"
  | "state"
  | "message"
  | "digest"
  | "overview";

export type Urgency = "critical" | "normal" | "background";

/** One text to speak now. */
export interface Announcement {
  /** Unchanged when it is repeated after an interruption. */
  readonly id: string;
  readonly about: AnnouncementSubject;
  readonly urgency: Urgency;
  readonly segments: readonly Segment[];
  /** The segments in one line. If a source is named, the first 40 characters hold agent, project and verb. */
  readonly text: string;
  readonly words: number;
  /** Stop the less urgent announcement being spoken; the announcer repeats it later. */
  readonly interrupts: boolean;
  /** Ids of all sessions it covers. */
  readonly sessions: readonly string[];
  /** Keys of the requests it covers, even if it reads only the first one; `waiting` lists them all. */
  readonly requests: readonly string[];
  /** Ids of the events it covers; at most 32. */
  readonly events: readonly string[];
  /** When what it tells was heard, by the clock that is passed in: at most ten seconds before it is said, unless it is critical. */
  readonly heardAt: number;
  /** Number of events it covers. */
  readonly count: number;
  /** Requested by the person, so it is neither paced nor thinned. */
  readonly demanded?: true;
}

/** An unanswered question. */
export interface AnnouncedRequest {
  /** Identifies it in announcements and in `settled`; unique among all sessions. */
  readonly key: string;
  readonly session: string;
  readonly agent: string;
  /** `Codex in shop`. */
  readonly from: string;
  readonly kind: "confirmation" | "clarification" | "permission" | "handoff";
  /** The token a reply refers to, if any. */
  readonly token?: string;
  readonly eventId?: string;
  /** The announced text without the source. */
  readonly segments: readonly Segment[];
  readonly text: string;
  readonly choices?: readonly string[];
  readonly askedAt: number;
  /** When the asker stops waiting, by the caller's clock. */
  readonly deadline?: number;
  /** Whether an announcement covered it, alone or among others. */
  readonly isAnnounced: boolean;
}

/** A text that comes from the hub or its observer rather than from an event. */
export interface SpokenNotice {
  /**
   * `guard-lost`: an agent acted without asking, or the hub cannot be reached; passes quiet mode and every mute. `request`: about an open
   * request, for example that its time is nearly over; passes them as well. `other`: announced in turn.
   */
  readonly topic: "guard-lost" | "request" | "other";
  readonly text: string;
  readonly language?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly session?: string;
}
