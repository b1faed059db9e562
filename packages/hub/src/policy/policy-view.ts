import { type Behaviour, describeRule, type PolicyRule } from "@earshot/policy";

export interface PolicyView {
  readonly path: string;
  /** The person's home folder: what lies in it can be called by a shorter name. */
  readonly home?: string;
  /** What decides now: the text that was accepted last; null and `none` where there never was one, or its removal was accepted. */
  readonly hash: string;
  readonly text: string | null;
  /** What is wrong with the file; then the last good one decides. */
  readonly troubles: readonly string[];
  /** A text that would allow more than the present one: it waits for an approver. */
  readonly pending: { readonly hash: string; readonly text: string | null; readonly loosens: readonly string[] } | null;
  /** Rules of repositories that were seen: they tighten what is done there. */
  readonly repositories: readonly { readonly path: string; readonly hash: string; readonly text: string }[];
  /** Those that were loosened or removed since: they wait for an approver, too. */
  readonly pendingRepositories: readonly {
    readonly path: string;
    readonly hash: string;
    readonly text: string | null;
    readonly loosens: readonly string[];
  }[];
  /** Own files that would take the place of a shipped agent's, and change what is heard from it and how it is answered. */
  readonly pendingAgents: readonly {
    readonly agent: string;
    readonly path: string;
    readonly hash: string;
    readonly text: string;
    readonly changes: readonly string[];
  }[];
}

/** A rule as a person reads it. */
export interface RuleView {
  readonly name: string;
  readonly answer: Behaviour;
  /** To what, and how: what follows its name and its answer. */
  readonly words: string;
  readonly message: string | null;
  /** The file, or the preset, and the line in it. */
  readonly file: string;
  readonly line: number;
}

export function toRuleView(rule: PolicyRule): RuleView {
  const { name, answer, message = null, from } = rule;
  return { name, answer, words: describeRule(rule).slice(`${name}: ${answer}, `.length), message, file: from.file, line: from.line };
}
