import type { About, Announcement, Segment, Urgency } from "./announcement.ts";
import { type Lane, shortAgent, shortProject } from "./lane.ts";
import { countWords } from "./speakable.ts";
import type { Speaker } from "./speaker.ts";
import type { Phrases, Words } from "./words.ts";

/** An announcement before it has a number. */
export interface Draft {
  readonly about: About;
  readonly urgency: Urgency;
  readonly segments: readonly Segment[];
  readonly lanes: readonly Lane[];
  readonly requests?: readonly string[];
  readonly events?: readonly (string | undefined)[];
  readonly count?: number;
}

const MOST_EVENTS = 32;

export function toAnnouncement(
  draft: Draft,
  id: string,
  extras: { readonly interrupts: boolean; readonly demanded: boolean },
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
    events: events.filter((event) => event !== undefined).slice(0, MOST_EVENTS),
    count,
    ...(extras.demanded ? { demanded: true } : {}),
  };
}

/** Several agents may speak in one session: who said it counts. */
export function fromOf(lane: Lane, phrases: Phrases, { agentName, agent }: Speaker = lane): string {
  return phrases.from(shortAgent({ agentName: agentName ?? (agent === "" ? lane.agentName : agent) }), shortProject(lane));
}

/** Source, verb, words. The source comes first where it is named, so that a listener knows at once whom it is about. */
export function introduce(words: Words, from: string | undefined, aside?: string): readonly Segment[] {
  const { verb, language, segments } = words;
  const said = [from, from === undefined ? capital(verb) : verb].filter((part) => part !== undefined && part !== "").join(" ");
  const head = aside === undefined ? said : `${said}, ${aside}`;
  if (head === "") return segments;
  return [{ text: segments.length === 0 ? `${head}.` : `${head}:`, language }, ...segments];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
