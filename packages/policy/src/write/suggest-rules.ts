import type { Asked, Places } from "../asked.ts";
import { type Facts, findFacts } from "../facts.ts";
import type { Match } from "../policy.ts";
import { joinWords } from "../shell/shell-command.ts";
import { exactPattern, kindPattern } from "./command-kind.ts";
import { type RuleDraft, writeRule } from "./rule-draft.ts";
import { type ProposedRule, ruleFor, whyNot } from "./rule-for.ts";

/** What a person answered. Answers by rules or by silence are no opinion of anybody's. */
export interface AnsweredAsk {
  readonly asked: Asked;
  readonly answer: "allow" | "deny";
}

export interface Suggestion {
  readonly rule: RuleDraft;
  readonly yaml: string;
  /** How many answers speak for it; none speaks against it. */
  readonly answers: number;
  /** A few of the commands or files it was learnt from. */
  readonly examples: readonly string[];
}

export interface SuggestOptions {
  /** How many equal answers make a rule. */
  readonly atLeast?: number;
  readonly places?: Places;
}

const AT_LEAST = 3;
const MOST_ASKS = 100_000;
const MOST_SUGGESTIONS = 50;

interface Group {
  readonly first: Asked;
  readonly breadth: "exact" | "kind";
  allows: number;
  denies: number;
  readonly examples: Set<string>;
}

/**
 * Rules that say what a person said again and again: the same tool, the same program, subcommand and options, in the same
 * workspace, and never another answer. Nothing is proposed for what does harm or cannot be inspected, and nothing is applied.
 */
export function suggestRules(
  history: readonly AnsweredAsk[],
  { atLeast = AT_LEAST, places = {} }: SuggestOptions = {},
): readonly Suggestion[] {
  const groups = new Map<string, Group>();
  for (const { asked, answer } of history.slice(-MOST_ASKS)) {
    const facts = findFacts(asked, places);
    if (whyNot(facts) !== undefined) continue;
    const key = keyOf(facts);
    if (key === undefined) continue;
    const group = groups.get(key) ?? { first: asked, breadth: "kind" as const, allows: 0, denies: 0, examples: new Set<string>() };
    groups.set(key, group);
    if (answer === "allow") group.allows++;
    else group.denies++;
    if (group.examples.size < 5) group.examples.add(exampleOf(facts));
  }
  const suggestions: Suggestion[] = [];
  for (const group of groups.values()) {
    const { first, allows, denies, examples } = group;
    if ((allows < atLeast && denies < atLeast) || (allows > 0 && denies > 0)) continue;
    // Always the very same: then there is no reason to say more than that.
    const breadth = examples.size === 1 ? "exact" : "kind";
    const proposed = ruleFor(first, { answer: allows > 0 ? "allow" : "deny", breadth }, places);
    if (proposed.ok) suggestions.push({ ...toSuggestion(proposed), answers: allows + denies, examples: [...examples].slice(0, 3) });
  }
  return suggestions.sort((a, b) => b.answers - a.answers).slice(0, MOST_SUGGESTIONS);
}

function toSuggestion({ rule }: ProposedRule & { readonly ok: true }): Pick<Suggestion, "rule" | "yaml"> {
  return { rule, yaml: writeRule(rule) };
}

/** What makes two asks of one kind. Only single commands: with several, nobody knows which of them the answer was about. */
function keyOf({ asked, parts, roots }: Facts): string | undefined {
  const place = JSON.stringify(roots);
  if (asked.command !== undefined) {
    const commands = parts.flatMap(({ command }) => (command === undefined ? [] : [command]));
    const [command] = commands;
    if (command === undefined || commands.length > 1 || command.via.length > 0) return undefined;
    return [asked.tool, place, kindPattern(command, roots) ?? exactPattern(command.words)].join("\n");
  }
  const touched = parts.flatMap((part) => part.touched);
  const accesses = [...new Set(touched.map(({ access }) => access))];
  const folders = [...new Set(touched.map(({ path }) => path.slice(0, path.lastIndexOf("/"))))];
  if (asked.tool === undefined || folders.length > 1) return undefined;
  const match: Match = { tool: [asked.tool] };
  return JSON.stringify([match, asked.server ?? null, place, accesses, folders]);
}

function exampleOf({ asked, parts }: Facts): string {
  const [part] = parts;
  if (part?.command !== undefined) return joinWords(part.command.words);
  return part?.touched[0]?.path ?? asked.tool ?? "";
}
