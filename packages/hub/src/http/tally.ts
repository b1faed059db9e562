import type { Problem } from "@earshot/protocol";
import Type, { type Static } from "typebox";
import { listOf, naturalNumber, orNull, problemSchema } from "../api-schema.ts";
import type { EventPiece } from "../intake/piece.ts";
import type { Verdict } from "../verdict.ts";

/** Maximum number of problems listed in an answer, and of verdicts when all are requested. */
export const PROBLEMS_LISTED = 1000;
export const VERDICTS_LISTED = 10_000;

type Place = { readonly line: number; readonly index?: number };
const place = "the line, and in an array the index";

export const tallySchema = Type.Object({
  events: naturalNumber(),
  stored: naturalNumber(),
  duplicates: naturalNumber(),
  refused: naturalNumber(),
  flagged: naturalNumber(),
  notAsked: Type.Optional(naturalNumber({ description: "questions for which there was no room" })),
  first: orNull(Type.Integer(), { description: "the position of the first stored event" }),
  last: orNull(Type.Integer()),
  problems: listOf(Type.Unsafe<Place & Problem>({ ...problemSchema, description: `${place}, and what is wrong there` })),
  problemsNotListed: naturalNumber(),
  verdicts: Type.Optional(
    listOf(Type.Unsafe<Place & Verdict>({ type: "object", description: `${place}, and what became of the event there` })),
  ),
  verdictsNotListed: Type.Optional(naturalNumber()),
});

/** The result of a batch for its answer. */
export class BatchTally {
  readonly #all: boolean;
  #events = 0;
  #stored = 0;
  #duplicates = 0;
  #refused = 0;
  #flagged = 0;
  #notAsked = 0;
  #first: number | null = null;
  #last: number | null = null;
  readonly #problems: (Place & Problem)[] = [];
  readonly #verdicts: (Place & Verdict)[] = [];

  constructor(all: boolean) {
    this.#all = all;
  }

  add(pieces: readonly EventPiece[], verdicts: readonly Verdict[]): void {
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

  answer(): Static<typeof tallySchema> {
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

function placeOf(piece: EventPiece): Place {
  return piece.index === undefined ? { line: piece.line } : { line: piece.line, index: piece.index };
}
