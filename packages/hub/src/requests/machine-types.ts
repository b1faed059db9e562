import type { SettledState } from "../request.ts";
import type { AnswerWordName, RequestAnswer } from "./answer.ts";

/** Members that are fixed when a request is asked. */
export interface MachineTerms {
  readonly id: string;
  readonly digest: string;
  /** How long it may wait; null forever. */
  readonly timeMs: number | null;
  /** The same in wall time, as stored. It identifies a deadline; nothing is measured by it. */
  readonly deadlineAt: number | null;
  /** The asker's maximum waiting time from its question; null forever. */
  readonly latestMs: number | null;
  readonly moreTimeMs: number;
  /** The answer without a decision, and who specified it. */
  readonly silence: RequestAnswer;
  readonly silenceBy: string;
  /** Irreversible or of high risk: silence is never a yes. */
  readonly risky: boolean;
  /** This asker's word for no. */
  readonly refusal: Extract<AnswerWordName, "deny" | "reject" | "decline">;
  /** The asker shows by polling that it is there. */
  readonly polls: boolean;
}

/**
 * `opening`: not on disk yet. `waiting`: an asker waits. `unattended`: open, and nobody seems to wait. `settling`: the ledger was asked
 * to end it. Then one of five endings.
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

/** A request's state in the process that carries it. Times are those of its monotonic clock. */
export interface RequestMachine {
  readonly phase: Phase;
  readonly terms: MachineTerms;
  readonly deadline: number | null;
  /** The stored deadline this one stands for. */
  readonly deadlineAt: number | null;
  readonly begun: number;
  readonly told: "nothing" | "half-time" | "last-call";
  readonly extensions: number;
  /** Number of polls in progress. */
  readonly polls: number;
  readonly heardAt: number;
  /** How it ended, as stored. */
  readonly settlement: RequestEnding | null;
}

export interface RequestEnding {
  readonly state: SettledState;
  readonly digest: string;
  readonly by: string;
  readonly answer: RequestAnswer;
  readonly reason?: string;
  /** Only if this is still the deadline: another process may have extended it. */
  readonly deadlineAt?: number;
}

export type MachineInput =
  /** It is on disk. */
  | { readonly name: "opened" }
  /** The asker asks the same again. */
  | { readonly name: "asked" }
  /** By an authorized approver. */
  | {
      readonly name: "answered";
      readonly by: string;
      readonly answer: RequestAnswer;
      readonly digest: string;
      readonly reason?: string;
      readonly keep?: boolean;
    }
  | { readonly name: "ruled"; readonly rule: string; readonly answer: RequestAnswer }
  | { readonly name: "ticked"; readonly reason?: string }
  | { readonly name: "polled" }
  | { readonly name: "unpolled" }
  /** The asker is known to be gone. */
  | { readonly name: "lost" }
  /** `by`: an approver leaves it to the agent, or the asker withdraws, which decides nothing. */
  | { readonly name: "withdrawn"; readonly by: string; readonly reason: string; readonly asker: boolean }
  /** Its session ended, or the agent's own dialog was answered. */
  | { readonly name: "closed"; readonly reason: string }
  | { readonly name: "extended"; readonly by: string }
  /** The ledger has another deadline. */
  | { readonly name: "amended"; readonly deadlineAt: number }
  /** The ledger has this ending, from whatever source. */
  | { readonly name: "settled"; readonly settlement: RequestEnding }
  /** The ledger could not be written. */
  | { readonly name: "failed" }
  /** Carried by another process now; the remaining wall time, null without a deadline. */
  | { readonly name: "restarted"; readonly wallLeftMs: number | null }
  /** The action in question has happened. `unseen`: the agent reports the prompts that it shows, and reported none. */
  | { readonly name: "ran"; readonly unseen: boolean };
export type InputName = MachineInput["name"];

/** The reason why an action should not have happened. */
export type RanAlarm = "ran-despite-refusal" | "ran-while-open" | "ran-unasked";

export type Effect =
  /** Ask the ledger; then input `settled` with its result, `amended` if that was in the way, or `failed`. */
  | { readonly kind: "settle"; readonly settlement: RequestEnding }
  /** Ask the ledger for a later deadline; then input `amended`. */
  | { readonly kind: "amend"; readonly by: string; readonly deadlineAt: number }
  /** Release the answer to the asker. */
  | { readonly kind: "release"; readonly settlement: RequestEnding }
  /** Keep the answer for the next identical question, once the ledger has recorded it as late. */
  | { readonly kind: "keep"; readonly by: string; readonly answer: RequestAnswer }
  | { readonly kind: "tell"; readonly what: "asked" | "half-time" | "last-call" | "unattended" | "attended" | "extended" | "decided" }
  | { readonly kind: "alarm"; readonly what: RanAlarm }
  /** Tell the sender of this input why it was refused. */
  | { readonly kind: "refuse"; readonly why: "not-open" | "nobody-waits" | "ended" | "not-extendable" };

export interface MachineStep {
  readonly machine: RequestMachine;
  readonly effects: readonly Effect[];
}
