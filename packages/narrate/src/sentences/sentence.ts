import { capitalize } from "../amounts.ts";
import { aboutAloud } from "./quantities.ts";
import type { Tongue } from "./reading.ts";

/** The sentence about an activity, after its source. */
export interface Sentence {
  readonly verb: string;
  /** The agent's words. */
  readonly own?: readonly (string | undefined)[];
  /** Earshot's words. */
  readonly ours?: readonly (string | undefined)[];
}

/** Shorter waits end before they could be announced. */
export const WORTH_SAYING_MS = 5000;

/** `This takes about two minutes`, `It took …`, `… left`. */
export function timeAloud(ms: number | undefined, which: "takes" | "took" | "left", { catalogue }: Tongue): string | undefined {
  if (ms === undefined || ms < WORTH_SAYING_MS) return undefined;
  return capitalize(catalogue.words[which](aboutAloud(ms, catalogue)));
}

/** Adds a full stop unless the text ends with punctuation. */
export function toSentence(text: string): string {
  return /[.!?…:,;。！？，]["')\]]?$/u.test(text) ? text : `${text}.`;
}
