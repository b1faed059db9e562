import type { TokenAmounts } from "@earshot/protocol/activities";
import type { Catalogue } from "../words/catalogue.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `about two minutes`: rounded for listening. */
export function approximateDuration(ms: number, catalogue: Catalogue): string {
  return catalogue.quantities.about(roughly(ms, catalogue));
}

function roughly(ms: number, catalogue: Catalogue): string {
  const inFives = (unit: number) => (ms < 10 * unit ? ms / unit : Math.round(ms / (5 * unit)) * 5);
  if (ms < 55 * SECOND) return amount(ms < 1.5 * SECOND ? 1 : inFives(SECOND), "second", catalogue);
  if (ms < 55 * MINUTE) return amount(ms < 1.5 * MINUTE ? 1 : inFives(MINUTE), "minute", catalogue);
  if (ms < 2 * DAY) return amount(ms < 1.5 * HOUR ? 1 : ms / HOUR, "hour", catalogue);
  return amount(ms / DAY, "day", catalogue);
}

function amount(value: number, unit: "second" | "minute" | "hour" | "day", { quantities }: Catalogue): string {
  return quantities[unit](Math.round(value));
}

/** `3 cents`, `1 dollar and 20 cents`, `140 dollars`. */
export function spokenCost(dollars: number, { quantities }: Catalogue): string {
  const cents = Math.round(dollars * 100);
  if (cents < 1) return quantities.underACent;
  const whole = Math.floor(cents / 100);
  const rest = cents % 100;
  const small = quantities.cents(rest);
  if (whole === 0) return small;
  // With hundreds of dollars, cents do not matter.
  const isLarge = whole >= 100;
  const shown = isLarge ? Math.round(dollars) : whole;
  const large = quantities.dollars(shown);
  return rest === 0 || isLarge ? large : quantities.dollarsAndCents(large, small);
}

/** `12 thousand tokens`. */
export function spokenTokens(tokens: number, { quantities }: Catalogue): string {
  if (tokens < 10_000) return quantities.tokens(tokens);
  if (tokens < 999_500) return quantities.thousandTokens(Math.round(tokens / 1000));
  return quantities.millionTokens(Math.round(tokens / 100_000) / 10);
}

/** All used tokens; without a total, the sum of input and output. */
export function allTokens({ total, input, output }: TokenAmounts): number | undefined {
  if (total !== undefined) return total;
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}
