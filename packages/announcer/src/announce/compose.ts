import { countWords, type Phrases, type Segment } from "@earshot/narrate";
import type { About, Announcement, Urgency } from "./announcement.ts";
import { type Lane, shortAgent, shortProject } from "./lane.ts";
import type { Speaker } from "./speaker.ts";

/** An announcement without an id. */
export interface Draft {
  readonly about: About;
  readonly urgency: Urgency;
  readonly segments: readonly Segment[];
  readonly lanes: readonly Lane[];
  readonly requests?: readonly string[];
  readonly events?: readonly (string | undefined)[];
  readonly count?: number;
  /** Now, where it is left out. */
  readonly heardAt?: number;
}

const MAX_EVENTS = 32;

export function toAnnouncement(
  draft: Draft,
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
    words: countWords(text),
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
export function fromOf(lane: Lane, phrases: Phrases, { agentName, agent }: Speaker = lane): string {
  return phrases.from(shortAgent({ agentName: agentName ?? (agent === "" ? lane.agentName : agent) }), shortProject(lane));
}
