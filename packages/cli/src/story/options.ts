import { formatNumber } from "@earshot/narrate";
import { createUsageError } from "@earshot/terminal/usage";
import { readDuration } from "../keeping/quantities.ts";

/** `--limit`: the maximum number shown. */
export function readLimit(text: string | undefined, usual: number, most = 100_000): number {
  if (text === undefined) return usual;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most)
    throw createUsageError(`--limit cannot be ${JSON.stringify(text)}.`, `Give a number from 1 to ${formatNumber(most)}.`);
  return number;
}

export function readPosition(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const digits = text.replace(/^#/, "");
  if (!/^\d{1,15}$/.test(digits)) throw createUsageError(`${flag} cannot be ${JSON.stringify(text)}.`, "Give a position: a whole number.");
  return Number(digits);
}

/** `2h` ago, or a local day or time: `2026-11-15`, `2026-11-15T14:00`. */
export function readTimeOption(text: string | undefined, flag: string, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+[a-z]$/.test(text)) return now - readDuration(text, flag);
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00`) : Date.parse(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(moment))
    throw createUsageError(`${flag} cannot be ${JSON.stringify(text)}.`, `${flag} 2h, 3d, 2026-11-15 or 2026-11-15T14:00`);
  return moment;
}

export function readDay(text: string | undefined, flag: string): string | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Some engines read 30 February as a day in March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text))
    throw createUsageError(`${flag} cannot be ${JSON.stringify(text)}.`, `Give a day: ${flag} 2026-11-15`);
  return text;
}

/** Several values of a list, separated by commas. */
export function readSeveral(text: string | undefined, flag: string, choices: readonly string[]): string | undefined {
  const unknown = text?.split(",").find((one) => !choices.includes(one));
  if (unknown !== undefined)
    throw createUsageError(`${flag} cannot be ${JSON.stringify(unknown)}.`, `Choose from ${choices.join(", ")}, separated by commas.`);
  return text;
}

/** The same command to copy, with quoting where a shell needs it. */
export function commandLine(...words: readonly string[]): string {
  return ["earshot", ...words.map((word) => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))].join(" ");
}

/** `--lang` of commands that put events into words. */
export const LANGUAGE_OPTION = {
  type: "string",
  default: Intl.DateTimeFormat().resolvedOptions().locale,
  value: "L",
  about: "output language: en or de (default: your system's)",
} as const;

export function readLanguage(text: string): string {
  if (/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(text)) return text;
  throw createUsageError(`--lang cannot be ${JSON.stringify(text)}.`, "Give a language: en, de, de-AT.");
}
