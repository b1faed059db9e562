import { formatCount, formatSize } from "@earshot/narrate";
import { createUsageError } from "@earshot/terminal/usage";

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const UNITS_BYTES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** `30d`, `12h`: milliseconds. */
export function readDuration(text: string, flag: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS_MS[unit] ?? Number.NaN);
  if (number === "" || !Number.isFinite(ms))
    throw createUsageError(`${JSON.stringify(text)} is not a duration.`, `${flag} 30d, 12h, 90m or 4w`);
  return ms;
}

/** `2GB`, `500 MB`, `2GiB`: bytes. */
export function readSize(text: string, flag: string): number {
  const [, number = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?) ?([kmgt]?i?b)$/i.exec(text) ?? [];
  const bytes = Number(number) * (UNITS_BYTES[unit.toLowerCase()] ?? Number.NaN);
  if (number === "" || !Number.isSafeInteger(Math.floor(bytes)))
    throw createUsageError(`${JSON.stringify(text)} is not a size.`, `${flag} 2GB, 500MB or 2GiB`);
  return Math.floor(bytes);
}

/** The note printed when a ledger is created. */
export function retentionInWords({ days, bytes }: { readonly days: number; readonly bytes: number }): string {
  const limits = [...(days > 0 ? [formatCount(days, "day")] : []), ...(bytes > 0 ? [formatSize(bytes)] : [])];
  if (limits.length === 0) return "It is kept for good: no limit is set (retention in config.yaml).";
  return `It is kept for ${limits.join(" or ")}, whichever comes first; then the oldest go (retention in config.yaml).`;
}
