import type { Verbosity } from "@earshot/narrate";

/** How one person wants to hear. All of it may change at any time, also for what waits to be said. */
export interface AnnouncerSettings {
  /** How long the sentences are. It never decides whether something is said. */
  readonly verbosity: Verbosity;
  /** Words per minute. What is critical does not wait for it. */
  readonly paceWpm: number;
  /** `low`: what is critical, results and ends; `medium`: also the work; `high`: everything. The rest is summed up. */
  readonly load: "low" | "medium" | "high";
  /** BCP 47, of our own words. */
  readonly language: string;
  /** Only this session and its subagents are told as they go; the others are summed up. Over when the session is. */
  readonly follow: string | undefined;
  readonly mutes: readonly Mute[];
  /** Only what is critical, and a lost guard. What was not said is summed up afterwards. */
  readonly quiet: boolean;
  /** Whether the source is named always, or only while several sessions are live. */
  readonly source: "always" | "several";
  /** How often what is muted, thinned or not followed is summed up. */
  readonly digestMs: number;
}

/** A session, which includes its subagents; an agent by id or name; a project by its folder or the folder's name. */
export type Mute = { readonly session: string } | { readonly agent: string } | { readonly project: string };

export const DEFAULT_SETTINGS: AnnouncerSettings = {
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

/** With bounds: a pace of nothing would never say anything again. */
export function changeSettings(settings: AnnouncerSettings, changes: Partial<AnnouncerSettings>): AnnouncerSettings {
  const changed = { ...settings, ...changes };
  return {
    ...changed,
    paceWpm: within(changed.paceWpm, SLOWEST_WPM, FASTEST_WPM, DEFAULT_SETTINGS.paceWpm),
    digestMs: within(changed.digestMs, SHORTEST_DIGEST_MS, LONGEST_DIGEST_MS, DEFAULT_SETTINGS.digestMs),
  };
}

function within(value: number, least: number, most: number, otherwise: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
}
