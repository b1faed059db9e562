import { findSecretName, maskSecrets } from "@earshot/protocol/secrets";
import { ownOptions } from "../plain/own.ts";
import { toDisplayText } from "../plain/text.ts";

/** Character limits of the protocol per kind of text. */
export const MAX_TEXT_CHARACTERS = { terse: 4096, text: 16_384, label: 1024, name: 256 } as const;

/** A summary: one sentence, or one for each verbosity. */
export type Summary = string | { readonly terse?: string | undefined; readonly normal: string; readonly detailed?: string | undefined };

/** Text for people without secrets, within its limit. Undefined for an empty text. */
export function toCleanText(value: unknown, most: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = maskSecretsInText(toDisplayText(value).trim().toWellFormed().normalize("NFC"));
  return text === "" ? undefined : cutTo(text, most);
}

/** As `toCleanText`, with a default. */
export function toCleanTextOr(value: unknown, otherwise: string, most: number = MAX_TEXT_CHARACTERS.text): string {
  return toCleanText(value, most) ?? otherwise;
}

/** Masks secrets before anything is sent or stored, preserving the length. */
export function maskSecretsInText(text: string): string {
  const masked = maskSecrets(text);
  // The text around a masked secret may have the shape of another one.
  return findSecretName(masked) === undefined ? masked : text.replaceAll(/\S/gu, "█");
}

/** The summary members of an event. */
export interface SummaryMembers {
  readonly summary_terse?: string;
  readonly summary_normal: string;
  readonly summary_detailed?: string;
}

export function toSummaryMembers(summary: Summary | undefined, otherwise: string): SummaryMembers {
  const given = readSummary(summary);
  const terse = toCleanText(given.terse, MAX_TEXT_CHARACTERS.terse);
  const detailed = toCleanText(given.detailed, MAX_TEXT_CHARACTERS.text);
  const normal = toCleanText(given.normal, MAX_TEXT_CHARACTERS.text) ?? terse ?? detailed ?? otherwise;
  return {
    ...(terse === undefined ? {} : { summary_terse: terse }),
    summary_normal: normal,
    ...(detailed === undefined ? {} : { summary_detailed: detailed }),
  };
}

function readSummary(summary: Summary | undefined): Partial<Exclude<Summary, string>> {
  return typeof summary === "object" && summary !== null ? ownOptions(summary) : { normal: toDisplayText(summary ?? "") };
}

/** Counts code points, as the protocol does. */
function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
