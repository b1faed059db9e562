import type { Announcement } from "./announcement.ts";
import type { Waiting } from "./backlog.ts";
import type { Draft } from "./compose.ts";
import type { Lane } from "./lane.ts";

/** A possible next announcement. */
export interface Candidate {
  readonly waiting: Waiting;
  /** Removes it from the waiting room; undefined if there are no words for it. */
  readonly tell: () => Chosen | undefined;
}

/** An announcement to speak or repeat. */
export type Chosen =
  | { readonly draft: Draft; readonly giveBack?: GiveBack }
  | { readonly again: Announcement; readonly lane: Lane | undefined };

/** Puts an interrupted announcement back in its place. Without it, the announcement itself is repeated. */
export type GiveBack = () => void;
