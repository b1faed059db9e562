import { capitalize } from "../amounts.ts";
import { aboutAloud } from "./quantities.ts";
import type { Tongue } from "./reading.ts";

/** What is said about an activity, after its source. */
export interface Sentence {
  readonly verb: string;
  /** The agent's words. */
  readonly own?: readonly (string | undefined)[];
  /** Ours. */
  readonly ours?: readonly (string | undefined)[];
}

/** Shorter waits are over before they are announced. */
export const WORTH_SAYING_MS = 5000;

/** `This takes about two minutes`, `It took …`, `… left`. */
export function timeAloud(ms: number | undefined, which: "takes" | "took" | "left", { catalogue }: Tongue): string | undefined {
  if (ms === undefined || ms < WORTH_SAYING_MS) return undefined;
  return capitalize(catalogue.words[which](aboutAloud(ms, catalogue)));
}

/** With a full stop, unless it ends with a sign already. */
export function toSentence(text: string): string {
  return /[.!?…:,;。！？，]["')\]]?$/u.test(text) ? text : `${text}.`;
}
