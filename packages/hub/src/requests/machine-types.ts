import type { Settled } from "../request.ts";
import type { Answer, Word } from "./answer.ts";

/** What is fixed when a request is asked. */
export interface Terms {
  readonly id: string;
  readonly digest: string;
  /** How long it may wait; null for ever. */
  readonly timeMs: number | null;
  /** The same by wall time, as the ledger has it. Says which deadline is meant; nothing is measured by it. */
  readonly deadlineAt: number | null;
  /** How long the asker would wait at most, counted from when it asked; null for ever. */
  readonly latestMs: number | null;
  readonly moreTimeMs: number;
  /** What the asker hears when nobody answers, and whose wish that is. */
  readonly silence: Answer;
  readonly silenceBy: string;
  /** Irreversible or of high risk: silence is never a yes. */
  readonly risky: boolean;
  /** How to say no to this asker. */
  readonly refusal: Extract<Word, "deny" | "reject" | "decline">;
  /** The asker shows by polling that it is there. */
  readonly polls: boolean;
}

/**
 * `opening`: not on disk yet. `waiting`: somebody waits for the answer. `unattended`: open, and nobody seems to. `settling`: the
 * ledger was asked to end it. Then one of the five ends.
 */
export const PHASES = [
  "opening",
  "waiting",
  "unattended",
  "settling",
  "answered-by-person",
  "answered-by-policy",
  "defaulted",
  "withdrawn",
  "orphaned",
] as const;
export type Phase = (typeof PHASES)[number];

/** A request as the process that carries it knows it. Times are those of its monotonic clock. */
export interface Machine {
  readonly phase: Phase;
  readonly terms: Terms;
  readonly deadline: number | null;
  /** The ledger's deadline that this one stands for. */
  readonly deadlineAt: number | null;
  readonly begun: number;
  readonly told: "nothing" | "half-time" | "last-call";
  readonly extensions: number;
  /** Polls under way. */
  readonly polls: number;
  readonly heardAt: number;
  /** How it ended, as the ledger has it. */
  readonly settlement: Ending | null;
}

export interface Ending {
  readonly state: Settled;
  readonly digest: string;
  readonly by: string;
  readonly answer: Answer;
  readonly reason?: string;
  /** Only if this is still the deadline: somebody else may have given it more time. */
  readonly deadlineAt?: number;
}

export type Input =
  /** It is on disk. */
  | { readonly name: "opened" }
  /** The asker asks the same again. */
  | { readonly name: "asked" }
  /** By an approver who was let in as such. */
  | {
      readonly name: "answered";
      readonly by: string;
      readonly answer: Answer;
      readonly digest: string;
      readonly reason?: string;
      readonly keep?: boolean;
    }
  | { readonly name: "ruled"; readonly rule: string; readonly answer: Answer }
  | { readonly name: "ticked"; readonly reason?: string }
  | { readonly name: "polled" }
  | { readonly name: "unpolled" }
  /** The asker is known to be gone. */
  | { readonly name: "lost" }
  /** `by`: an approver leaves it to the agent, or the asker withdraws, which decides nothing. */
  | { readonly name: "withdrawn"; readonly by: string; readonly reason: string; readonly asker: boolean }
  /** Somebody answered the agent's own dialog. */
  | { readonly name: "elsewhere"; readonly reason: string }
  /** The session is over. */
  | { readonly name: "ended" }
  | { readonly name: "extended"; readonly by: string }
  /** The ledger has another deadline. */
  | { readonly name: "amended"; readonly deadlineAt: number }
  /** The ledger has this end, whoever brought it about. */
  | { readonly name: "settled"; readonly settlement: Ending }
  /** The ledger could not be written. */
  | { readonly name: "failed" }
  /** The process that carried it is another now; what is left by wall time, null without a deadline. */
  | { readonly name: "restarted"; readonly wallLeftMs: number | null }
  /** The action in question has happened. `unseen`: the agent reports the prompts that it shows, and reported none. */
  | { readonly name: "ran"; readonly unseen: boolean };
export type InputName = Input["name"];

/** The reason why an action should not have happened. */
export type RanAlarm = "ran-despite-refusal" | "ran-while-open" | "ran-unasked";

export type Effect =
  /** Ask the ledger; then say `settled` with what it has, `amended` where that was in the way, or `failed`. */
  | { readonly kind: "settle"; readonly settlement: Ending }
  /** Ask the ledger for a later deadline; then say `amended`. */
  | { readonly kind: "amend"; readonly by: string; readonly deadlineAt: number }
  /** Tell whoever waits for the answer. */
  | { readonly kind: "release"; readonly settlement: Ending }
  /** Keep the answer for when the same is asked again, once the ledger has recorded that it came too late. */
  | { readonly kind: "keep"; readonly by: string; readonly answer: Answer }
  | { readonly kind: "tell"; readonly what: "asked" | "half-time" | "last-call" | "unattended" | "attended" | "extended" | "decided" }
  | { readonly kind: "alarm"; readonly what: RanAlarm }
  /** Tell whoever gave this input why it was not taken. */
  | { readonly kind: "refuse"; readonly why: "not-open" | "nobody-waits" | "ended" | "not-extendable" };

export interface Step {
  readonly machine: Machine;
  readonly effects: readonly Effect[];
}
