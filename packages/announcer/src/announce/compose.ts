import { countSpokenWords, type Phrases, type Segment } from "@earshot/narrate";
import type { Announcement, AnnouncementSubject, Urgency } from "./announcement.ts";
import { type SessionTrack, shortAgent, shortProject } from "./session-track.ts";
import type { ActivitySpeaker } from "./speaker.ts";

/** An announcement without an id. */
export interface AnnouncementDraft {
  readonly about: AnnouncementSubject;
  readonly urgency: Urgency;
  readonly segments: readonly Segment[];
  readonly lanes: readonly SessionTrack[];
  readonly requests?: readonly string[];
  readonly events?: readonly (string | undefined)[];
  readonly count?: number;
  /** Now, where it is left out. */
  readonly heardAt?: number;
}

const MAX_EVENTS = 32;

export function toAnnouncement(
  draft: AnnouncementDraft,
  id: string,
  extras: { readonly interrupts: boolean; readonly demanded: boolean; readonly at: number },
): Announcement {
  const text = draft.segments.map((segment) => segment.text).join(" ");
  const { requests = [], events = [], count = 1 } = draft;
  return {
    id,
    about: draft.about,
    urgency: draft.urgency,
    segments: draft.segments,
    text,
    words: countSpokenWords(text),
    interrupts: extras.interrupts,
    sessions: draft.lanes.map(({ session }) => session),
    requests,
    events: events.filter((event) => event !== undefined).slice(0, MAX_EVENTS),
    heardAt: draft.heardAt ?? extras.at,
    count,
    ...(extras.demanded ? { demanded: true } : {}),
  };
}

/** A session may have several agents, so the event's agent is named. */
export function speakerLabelOf(lane: SessionTrack, phrases: Phrases, { agentName, agent }: ActivitySpeaker = lane): string {
  return phrases.from(shortAgent({ agentName: agentName ?? (agent === "" ? lane.agentName : agent) }), shortProject(lane));
}
