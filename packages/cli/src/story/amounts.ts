/** Numbers as people say them: with their unit, and no more digits than anybody needs. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `350 milliseconds`, `1.2 seconds`, `4 minutes 12 seconds`, `3 days 4 hours`: the two largest units. */
export function durationInWords(durationMs: number): string {
  const ms = Math.max(0, Math.round(durationMs));
  if (!Number.isFinite(ms)) return "unknown time";
  if (ms < SECOND) return counted(ms, "millisecond");
  if (ms < 10 * SECOND) return counted(Math.round(ms / 100) / 10, "second");
  const seconds = Math.round(ms / SECOND) * SECOND;
  if (seconds < MINUTE) return counted(seconds / SECOND, "second");
  if (seconds < HOUR) return twoUnits(seconds, [MINUTE, "minute"], [SECOND, "second"]);
  const minutes = Math.round(ms / MINUTE) * MINUTE;
  if (minutes < DAY) return twoUnits(minutes, [HOUR, "hour"], [MINUTE, "minute"]);
  return twoUnits(Math.round(ms / HOUR) * HOUR, [DAY, "day"], [HOUR, "hour"]);
}

type Unit = readonly [ms: number, name: string];

function twoUnits(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.round((ms % large) / small);
  const first = counted(Math.floor(ms / large), largeName);
  return rest === 0 ? first : `${first} ${counted(rest, smallName)}`;
}

/** Small amounts keep two digits that say something: `0.0042 US dollars`. */
export function moneyInWords(usd: number): string {
  const isSmall = usd !== 0 && Math.abs(usd) < 0.995;
  const number = isSmall
    ? usd.toLocaleString("en", { minimumFractionDigits: 2, maximumSignificantDigits: 2, roundingPriority: "morePrecision" })
    : usd.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${number} US dollars`;
}

export interface TokenNumbers {
  readonly input?: number;
  readonly output?: number;
  readonly total?: number;
}

/**
 * `1,540 tokens`, or `1,540 tokens, 1,200 in, 340 out`. Nothing is added up here. Where some report one number and others
 * report parts, the parts may be more than the whole: then both are told apart. Empty where nobody counted.
 */
export function tokensInWords({ input, output, total }: TokenNumbers): string {
  const parts = [...(input === undefined ? [] : [`${thousands(input)} in`]), ...(output === undefined ? [] : [`${thousands(output)} out`])];
  if (total !== undefined && (input ?? 0) + (output ?? 0) > total)
    return `${counted(total, "token")}; reported in parts: ${parts.join(", ")}`;
  if (total !== undefined) return [counted(total, "token"), ...parts].join(", ");
  return parts.length === 0 ? "" : `tokens ${parts.join(", ")}`;
}

export function thousands(number: number): string {
  return number.toLocaleString("en");
}

export function counted(howMany: number, one: string, more = `${one}s`): string {
  return `${thousands(howMany)} ${howMany === 1 ? one : more}`;
}

/** `a`, `a and b`, `a, b and c` */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

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
