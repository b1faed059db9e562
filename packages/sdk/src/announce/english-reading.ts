import type { Activity } from "@earshot/translate";
import { aboutInEnglish, counted, ENGLISH_PHRASES } from "./english-phrases.ts";
import type { AnnouncerSettings } from "./settings.ts";
import { cutText, cutToWords, toHeardWhole, toSpoken } from "./speakable.ts";

export type Verbosity = AnnouncerSettings["verbosity"];

/** Words of the agent that are read, at each verbosity; of a request all of them are, up to a length nobody listens to. */
export const MOST_WORDS = { terse: 12, normal: 30, detailed: 80 } as const;
export const MOST_ASKED = 200;
const NAME_CHARACTERS = 24;
/** Shorter waits are over before they are announced. */
export const WORTH_SAYING_MS = 5000;

/** The agent's own announcement, of the length that is nearest to the one that is wanted. */
export function summaryOf({ summary, summaries = {}, protocol }: Activity, verbosity: Verbosity): string | undefined {
  const { terse, normal, detailed } = summaries;
  const byPreference = { terse: [terse, normal, detailed], normal: [normal, terse, detailed], detailed: [detailed, normal, terse] }[
    verbosity
  ];
  const chosen = byPreference.find((text) => text !== undefined) ?? summary;
  if (chosen === undefined) return undefined;
  // In AAEP it was written to be spoken; elsewhere it may be any text.
  const spoken = protocol === "aaep" ? toSpoken(chosen, ENGLISH_PHRASES) : readAloud(chosen, MOST_WORDS[verbosity]);
  return spoken === "" || spoken === undefined ? undefined : shortened(spoken, MOST_ASKED);
}

export function readAloud(text: string | undefined, words: number): string | undefined {
  if (text === undefined) return undefined;
  const heard = toHeardWhole(text, ENGLISH_PHRASES);
  return heard === "" ? undefined : shortened(heard, words);
}

/** Nothing is cut without saying so: the end of a text may be what matters. */
function shortened(text: string, words: number): string {
  const { text: kept, left } = cutToWords(text, words);
  return left === 0 ? kept : `${kept} … ${counted(left, "more word")}`;
}

export function takes(ms: number | undefined): string | undefined {
  return ms === undefined || ms < WORTH_SAYING_MS ? undefined : `This takes ${aboutInEnglish(ms)}`;
}

/** A path is heard by its name; a command by its first word, unless it is as short as a word. What AAEP sums up is meant to be heard. */
export function subjectAloud(subject: string | undefined, isMeantToBeHeard: boolean): string | undefined {
  if (subject === undefined) return undefined;
  if (isMeantToBeHeard) return readAloud(subject, MOST_WORDS.normal);
  if (/^https?:/i.test(subject)) return addressAloud(subject);
  const [line = "", second] = toSpoken(cutText(subject, 2000), ENGLISH_PHRASES) === "" ? [] : subject.trim().split(/[\r\n]+/);
  const spoken = toSpoken(line, ENGLISH_PHRASES);
  if (/^[~./\\]|^[A-Za-z]:\\|^[^\s]+\/[^\s]+$/.test(spoken) && !/\s/.test(spoken)) return fileName(spoken);
  if (second === undefined && spoken.length <= 40 && /^[\w\s.:/@=-]+$/.test(spoken)) return spoken;
  const [first = ""] = spoken.split(" ");
  return /^[\w./-]{1,40}$/.test(first) ? `${fileName(first)} …` : undefined;
}

export function fileName(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const name = toSpoken(path, ENGLISH_PHRASES)
    .split(/[/\\]/)
    .findLast((part) => part !== "");
  return name === undefined ? undefined : cutText(name, 60);
}

export function addressAloud(address: string): string | undefined {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?([^/?#:\s]+)/i.exec(address)?.[1];
  return host === undefined ? undefined : toSpoken(cutText(host, 100), ENGLISH_PHRASES);
}

export function toolName(name: string): string {
  const spoken = spokenName(name);
  return spoken === "" ? "a tool" : spoken;
}

export function spokenName(name: string): string {
  return cutText(toSpoken(cutText(name, 200), ENGLISH_PHRASES), NAME_CHARACTERS);
}
