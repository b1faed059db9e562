import { hash53 } from "../hash53.ts";
import { spaceOut } from "./unspaced.ts";

/**
 * A character for private use, which the tokenizer takes for a letter and nobody's text is let have: whatever begins with it
 * is a word of ours. By such words an entry is found by its session, its agent and its type, as fast as by any other word.
 */
const OURS = "\ue000";
/** What is longer is not looked for by anybody, and would make the index as long as itself. */
const LONGEST_WORD = 128;

const TOO_LONG = /[^\s!-/:-@[-`{-~]{129,}/gu;

/** A text as it is given to the index, and a query as it is looked up there. */
export function toIndexed(text: string): string {
  const plain = text.replaceAll(/[\0\ue000]/g, " ").replaceAll(TOO_LONG, (word) => word.slice(0, LONGEST_WORD));
  return spaceOut(plain).toWellFormed();
}

export function sessionWord(session: number): string {
  return `${OURS}s${session}`;
}

export function agentWord(agent: string): string {
  return `${OURS}a${hash53(agent).toString(36)}`;
}

export function typeWord(type: string): string {
  return `${OURS}t${hash53(type).toString(36)}`;
}

/** Stands between two texts of one entry, so that no phrase is found that begins in one of them and ends in the other. */
export const BETWEEN_TEXTS = ` ${OURS} `;
