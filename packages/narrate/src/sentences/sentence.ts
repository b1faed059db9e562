import { capitalize } from "../amounts.ts";
import { approximateDuration } from "./quantities.ts";
import type { LanguageWords } from "./reading.ts";

/** The sentence about an activity, after its source. */
export interface Sentence {
  readonly verb: string;
  /** The agent's words. */
  readonly own?: readonly (string | undefined)[];
  /** Earshot's words. */
  readonly ours?: readonly (string | undefined)[];
}

/** Shorter waits end before they could be announced. */
export const MIN_SPOKEN_WAIT_MS = 5000;

/** `This takes about two minutes`, `It took …`, `… left`. */
export function spokenDuration(ms: number | undefined, which: "takes" | "took" | "left", { catalogue }: LanguageWords): string | undefined {
  if (ms === undefined || ms < MIN_SPOKEN_WAIT_MS) return undefined;
  return capitalize(catalogue.words[which](approximateDuration(ms, catalogue)));
}

/** Adds a full stop unless the text ends with punctuation. */
export function toSentence(text: string): string {
  return /[.!?…:,;。！？，]["')\]]?$/u.test(text) ? text : `${text}.`;
}
