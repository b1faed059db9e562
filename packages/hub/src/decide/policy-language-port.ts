import type { RuleView } from "./rule-view.ts";
import type { GrantedRule, PutToRules, Ruling } from "./rules-port.ts";

/** The text of a file; null where there is none, which is not the same as an empty one. */
export type PolicyText = string | null;
/** A repository's own file can only tighten. */
export type PolicyKind = "user" | "repository";

/** How rules are written. The policy package knows; anything with this shape will do. */
export interface PolicyLanguage {
  /** Rules from a text, or what is wrong with it, in whole sentences. */
  read(
    text: PolicyText,
    kind?: PolicyKind,
  ): { readonly ok: true; readonly rules: LayeredRules } | { readonly ok: false; readonly troubles: readonly string[] };
  /** In which ways the second text lets more through than the first, in whole sentences; none when it only tightens. */
  loosens(before: PolicyText, after: PolicyText, kind?: PolicyKind): readonly string[];
  /** Each rule for itself, in words. A language that cannot say shows none. */
  describe?(text: PolicyText, kind?: PolicyKind): readonly RuleView[];
}

/** The person's rules, with what an approver has granted for a while, and with a repository's own. */
export interface LayeredRules {
  judge(asked: PutToRules, layers?: { readonly granted?: readonly GrantedRule[]; readonly repository?: string }): Ruling;
}
