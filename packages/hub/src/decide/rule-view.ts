import { type Behaviour, describeRule, type PolicyRule } from "@earshot/policy";

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
