import type { Places, PolicyInput } from "../asked.ts";
import { findFacts, type RequestFacts } from "../facts.ts";
import { joinWords } from "../shell/shell-command.ts";
import { exactPattern, kindPattern } from "./command-kind.ts";
import type { RuleDraft } from "./rule-draft.ts";
import { proposeRuleFor, whyNoRule } from "./rule-for.ts";

/** An approver's decision. Decisions by rules or by timeout are not included. */
export interface AnsweredAsk {
  readonly asked: PolicyInput;
  readonly answer: "allow" | "deny";
}

export interface RuleSuggestion {
  readonly rule: RuleDraft;
  readonly yaml: string;
  /** The number of answers that support the rule; none contradicts it. */
  readonly answers: number;
  /** A few of the commands or files it is based on. */
  readonly examples: readonly string[];
}

export interface SuggestOptions {
  /** The number of equal answers required for a rule. */
  readonly atLeast?: number;
  readonly places?: Places;
}

const AT_LEAST = 3;
const MAX_ASKS = 100_000;
const MAX_SUGGESTIONS = 50;
const MAX_EXAMPLES = 5;

interface Group {
  readonly first: PolicyInput;
  allow: number;
  deny: number;
  readonly examples: Set<string>;
}

/**
 * Proposes rules for decisions that a person made repeatedly: the same tool, program, subcommand and options, in the same workspace, and
 * never a different answer. Nothing is proposed for a request that is harmful or cannot be inspected, and nothing is applied.
 */
export function suggestRules(
  history: readonly AnsweredAsk[],
  { atLeast = AT_LEAST, places = {} }: SuggestOptions = {},
): readonly RuleSuggestion[] {
  const groups = new Map<string, Group>();
  for (const { asked, answer } of history.slice(-MAX_ASKS)) {
    const facts = findFacts(asked, places);
    const key = whyNoRule(facts) === undefined ? keyOf(facts) : undefined;
    if (key === undefined) continue;
    const group = groups.get(key) ?? { first: asked, allow: 0, deny: 0, examples: new Set<string>() };
    groups.set(key, group);
    group[answer]++;
    if (group.examples.size < MAX_EXAMPLES) group.examples.add(exampleOf(facts));
  }
  const suggestions = [...groups.values()].flatMap(({ first, allow, deny, examples }): readonly RuleSuggestion[] => {
    const answers = allow + deny;
    if (answers < atLeast || (allow > 0 && deny > 0)) return [];
    // Identical examples give no reason for a broader rule.
    const breadth = examples.size === 1 ? "exact" : "kind";
    const proposed = proposeRuleFor(first, { answer: allow > 0 ? "allow" : "deny", breadth }, places);
    return proposed.ok ? [{ rule: proposed.rule, yaml: proposed.yaml, answers, examples: [...examples].slice(0, 3) }] : [];
  });
  return suggestions.sort((a, b) => b.answers - a.answers).slice(0, MAX_SUGGESTIONS);
}

/** The key of similar requests. Only single commands have one: with several, it is unknown which of them the answer was about. */
function keyOf({ asked, parts, roots }: RequestFacts): string | undefined {
  if (asked.command !== undefined) {
    const [command, ...others] = parts.flatMap((part) => part.command ?? []);
    if (command === undefined || others.length > 0 || command.via.length > 0) return undefined;
    return JSON.stringify([asked.tool, roots, kindPattern(command, roots) ?? exactPattern(command.words)]);
  }
  const touched = parts.flatMap((part) => part.touched);
  const accesses = new Set(touched.map(({ access }) => access));
  const folders = new Set(touched.map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
  if (asked.tool === undefined || folders.size > 1) return undefined;
  return JSON.stringify([asked.tool, roots, [...accesses], [...folders], asked.server ?? null]);
}

function exampleOf({ asked, parts: [part] }: RequestFacts): string {
  return part?.command === undefined ? (part?.touched[0]?.path ?? asked.tool ?? "") : joinWords(part.command.words);
}
