import type { Announcement } from "./announcement.ts";
import type { Waiting } from "./backlog.ts";
import type { Draft } from "./compose.ts";
import type { Lane } from "./lane.ts";

/** What may be said next. */
export interface Candidate {
  readonly waiting: Waiting;
  /** Takes it out of the waiting room; undefined where there are no words for it. */
  readonly tell: () => Chosen | undefined;
}

/** Something to say, or to say again. */
export type Chosen =
  | { readonly draft: Draft; readonly giveBack?: GiveBack }
  | { readonly again: Announcement; readonly lane: Lane | undefined };

/** How it goes back to where it was when it was cut short. Without it the announcement itself is said again. */
export type GiveBack = () => void;
