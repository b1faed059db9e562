import type { Mute } from "@earshot/announcer";
import { type Source, sourceWords } from "@earshot/announcer";
import { changeSettings, settings } from "../settings.ts";
import { muteWords, writeMute } from "./mutes.ts";
import { tellRegion } from "./regions.ts";

const MAX_MUTED = 200;

/** Toggles a mute and announces the change. */
export function turnMute(mute: Mute, find: (session: string) => Source | undefined): void {
  const text = writeMute(mute);
  const { muted } = settings();
  const isMuted = muted.includes(text);
  changeSettings({ muted: isMuted ? muted.filter((one) => one !== text) : [...muted, text].slice(-MAX_MUTED) });
  tellRegion(
    "polite",
    isMuted ? `You hear ${muteWords(mute, find)} again.` : `You hear only critical announcements of ${muteWords(mute, find)}.`,
  );
}

/** Toggles between announcing routine events of this session and its subagents only, and of all sessions. */
export function turnFollow(source: Source): void {
  const isFollowed = settings().follow === source.session;
  changeSettings({ follow: isFollowed ? "" : source.session });
  tellRegion(
    "polite",
    isFollowed ? "You hear all sessions." : `You hear only this session of ${sourceWords(source)}, and critical announcements.`,
  );
}

export function turnQuiet(): void {
  const quiet = !settings().quiet;
  changeSettings({ quiet });
  tellRegion("polite", quiet ? "Quiet: you hear only critical announcements." : "You hear everything again.");
}
