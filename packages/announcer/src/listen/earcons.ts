import type { AnnouncementSubject } from "../announce/announcement.ts";

/** Short sounds for the kind of announcement that follows. */
export type EarconName = "request" | "guard" | "failure" | "ended";

/** A note: pitch in hertz, start and duration in seconds. */
export type EarconTone = readonly [pitch: number, at: number, lasts: number];

/**
 * Distinguished by shape, not loudness: rising for a question, falling for a failure, one soft note for an end, a warble for the guard.
 */
export const EARCON_TONES: Readonly<Record<EarconName, readonly EarconTone[]>> = {
  request: [
    [587, 0, 0.14],
    [880, 0.15, 0.22],
  ],
  guard: [
    [880, 0, 0.1],
    [622, 0.11, 0.1],
    [880, 0.22, 0.1],
    [622, 0.33, 0.2],
  ],
  failure: [
    [392, 0, 0.16],
    [262, 0.17, 0.26],
  ],
  ended: [[523, 0, 0.22]],
};

const SOUNDS: Readonly<Partial<Record<AnnouncementSubject, EarconName>>> = {
  request: "request",
  guard: "guard",
  failure: "failure",
  ended: "ended",
};

/** The sound of an announcement; most have none. */
export function earconFor(about: AnnouncementSubject): EarconName | undefined {
  return SOUNDS[about];
}
