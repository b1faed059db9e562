import type { JsonValue } from "@earshot/protocol";
import type { Behaviour, Fallback, Hold, Risk } from "./behaviour.ts";
import type { RuleOrigin } from "./policy.ts";

/** What the policy says to one ask. */
export interface Ruling {
  readonly behaviour: Behaviour;
  /** The rule that decided; left out where none matched, and the answer is `abstain`. */
  readonly rule?: RuleReference;
  readonly message?: string;
  /** The whole input that takes the place of the raw one. */
  readonly updatedInput?: JsonValue;
  /** For `ask` and `defer`: whether, how long, and what is answered when nobody does or the hub cannot be reached. */
  readonly hold: Hold;
  readonly holdForMs: number;
  readonly unanswered: Fallback;
  readonly unreachable: Fallback;
  readonly judged: Judged;
  /** Whole sentences, in the order in which they count. */
  readonly why: readonly string[];
}

export interface RuleReference extends RuleOrigin {
  readonly name: string;
}

/** What an ask is taken for here: the agent's own claim, or what was found in it, whichever is worse. */
export interface Judged {
  /** Left out where neither the agent nor the catalogue says anything. */
  readonly risk?: Risk;
  readonly reversible?: boolean;
  /** Ids from the catalogue of dangers. */
  readonly dangers: readonly string[];
  /** Why the command could not be taken apart. */
  readonly uninspectable?: string;
}

/** Which rule decides, and why each one before it did not. */
export interface Explanation {
  readonly ruling: Ruling;
  readonly steps: readonly ExplainedRule[];
}

export interface ExplainedRule {
  readonly rule: RuleReference;
  readonly answer: Behaviour;
  /** `not-reached`: an earlier one had decided. */
  readonly outcome: "decides" | "passed-over" | "not-reached";
  readonly why: string;
}
