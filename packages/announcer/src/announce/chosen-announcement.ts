import type { Announcement } from "./announcement.ts";
import type { BacklogOrder } from "./backlog.ts";
import type { AnnouncementDraft } from "./compose.ts";
import type { SessionTrack } from "./session-track.ts";

/** A possible next announcement. */
export interface AnnouncementCandidate {
  readonly waiting: BacklogOrder;
  /** Removes it from the waiting room; undefined if there are no words for it. */
  readonly compose: () => ChosenAnnouncement | undefined;
}

/** An announcement to speak or repeat. */
export type ChosenAnnouncement =
  | { readonly draft: AnnouncementDraft; readonly giveBack?: ReturnToBacklog }
  | { readonly again: Announcement; readonly lane: SessionTrack | undefined };

/** Puts an interrupted announcement back in its place. Without it, the announcement itself is repeated. */
export type ReturnToBacklog = () => void;
