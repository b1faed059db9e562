/** RFC 3339 with uppercase `T` and `Z`; the allowed number of fraction digits differs by protocol. */
export const TIMESTAMP_PATTERN = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$";

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export interface ParsedTimestamp {
  /** Milliseconds since 1970, including fractions of a millisecond. */
  readonly ms: number;
  readonly fractionDigits: number;
  readonly utc: boolean;
}

/**
 * Parses a timestamp by hand: `Date.parse` accepts impossible days such as 30 February, and a regular expression per event costs more
 * than the rest of the check. A leap second (23:59:60 UTC) is accepted, as in RFC 3339. Returns undefined for anything that is not an
 * instant.
 */
export function readTimestamp(text: string): ParsedTimestamp | undefined {
  if (text === lastText) return lastInstant;
  lastInstant = parseTimestamp(text);
  // A long invalid text is not retained for the cache.
  lastText = text.length <= 64 ? text : "";
  return lastInstant;
}

// An event is read and then judged, and each step parses its time: the last result is cached.
let lastText = "";
let lastInstant: ParsedTimestamp | undefined;

function parseTimestamp(text: string): ParsedTimestamp | undefined {
  const length = text.length;
  if (length < 20 || length > 64) return undefined;
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(10) !== 84) return undefined;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  if (year < 0 || month < 1 || month > 12 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
    return undefined;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day < 1 || day > (DAYS[month - 1] as number) + (month === 2 && leap ? 1 : 0)) return undefined;

  let index = 19;
  let fraction = 0;
  if (text.charCodeAt(index) === 46) {
    const start = ++index;
    let scale = 100;
    while (index < length) {
      const digit = text.charCodeAt(index) - 48;
      if (digit < 0 || digit > 9) break;
      fraction += digit * scale;
      scale /= 10;
      index++;
    }
    if (index === start) return undefined;
  }
  const fractionDigits = index > 19 ? index - 20 : 0;
  let offsetMinutes = 0;
  const zone = text.charCodeAt(index);
  if (zone === 90) {
    if (index + 1 !== length) return undefined;
  } else if (zone === 43 || zone === 45) {
    if (index + 6 !== length || text.charCodeAt(index + 3) !== 58) return undefined;
    const hours = digits(text, index + 1, index + 3);
    const minutes = digits(text, index + 4, index + 6);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return undefined;
    offsetMinutes = (zone === 43 ? 1 : -1) * (hours * 60 + minutes);
  } else {
    return undefined;
  }
  const ms = daysSince1970(year, month, day) * 86_400_000 + (hour * 60 + minute - offsetMinutes) * 60_000 + second * 1000 + fraction;
  if (second === 60 && ((((ms - fraction) / 1000) % 86_400) + 86_400) % 86_400 !== 0) return undefined;
  return { ms, fractionDigits, utc: offsetMinutes === 0 };
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Days from a civil date, with the usual era arithmetic in which years begin in March. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
