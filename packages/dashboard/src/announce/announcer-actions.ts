import type { Mute } from "@earshot/announcer";
import { type SessionSource, sourceWords } from "@earshot/announcer";
import { changeBrowserSettings, currentSettings } from "../settings.ts";
import { muteWords, writeMute } from "./mutes.ts";
import { announceInRegion } from "./regions.ts";

const MAX_MUTED = 200;

/** Toggles a mute and announces the change. */
export function turnMute(mute: Mute, find: (session: string) => SessionSource | undefined): void {
  const text = writeMute(mute);
  const { muted } = currentSettings();
  const isMuted = muted.includes(text);
  changeBrowserSettings({ muted: isMuted ? muted.filter((one) => one !== text) : [...muted, text].slice(-MAX_MUTED) });
  announceInRegion(
    "polite",
    isMuted ? `You hear ${muteWords(mute, find)} again.` : `You hear only critical announcements from ${muteWords(mute, find)}.`,
  );
}

/** Toggles between announcing routine events of this session and its subagents only, and of all sessions. */
export function turnFollow(source: SessionSource): void {
  const isFollowed = currentSettings().follow === source.session;
  changeBrowserSettings({ follow: isFollowed ? "" : source.session });
  announceInRegion(
    "polite",
    isFollowed ? "You hear all sessions." : `You hear only this session of ${sourceWords(source)}, and critical announcements.`,
  );
}

export function turnQuiet(): void {
  const quiet = !currentSettings().quiet;
  changeBrowserSettings({ quiet });
  announceInRegion("polite", quiet ? "Quiet: you hear only critical announcements." : "You hear everything again.");
}
