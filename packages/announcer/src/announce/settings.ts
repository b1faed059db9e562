import type { Verbosity } from "@earshot/narrate";

/** One person's preferences. Changes also apply to waiting announcements. */
export interface AnnouncerSettings {
  /** Sentence length. It never decides whether something is announced. */
  readonly verbosity: Verbosity;
  /** Words per minute. Critical announcements ignore it. */
  readonly paceWpm: number;
  /** `low`: critical events, results and ends; `medium`: also the work; `high`: everything. The rest is summed up. */
  readonly load: "low" | "medium" | "high";
  /** BCP 47 tag of the announcer's own words. */
  readonly language: string;
  /** Only this session and its subagents are announced as they happen; others are summed up. Ends with the session. */
  readonly follow: string | undefined;
  readonly mutes: readonly Mute[];
  /** Only critical announcements and a lost guard. The rest is summed up afterwards. */
  readonly quiet: boolean;
  /** Whether the source is always named, or only while several sessions are live. */
  readonly source: "always" | "several";
  /** How often muted, thinned or unfollowed activities are summed up. */
  readonly digestMs: number;
}

/** A session including its subagents, an agent by id or name, or a project by folder or folder name. */
export type Mute = { readonly session: string } | { readonly agent: string } | { readonly project: string };

export const DEFAULT_ANNOUNCER_SETTINGS: AnnouncerSettings = {
  verbosity: "normal",
  paceWpm: 180,
  load: "medium",
  language: "en",
  follow: undefined,
  mutes: [],
  quiet: false,
  source: "several",
  digestMs: 120_000,
};

const SLOWEST_WPM = 50;
const FASTEST_WPM = 1000;
const SHORTEST_DIGEST_MS = 5000;
const LONGEST_DIGEST_MS = 3_600_000;

/** Clamps values: with a pace of zero nothing would ever be spoken. */
export function changeAnnouncerSettings(settings: AnnouncerSettings, changes: Partial<AnnouncerSettings>): AnnouncerSettings {
  const changed = { ...settings, ...changes };
  return {
    ...changed,
    paceWpm: within(changed.paceWpm, SLOWEST_WPM, FASTEST_WPM, DEFAULT_ANNOUNCER_SETTINGS.paceWpm),
    digestMs: within(changed.digestMs, SHORTEST_DIGEST_MS, LONGEST_DIGEST_MS, DEFAULT_ANNOUNCER_SETTINGS.digestMs),
  };
}

function within(value: number, least: number, most: number, otherwise: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
}
