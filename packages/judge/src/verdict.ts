import type { JudgedProblem, Problem } from "@earshot/protocol";

/** A rule that was broken, and the entry it is about. A flag never keeps an event from being stored. */
export interface Flag extends JudgedProblem {
  /** Position of the entry meant. Left out for the entry that carries the flag: most flags are about their own event. */
  readonly at?: number;
  /** Position of the earlier entry that is the other half of the story. */
  readonly since?: number;
}

/** What became of one submission. It is durable when a verdict says so: nobody hears `stored` before it is on disk. */
export type Verdict = Stored | Refused;

export interface Stored {
  readonly ok: true;
  /** Where it stands in the ledger; for a duplicate, where it stood already. */
  readonly position: number;
  /** The same event, from the same source, was stored before: nothing was stored now. */
  readonly duplicate: boolean;
  readonly flags: readonly Flag[];
  /** How many secrets were masked in it. */
  readonly redactions: number;
  /** The request that it opened, or had opened when it was stored before: `GET /v1/answers/ID` tells the answer. */
  readonly request?: string;
  /** It asks something, and is kept, but nobody will be asked: why. */
  readonly notAsked?: Problem;
}

export interface Refused {
  readonly ok: false;
  readonly problem: Problem;
}
