import type { AnnouncerSettings } from "@earshot/announcer";
import { ENGLISH_LISTEN } from "./english-listen.ts";
import { GERMAN_LISTEN } from "./german-listen.ts";
import type { VoiceReason } from "./voice/choose-voice.ts";

/** The phrases of `earshot listen` in one language. */
export interface ListenPhrases {
  /** BCP 47. */
  readonly language: string;
  /** The chosen voice and the reason. */
  begins(voice: string, because: VoiceReason): string;
  readonly keysAtHand: string;
  readonly askPin: string;
  readonly paused: string;
  readonly goesOn: string;
  readonly nothingSaid: string;
  /** Precedes the request being read. */
  waits(index: number, all: number): string;
  readonly nobodyWaits: string;
  /** The number of remaining requests after an answer. */
  moreWait(requests: number): string;
  pace(wpm: number): string;
  verbosity(verbosity: AnnouncerSettings["verbosity"]): string;
  load(load: AnnouncerSettings["load"]): string;
  quiet(isQuiet: boolean): string;
  readonly nothingAsked: string;
  readonly notHeard: string;
  readonly tooFast: string;
  noSuchAnswer(answers: string): string;
  /** Asks for the same number again. */
  confirm(number: number, label: string): string;
  answered(label: string): string;
  readonly tooLate: string;
  readonly nothingDecided: string;
  readonly noExactText: string;
  readonly noKeyboard: string;
  readonly typeAnswer: string;
  /** Risk, rule and folder of a request. */
  details(parts: DetailParts): string;
  /** The person no longer counts as present. */
  readonly absent: string;
  voiceFailed(name: string, why: string): string;
  readonly unreachable: string;
  readonly help: string;
}

export interface DetailParts {
  readonly risk: "low" | "medium" | "high" | "unknown";
  readonly irreversible: boolean;
  readonly because: string;
  readonly folder: string | undefined;
  readonly session: string;
}

/** The nearest language, or English. */
export function listenPhrases(language: string): ListenPhrases {
  return language.toLowerCase().split("-")[0] === "de" ? GERMAN_LISTEN : ENGLISH_LISTEN;
}
