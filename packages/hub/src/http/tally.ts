import type { Piece } from "../intake/piece.ts";
import type { Verdict } from "../verdict.ts";

/** Maximum number of problems listed in an answer, and of verdicts when all are requested. */
export const PROBLEMS_LISTED = 1000;
export const VERDICTS_LISTED = 10_000;

/** The result of a batch for its answer. */
export class Tally {
  readonly #all: boolean;
  #events = 0;
  #stored = 0;
  #duplicates = 0;
  #refused = 0;
  #flagged = 0;
  #notAsked = 0;
  #first: number | null = null;
  #last: number | null = null;
  readonly #problems: object[] = [];
  readonly #verdicts: object[] = [];

  constructor(all: boolean) {
    this.#all = all;
  }

  add(pieces: readonly Piece[], verdicts: readonly Verdict[]): void {
    for (let index = 0; index < verdicts.length; index++) {
      const verdict = verdicts[index];
      const piece = pieces[index];
      if (verdict === undefined || piece === undefined) continue;
      this.#events++;
      if (verdict.ok) this.#addStored(verdict);
      else {
        this.#refused++;
        if (this.#problems.length < PROBLEMS_LISTED) this.#problems.push({ ...placeOf(piece), ...verdict.problem });
      }
      if (this.#all && this.#verdicts.length < VERDICTS_LISTED) this.#verdicts.push({ ...placeOf(piece), ...verdict });
    }
  }

  answer(): Record<string, unknown> {
    return {
      events: this.#events,
      stored: this.#stored,
      duplicates: this.#duplicates,
      refused: this.#refused,
      flagged: this.#flagged,
      ...(this.#notAsked === 0 ? {} : { notAsked: this.#notAsked }),
      first: this.#first,
      last: this.#last,
      problems: this.#problems,
      problemsNotListed: this.#refused - this.#problems.length,
      ...(this.#all ? { verdicts: this.#verdicts, verdictsNotListed: this.#events - this.#verdicts.length } : {}),
    };
  }

  #addStored({ position, duplicate, flags, notAsked }: Extract<Verdict, { ok: true }>): void {
    if (notAsked !== undefined) this.#notAsked++;
    if (duplicate) this.#duplicates++;
    else {
      this.#stored++;
      if (flags.length > 0) this.#flagged++;
      this.#first = Math.min(this.#first ?? position, position);
      this.#last = Math.max(this.#last ?? position, position);
    }
  }
}

function placeOf(piece: Piece): { line: number; index?: number } {
  return piece.index === undefined ? { line: piece.line } : { line: piece.line, index: piece.index };
}
