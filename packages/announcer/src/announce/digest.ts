import type { ActivityTally, Phrases, SessionGroup, SessionStanding } from "@earshot/narrate";
import { type AnnouncementDraft, speakerLabelOf } from "./compose.ts";
import { type SessionTrack, trackStandingOf } from "./session-track.ts";
import { groupStandings } from "./standing.ts";
import { isNothing } from "./tally.ts";

/** One session's part of a summary. */
export interface DigestEntry {
  readonly lane: SessionTrack;
  readonly requests: number;
  readonly tally: ActivityTally;
  /** Whether its state is included. */
  readonly stands: boolean;
}

export interface DigestOptions {
  readonly about: "digest" | "overview";
  /** Whether the numbers are in addition to announced ones. */
  readonly more: boolean;
  /** Sessions that are only counted. */
  readonly elsewhere: readonly SessionGroup[];
}

/** Sessions named one by one; the rest is counted by state. */
const MAX_TOLD = 5;

/** Waiting sessions come first, then failed, finished and running ones. */
export function composeDigest(
  entries: readonly DigestEntry[],
  phrases: Phrases,
  { about, more, elsewhere }: DigestOptions,
): AnnouncementDraft {
  const sorted = entries.toSorted((one, other) => rank(standing(one)) - rank(standing(other)));
  const told = sorted.slice(0, MAX_TOLD).map((entry) => inWords(entry, phrases, more));
  const rest = groupStandings(sorted.slice(MAX_TOLD).map(standing), elsewhere);
  const text = [...told, ...(rest.length === 0 ? [] : [phrases.others(rest)])].join(" ");
  return {
    about,
    urgency: "normal",
    segments: [{ text, language: phrases.language }],
    lanes: sorted.map(({ lane }) => lane),
    count: entries.reduce((sum, { tally }) => sum + tally.calls + tally.failures + tally.outputs + tally.messages, entries.length),
  };
}

function inWords(entry: DigestEntry, phrases: Phrases, more: boolean): string {
  const from = speakerLabelOf(entry.lane, phrases);
  const counted = isNothing(entry.tally) ? "" : phrases.counted(entry.tally, more);
  if (!entry.stands) return `${from}: ${counted}.`;
  return `${from} ${phrases.standing(standing(entry))}${counted === "" ? "" : `: ${counted}`}.`;
}

function standing({ lane, requests }: DigestEntry): SessionStanding {
  return trackStandingOf(lane, requests);
}

function rank(standing: SessionStanding): number {
  if (standing.is === "waiting") return 0;
  if (standing.is !== "ended") return 3;
  return standing.outcome === "failed" ? 1 : 2;
}
