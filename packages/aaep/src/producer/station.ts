import type { FeedPage, SessionNow } from "../feed.ts";
import type { Shaper } from "../shape/outgoing.ts";
import type { ResumePoint } from "../shape/resume-point.ts";
import type { Terms } from "../terms.ts";
import type { Offer } from "./offer.ts";

/** As much of a subscription as its producer has to be told about. */
export interface Listening {
  readonly isAttached: boolean;
  /** When it has something to do; undefined when only others can give it something to do. */
  dueAt(): number | undefined;
}

/** What a subscription needs of its producer. */
export interface Station {
  /** Where those that are up to date stand. */
  readonly position: number;
  readonly head: () => number;
  /** What follows a position: at hand, or from the feed. */
  readonly read: (after: number, limit: number) => FeedPage | Promise<FeedPage>;
  /** The same, when it is at hand. */
  readonly recent: (after: number, limit: number) => FeedPage | undefined;
  /** Where to go on after an event that was delivered; undefined when that is not known any more. */
  readonly locate: (eventId: string) => Promise<ResumePoint | undefined>;
  readonly running: () => Promise<readonly SessionNow[]>;
  readonly offer: () => Offer;
  readonly createShaper: (terms: Terms, at: number, resume?: ResumePoint) => Shaper;
  readonly newEventId: () => string;
  readonly monotonic: () => number;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
  /** Somebody came or went, or can do something else than before. */
  readonly moved: (who: Listening) => void;
  /** Something is due at another time than before. */
  readonly due: (who: Listening) => void;
}
