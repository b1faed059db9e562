import type { Tokens } from "@earshot/translate";
import type { Catalogue } from "./catalogue.ts";
import { fill, fillCounted } from "./fill.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `about two minutes`: nobody plans by the second. */
export function aboutAloud(ms: number, catalogue: Catalogue): string {
  return fill(catalogue.quantities.about, { what: roughly(ms, catalogue) });
}

function roughly(ms: number, catalogue: Catalogue): string {
  const inFives = (unit: number) => (ms < 10 * unit ? ms / unit : Math.round(ms / (5 * unit)) * 5);
  if (ms < 55 * SECOND) return amount(ms < 1.5 * SECOND ? 1 : inFives(SECOND), "second", catalogue);
  if (ms < 55 * MINUTE) return amount(ms < 1.5 * MINUTE ? 1 : inFives(MINUTE), "minute", catalogue);
  if (ms < 2 * DAY) return amount(ms < 1.5 * HOUR ? 1 : ms / HOUR, "hour", catalogue);
  return amount(ms / DAY, "day", catalogue);
}

function amount(value: number, unit: "second" | "minute" | "hour" | "day", { quantities, numbers, language }: Catalogue): string {
  const whole = Math.round(value);
  return fillCounted(quantities[unit], whole, { n: numbers[whole] ?? whole.toLocaleString(language) });
}

/** `3 cents`, `1 dollar and 20 cents`, `140 dollars`. */
export function costAloud(dollars: number, { quantities, language }: Catalogue): string {
  const cents = Math.round(dollars * 100);
  if (cents < 1) return quantities.underACent;
  const whole = Math.floor(cents / 100);
  const rest = cents % 100;
  const small = fillCounted(quantities.cents, rest, { n: rest });
  if (whole === 0) return small;
  // Beside hundreds of dollars nobody counts cents.
  const isLarge = whole >= 100;
  const shown = isLarge ? Math.round(dollars) : whole;
  const large = fillCounted(quantities.dollars, shown, { n: shown.toLocaleString(language) });
  return rest === 0 || isLarge ? large : fill(quantities.dollarsAndCents, { dollars: large, cents: small });
}

/** `12 thousand tokens`. */
export function tokensAloud(tokens: number, { quantities, language }: Catalogue): string {
  if (tokens < 10_000) return fillCounted(quantities.tokens, tokens, { n: Math.round(tokens).toLocaleString(language) });
  if (tokens < 999_500) return fill(quantities.thousandTokens, { n: Math.round(tokens / 1000) });
  const millions = Math.round(tokens / 100_000) / 10;
  return fillCounted(quantities.millionTokens, millions, { n: millions.toLocaleString(language) });
}

/** All that was used; of what was supplied in parts, what went in and what came out. */
export function allTokens({ total, input, output }: Tokens): number | undefined {
  if (total !== undefined) return total;
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}

export function countAloud(template: string, count: number, language: string): string {
  return fillCounted(template, count, { n: count.toLocaleString(language) });
}
