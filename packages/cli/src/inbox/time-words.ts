import { countInWords } from "../keeping/quantities.ts";

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
];

/** How long, as one says it: two units at most, and the smaller one only where it matters. */
export function durationInWords(ms: number): string {
  const whole = Math.max(0, Math.round(ms / 1000)) * 1000;
  const at = UNITS.findIndex(([unit]) => whole >= unit);
  const [unit, name] = UNITS[at] ?? [1000, "second"];
  const isLong = whole >= 10 * unit;
  const larger = isLong ? Math.round(whole / unit) : Math.floor(whole / unit);
  const [smallerUnit, smallerName] = UNITS[at + 1] ?? [Number.POSITIVE_INFINITY, ""];
  const smaller = at < 0 || isLong ? 0 : Math.floor((whole - larger * unit) / smallerUnit);
  const rest = smaller > 0 ? ` and ${countInWords(smaller, smallerName)}` : "";
  return `${countInWords(larger, name)}${rest}`;
}

/** The time of day where the person is; with the date when that is another day. */
export function whenInWords(at: number, now: number, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const time = new Intl.DateTimeFormat("en-GB", { ...zone, hour: "2-digit", minute: "2-digit" });
  const date = new Intl.DateTimeFormat("en-GB", { ...zone, day: "numeric", month: "long", year: "numeric" });
  return date.format(at) === date.format(now) ? time.format(at) : `${time.format(at)} on ${date.format(at)}`;
}
