// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export {
  ACCESSES,
  type NamedPath,
  type PathAccess,
  type Places,
  type PolicyInput,
  SHELLS,
  type ShellKind,
  TOOL_TYPES,
  type ToolType,
} from "./asked.ts";
export {
  ANSWERS_AT,
  BEHAVIOURS,
  FALLBACKS,
  type Fallback,
  HOLDS,
  type HoldPolicy,
  type HookBehaviour,
  PERMISSIVE_BEHAVIOURS,
  POLICY_MOMENTS,
  type PolicyMoment,
  type PolicyRisk,
  RISKS,
} from "./behaviour.ts";
export { DANGERS, type Danger } from "./catalogue/dangers.ts";
export { type CompiledPolicy, type CompileOptions, usesPatterns } from "./compile-policy.ts";
export { compilePolicy } from "./compile-with-re2.ts";
export { decideByPolicy } from "./decide.ts";
export {
  type AskedDescription,
  type DescribedDanger,
  type DescribedFile,
  type DescribedPart,
  describeAsked,
} from "./describe/describe-asked.ts";
export { findHiddenParts, type HiddenPart, type HiddenText, showHidden, type VisibleTextParts } from "./describe/show-hidden.ts";
export { describeRule } from "./describe-rule.ts";
export { explainDecision } from "./explain.ts";
export { compareLooseness, type Looseness, type PolicyChange } from "./looseness/compare-looseness.ts";
export {
  DEFAULT_HOLD_MS,
  EMPTY_POLICY,
  type Policy,
  type PolicyRule,
  type RuleMatch,
  type RuleOrigin,
  type TextPattern,
} from "./policy.ts";
export { PRESET_CHOICES, PRESETS, type PresetChoice, presetText } from "./presets/presets.ts";
export { type PolicyReading, type PolicySource, readPolicy } from "./read/read-policy.ts";
export type { PolicyTrouble } from "./read/read-yaml.ts";
export type { ExplainedRule, Explanation, PolicyDecision, RequestJudgement, RuleReference } from "./ruling.ts";
export { readShell, type ShellContext } from "./shell/read-shell.ts";
export { printCommand, type ShellReading, type ShellWord, type SimpleCommand } from "./shell/shell-command.ts";
export { readToolInput, type ToolInput } from "./tool-input.ts";
export { type AppendedRule, appendRule } from "./write/append-rule.ts";
export { type RuleDraft, writeRule } from "./write/rule-draft.ts";
export { type ProposedRule, proposeRuleFor, type RuleScope } from "./write/rule-for.ts";
export { type AnsweredAsk, type RuleSuggestion, type SuggestOptions, suggestRules } from "./write/suggest-rules.ts";
