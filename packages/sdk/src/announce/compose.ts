import type { About, Announcement, Segment, Urgency } from "./announcement.ts";
import { type Lane, shortAgent, shortProject } from "./lane.ts";
import { countWords, cutText } from "./speakable.ts";
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
  const said = [from && roomFor(verb, from), from === undefined ? capital(verb) : verb]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
  const head = aside === undefined ? said : `${said}, ${aside}`;
  if (head === "") return segments;
  return [{ text: segments.length === 0 ? `${head}.` : `${head}:`, language }, ...segments];
}

/** What a short braille display shows at once. */
const SHOWN_AT_ONCE = 40;
const HEAD_OF_A_VERB = 9;
const LONGEST_HEAD = 14;

/** A source that leaves room for the beginning of a verb: some languages have long ones. The end of the project's name goes. */
function roomFor(verb: string, from: string): string {
  let head = "";
  for (const word of verb.split(" ")) {
    const longer = head === "" ? word : `${head} ${word}`;
    if (head.length >= HEAD_OF_A_VERB || (head !== "" && longer.length > LONGEST_HEAD)) break;
    head = longer;
  }
  const room = SHOWN_AT_ONCE - 1 - Math.min(head.length, LONGEST_HEAD);
  return from.length <= room ? from : `${cutText(from, room - 1).trimEnd()}…`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
