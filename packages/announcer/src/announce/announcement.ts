import type { Segment } from "@earshot/narrate";

/** What an announcement is about: the key to a sound, a style, a filter. */
export type About =
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

/** One thing to say now. */
export interface Announcement {
  /** The same when it is said again because it was interrupted. */
  readonly id: string;
  readonly about: About;
  readonly urgency: Urgency;
  readonly segments: readonly Segment[];
  /** The segments in one line. Agent, project and verb are in its first 40 characters where a source is named. */
  readonly text: string;
  readonly words: number;
  /** Something less urgent is being spoken: stop it first. The announcer knows; what was stopped is said again later. */
  readonly interrupts: boolean;
  /** The ids of all sessions that it tells about. */
  readonly sessions: readonly string[];
  /** Keys of the requests that it tells, of which it may read only the first: `waiting` lists them all. */
  readonly requests: readonly string[];
  /** Ids of events that it tells, as far as they have any; at most 32. */
  readonly events: readonly string[];
  /** How many things it stands for. */
  readonly count: number;
  /** A person asked for it: it waits for no pace and is not thinned. */
  readonly demanded?: true;
}

/** A question that nobody has answered yet. */
export interface OpenRequest {
  /** Names it in announcements and in `settled`; unique among all sessions. */
  readonly key: string;
  readonly session: string;
  readonly agent: string;
  /** `Codex in shop`. */
  readonly from: string;
  readonly kind: "confirmation" | "clarification" | "permission" | "handoff";
  /** What a reply refers to, where there is something. */
  readonly token?: string;
  readonly eventId?: string;
  /** As it is announced, without the source. */
  readonly segments: readonly Segment[];
  readonly text: string;
  readonly choices?: readonly string[];
  readonly askedAt: number;
  /** When the asker stops waiting, by the clock that is passed in. */
  readonly deadline?: number;
  /** Whether an announcement told it, alone or among others. */
  readonly told: boolean;
}

/** Something to say that no event says: the hub knows it, or whoever watches the hub. */
export interface Notice {
  /**
   * `guard-lost`: what used to ask before it acts was not asked, or the hub cannot hear any more. It passes quiet mode and
   * every mute. `request`: about what waits for an answer, such as that its time is nearly over; it passes them too. `other`
   * is announced in turn.
   */
  readonly topic: "guard-lost" | "request" | "other";
  readonly text: string;
  readonly language?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly session?: string;
}
