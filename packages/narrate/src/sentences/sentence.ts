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
  return capital(catalogue.words[which](aboutAloud(ms, catalogue)));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With a full stop, unless it ends with a sign already. */
export function toSentence(text: string): string {
  return /[.!?…:,;。！？，]["')\]]?$/u.test(text) ? text : `${text}.`;
}
