import type { Activity } from "@earshot/protocol/activities";
import type { Catalogue } from "../words/catalogue.ts";
import { cutText, cutToWords, toSpoken, toSpokenWhole } from "./speakable.ts";
import type { Phrases, Verbosity } from "./words.ts";

/** A language and everything derived from it. */
export interface LanguageWords {
  readonly catalogue: Catalogue;
  readonly phrases: Phrases;
}

/** Maximum words of an agent's text at each verbosity. A request is read in full up to a higher limit. */
export const MAX_WORDS_BY_VERBOSITY = { terse: 12, normal: 30, detailed: 80 } as const;
export const MAX_QUESTION_WORDS = 200;
const NAME_CHARACTERS = 24;
const FILE_CHARACTERS = 60;

/** The agent's own summary in the length nearest to the requested one. */
export function agentSummaryOf(
  { summary, summaries = {}, protocol }: Activity,
  verbosity: Verbosity,
  tongue: LanguageWords,
): string | undefined {
  const { terse, normal, detailed } = summaries;
  const byPreference = { terse: [terse, normal, detailed], normal: [normal, terse, detailed], detailed: [detailed, normal, terse] }[
    verbosity
  ];
  const chosen = byPreference.find((text) => text !== undefined) ?? summary;
  if (chosen === undefined) return undefined;
  // In AAEP it was written for speech; elsewhere it may be any text.
  const spoken =
    protocol === "aaep" ? toSpoken(chosen, tongue.phrases) : spokenBeginning(chosen, MAX_WORDS_BY_VERBOSITY[verbosity], tongue);
  return spoken === "" || spoken === undefined ? undefined : shortened(spoken, MAX_QUESTION_WORDS, tongue);
}

export function spokenBeginning(text: string | undefined, words: number, tongue: LanguageWords): string | undefined {
  if (text === undefined) return undefined;
  const heard = toSpokenWhole(text, tongue.phrases);
  return heard === "" ? undefined : shortened(heard, words, tongue);
}

/** Omissions are announced, because the end of a text may matter. */
function shortened(text: string, words: number, { catalogue }: LanguageWords): string {
  const { text: kept, left } = cutToWords(text, words);
  if (left === 0) return kept;
  return catalogue.words.moreWords(left, kept);
}

/** A text that is not code, such as a query or a key; undefined if it is unpronounceable. */
export function spokenPlainText(text: string | undefined, { phrases }: LanguageWords): string | undefined {
  if (text === undefined || text.length > 200) return undefined;
  const spoken = toSpoken(text, phrases);
  return spoken !== "" && spoken.length <= 60 && /^[\p{L}\p{N}\s.,:'@_-]+$/u.test(spoken) ? spoken : undefined;
}

/** A path is spoken as its file name. */
export function fileName(path: string | undefined, { phrases }: LanguageWords): string | undefined {
  if (path === undefined) return undefined;
  const name = toSpoken(cutText(path, 4000), phrases)
    .split(/[/\\]/)
    .findLast((part) => part !== "" && part !== "." && part !== "..");
  return name === undefined ? undefined : cutText(name, FILE_CHARACTERS);
}

/** The name of a file's folder. */
export function folderName(path: string | undefined, { phrases }: LanguageWords): string | undefined {
  if (path === undefined) return undefined;
  const parts = toSpoken(cutText(path, 4000), phrases)
    .split(/[/\\]/)
    .filter((part) => part !== "" && part !== "." && part !== "..");
  const folder = parts.at(-2);
  return folder === undefined ? undefined : cutText(folder, FILE_CHARACTERS);
}

export function spokenAddress(address: string | undefined, { phrases }: LanguageWords): string | undefined {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?([^/?#:\s]+)/i.exec(address ?? "")?.[1];
  return host === undefined ? undefined : toSpoken(cutText(host, 100), phrases);
}

export function spokenName(name: string | undefined, { phrases }: LanguageWords): string | undefined {
  const spoken = cutText(toSpoken(cutText(name ?? "", 200), phrases), NAME_CHARACTERS);
  return spoken === "" ? undefined : spoken;
}

/** A person, by the protocol's name for them or their own. */
export function spokenPerson(name: string | undefined, tongue: LanguageWords): string | undefined {
  const { names } = tongue.catalogue;
  const key = (name ?? "").toLowerCase().replaceAll(/[\s-]+/g, "_");
  const known: Readonly<Record<string, string>> = names;
  return Object.hasOwn(known, key) ? known[key] : spokenName(name, tongue);
}

const LONGEST_JSON = 10_000;
const MAX_VALUES = 20;

/** Form answers are objects and errors may be lists: the values are the content. */
export function valuesOfJson(text: string | undefined): string | undefined {
  if (text === undefined || !/^\s*[[{]/.test(text) || text.length > LONGEST_JSON) return text;
  try {
    const values = scalarsIn(JSON.parse(text));
    return values.length === 0 || values.length > MAX_VALUES ? text : values.join(", ");
  } catch {
    // Not JSON after all.
    return text;
  }
}

function scalarsIn(value: unknown, deep = 0): readonly string[] {
  if (typeof value !== "object") return [String(value)];
  return value === null || deep > 3 ? [] : Object.values(value).flatMap((one) => scalarsIn(one, deep + 1));
}
