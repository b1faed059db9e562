import { maskSecrets, secretIn } from "@earshot/protocol/secrets";
import { own } from "../plain/own.ts";
import { toText } from "../plain/text.ts";

/** Character limits of the protocol per kind of text. */
export const MAX_CHARACTERS = { terse: 4096, text: 16_384, label: 1024, name: 256 } as const;

/** A summary: one sentence, or one for each verbosity. */
export type Summary = string | { readonly terse?: string | undefined; readonly normal: string; readonly detailed?: string | undefined };

/** Text for people without secrets, within its limit. Undefined for an empty text. */
export function toWords(value: unknown, most: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = withoutSecrets(toText(value).trim().toWellFormed().normalize("NFC"));
  return text === "" ? undefined : cutTo(text, most);
}

/** As `toWords`, with a default. */
export function toWordsOr(value: unknown, otherwise: string, most: number = MAX_CHARACTERS.text): string {
  return toWords(value, most) ?? otherwise;
}

/** Masks secrets before anything is sent or stored, preserving the length. */
export function withoutSecrets(text: string): string {
  const masked = maskSecrets(text);
  // The text around a masked secret may have the shape of another one.
  return secretIn(masked) === undefined ? masked : text.replaceAll(/\S/gu, "█");
}

/** The summary members of an event. */
export interface Summaries {
  readonly summary_terse?: string;
  readonly summary_normal: string;
  readonly summary_detailed?: string;
}

export function toSummaries(summary: Summary | undefined, otherwise: string): Summaries {
  const given = readSummary(summary);
  const terse = toWords(given.terse, MAX_CHARACTERS.terse);
  const detailed = toWords(given.detailed, MAX_CHARACTERS.text);
  const normal = toWords(given.normal, MAX_CHARACTERS.text) ?? terse ?? detailed ?? otherwise;
  return {
    ...(terse === undefined ? {} : { summary_terse: terse }),
    summary_normal: normal,
    ...(detailed === undefined ? {} : { summary_detailed: detailed }),
  };
}

function readSummary(summary: Summary | undefined): Partial<Exclude<Summary, string>> {
  return typeof summary === "object" && summary !== null ? own(summary) : { normal: toText(summary ?? "") };
}

/** Counts code points, as the protocol does. */
function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
