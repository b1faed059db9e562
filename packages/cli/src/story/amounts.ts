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
