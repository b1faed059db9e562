import type { JsonValue } from "@earshot/protocol";
import type { Fallback, HoldPolicy, HookBehaviour, PolicyRisk } from "./behaviour.ts";
import type { RuleOrigin } from "./policy.ts";

/** The policy's ruling on one request. */
export interface PolicyDecision {
  readonly behaviour: HookBehaviour;
  /** The rule that decided; absent if none matched, in which case the answer is `abstain`. */
  readonly rule?: RuleReference;
  readonly message?: string;
  /** The whole input that replaces the raw one. */
  readonly updatedInput?: JsonValue;
  /** For `ask` and `defer`: whether and how long to hold, and the answer if nobody answers or the hub is unreachable. */
  readonly hold: HoldPolicy;
  readonly holdForMs: number;
  readonly unanswered: Fallback;
  readonly unreachable: Fallback;
  readonly judged: RequestJudgement;
  /** Whole sentences, in order of importance. */
  readonly why: readonly string[];
}

export interface RuleReference extends RuleOrigin {
  readonly name: string;
}

/** The assessment of a request: the agent's own claim or the findings, whichever is worse. */
export interface RequestJudgement {
  /** Absent if neither the agent nor the catalogue states a risk. */
  readonly risk?: PolicyRisk;
  readonly reversible?: boolean;
  /** Ids from the catalogue of dangers. */
  readonly dangers: readonly string[];
  /** Why the command could not be parsed. */
  readonly uninspectable?: string;
}

/** The rule that decides, and why each rule before it did not. */
export interface Explanation {
  readonly ruling: PolicyDecision;
  readonly steps: readonly ExplainedRule[];
}

export interface ExplainedRule {
  readonly rule: RuleReference;
  readonly answer: HookBehaviour;
  /** `not-reached`: an earlier rule decided. */
  readonly outcome: "decides" | "passed-over" | "not-reached";
  readonly why: string;
}
