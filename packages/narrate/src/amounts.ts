import { ENGLISH_MOMENTS, type MomentWords } from "./words/moments.ts";

/** Numbers in words and digits: one place for every surface. Dates are in the time zone of the process or the browser. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  ["day", DAY, "d"],
  ["hour", HOUR, "h"],
  ["minute", MINUTE, "min"],
  ["second", SECOND, "s"],
  ["millisecond", 1, "ms"],
] as const;
type Unit = (typeof UNITS)[number][0];

/** Cached, because creating an `Intl` format costs far more than using it. */
const FORMATS = new Map<string, Intl.NumberFormat>();

function numberFormat(language: string, unit?: Unit): Intl.NumberFormat {
  const key = `${language} ${unit ?? ""}`;
  const made = FORMATS.get(key) ?? new Intl.NumberFormat(language, unit === undefined ? {} : { style: "unit", unit, unitDisplay: "long" });
  FORMATS.set(key, made);
  return made;
}

/** `350 milliseconds`, `1.2 seconds`, `4 minutes 12 seconds`, `3 days 4 hours`: the two largest units. */
export function formatDuration(durationMs: number, language = "en"): string {
  return inUnits(durationMs, (number, unit) => numberFormat(language, unit).format(number));
}

/** `350 ms`, `1.2 s`, `4 min 12 s`, `3 d 4 h`, for narrow places. */
export function formatShortDuration(durationMs: number): string {
  return inUnits(durationMs, (number, unit) => `${number} ${UNITS.find(([name]) => name === unit)?.[2]}`);
}

function inUnits(durationMs: number, format: (number: number, unit: Unit) => string): string {
  const ms = Math.max(0, Math.round(durationMs));
  if (!Number.isFinite(ms)) return "unknown time";
  if (ms < SECOND) return format(ms, "millisecond");
  if (ms < 10 * SECOND) return format(Math.round(ms / 100) / 10, "second");
  const seconds = Math.round(ms / SECOND) * SECOND;
  if (seconds < MINUTE) return format(seconds / SECOND, "second");
  const minutes = Math.round(ms / MINUTE) * MINUTE;
  const [whole, index] = seconds < HOUR ? [seconds, 2] : minutes < DAY ? [minutes, 1] : [Math.round(ms / HOUR) * HOUR, 0];
  const [large, largeMs] = UNITS[index] ?? UNITS[0];
  const [small, smallMs] = UNITS[index + 1] ?? UNITS[1];
  const rest = Math.round((whole % largeMs) / smallMs);
  const first = format(Math.floor(whole / largeMs), large);
  return rest === 0 ? first : `${first} ${format(rest, small)}`;
}

export function formatNumber(number: number, language = "en"): string {
  return numberFormat(language).format(number);
}

/** `1 call`, `1,500 entries`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

const SIZES = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `12 bytes`, `3.4 kB`, `120 MB`. */
export function formatSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 999.5 && unit < SIZES.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit > 0 && size < 9.95 ? Math.round(size * 10) / 10 : Math.round(size)} ${SIZES[unit]}`;
}

/** Small amounts keep two significant digits: `0.0042 US dollars`. */
export function formatMoney(usd: number): string {
  return `${formatDollars(usd)} US dollars`;
}

/** `$0.0042`. */
export function formatShortMoney(usd: number): string {
  return `${usd < 0 ? "-" : ""}$${formatDollars(Math.abs(usd))}`;
}

function formatDollars(usd: number): string {
  const isSmall = usd !== 0 && Math.abs(usd) < 0.995;
  return isSmall
    ? usd.toLocaleString("en", { minimumFractionDigits: 2, maximumSignificantDigits: 2, roundingPriority: "morePrecision" })
    : usd.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

export interface TokenNumbers {
  readonly input?: number;
  readonly output?: number;
  readonly total?: number;
}

/**
 * `1,540 tokens`, or `1,540 tokens, 1,200 in, 340 out`. Nothing is added up: if the parts exceed the total, because some events report
 * one number and others report parts, both are listed. Empty without any number.
 */
export function formatTokens({ input, output, total }: TokenNumbers): string {
  const parts = [
    ...(input === undefined ? [] : [`${formatNumber(input)} in`]),
    ...(output === undefined ? [] : [`${formatNumber(output)} out`]),
  ];
  if (total !== undefined && (input ?? 0) + (output ?? 0) > total)
    return `${formatCount(total, "token")}; reported in parts: ${parts.join(", ")}`;
  if (total !== undefined) return [formatCount(total, "token"), ...parts].join(", ");
  return parts.length === 0 ? "" : `tokens ${parts.join(", ")}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function formatList(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** `14:02:11`. */
export function formatClock(at: number, words: MomentWords = ENGLISH_MOMENTS): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return words.unknownTime;
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** `15 November 2026`. */
export function formatDay(at: number, { locale, unknownDay }: MomentWords = ENGLISH_MOMENTS): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return unknownDay;
  return time.toLocaleDateString(locale, { day: "numeric", month: "long", year: "numeric" });
}

/** `14:02:11` today, `15 November 2026 at 14:02:11` on another day. */
export function formatMoment(at: number, now: number, words: MomentWords = ENGLISH_MOMENTS): string {
  return isSameDay(at, now) ? formatClock(at, words) : words.dayAt(formatDay(at, words), formatClock(at, words));
}

/** `14:02` today, `14:02 on 15 November 2026` on another day. */
export function formatTime(at: number, now: number, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const time = new Intl.DateTimeFormat("en-GB", { ...zone, hour: "2-digit", minute: "2-digit" });
  const date = new Intl.DateTimeFormat("en-GB", { ...zone, day: "numeric", month: "long", year: "numeric" });
  return date.format(at) === date.format(now) ? time.format(at) : `${time.format(at)} on ${date.format(at)}`;
}

/** `3 minutes ago`, `5 hours ago, at 09:02:11`, `yesterday at 09:12:00`. */
export function formatAgo(at: number, now: number, words: MomentWords = ENGLISH_MOMENTS): string {
  const ago = now - at;
  const since = (unitMs: number, unit: "second" | "minute" | "hour") =>
    new Intl.RelativeTimeFormat(words.locale).format(-Math.floor(ago / unitMs), unit);
  if (ago < 2000) return words.justNow; // also from a clock that is a little ahead of ours
  if (ago < MINUTE) return since(SECOND, "second");
  if (ago < HOUR) return since(MINUTE, "minute");
  if (isSameDay(at, now)) return words.agoAt(since(HOUR, "hour"), formatClock(at, words));
  if (isSameDay(at, dayBefore(now))) return words.yesterdayAt(formatClock(at, words));
  return formatMoment(at, now, words);
}

export function isSameDay(at: number, other: number): boolean {
  return new Date(at).toDateString() === new Date(other).toDateString();
}

function dayBefore(now: number): number {
  const day = new Date(now);
  day.setDate(day.getDate() - 1);
  return day.getTime();
}

/** A reported state as words. Waiting for a person has the same name on every surface. */
export function formatState(state: string): string {
  return state === "awaiting_input" ? "waiting for you" : spaceWords(state);
}

/** `in_progress`, `ran-despite-denial`, `expectedMs`: as words. */
export function spaceWords(name: string): string {
  return name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .trim();
}

/** `expectedMs`, `token_spend`: as a label. */
export function formatLabel(name: string): string {
  return capitalize(spaceWords(name).toLowerCase().replace(/ ms$/, " milliseconds"));
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const PROTOCOL_NAMES: Readonly<Record<string, string>> = { aaep: "AAEP", aep: "AEP", aop: "AOP" };

export function protocolName(protocol: string): string {
  return PROTOCOL_NAMES[protocol] ?? protocol;
}
