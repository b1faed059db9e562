import { counted } from "./amounts.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** By the clock of whoever reads: `14:02:11`. */
export function clockTime(at: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "at an unknown time";
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** `15 November 2026` */
export function dayInWords(at: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "an unknown day";
  return time.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** `14:02:11` today, `15 November 2026 at 14:02:11` on another day. */
export function momentInWords(at: number, now: number): string {
  return isSameDay(at, now) ? clockTime(at) : `${dayInWords(at)} at ${clockTime(at)}`;
}

/** How long ago while that says something, and the time beside it when it no longer tells: `3 minutes ago`, `yesterday at 09:12:00`. */
export function agoInWords(at: number, now: number): string {
  const ago = now - at;
  if (ago < 2000) return "just now"; // also from a clock that is a little ahead of ours
  if (ago < MINUTE) return `${counted(Math.floor(ago / 1000), "second")} ago`;
  if (ago < HOUR) return `${counted(Math.floor(ago / MINUTE), "minute")} ago`;
  if (isSameDay(at, now)) return `${counted(Math.floor(ago / HOUR), "hour")} ago, at ${clockTime(at)}`;
  if (isSameDay(at, dayBefore(now))) return `yesterday at ${clockTime(at)}`;
  return momentInWords(at, now);
}

function isSameDay(at: number, other: number): boolean {
  return new Date(at).toDateString() === new Date(other).toDateString();
}

function dayBefore(now: number): number {
  const day = new Date(now);
  day.setDate(day.getDate() - 1);
  return day.getTime();
}
