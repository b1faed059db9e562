import type { Places, PolicyInput } from "../asked.ts";
import { isSecretPath } from "../catalogue/secrets.ts";
import { compilePolicy } from "../compile-with-re2.ts";
import { decideByPolicy } from "../decide.ts";
import { findFacts, type RequestFacts } from "../facts.ts";
import type { RuleMatch } from "../policy.ts";
import { escapeGlob, exactPattern, headText, kindPattern } from "./command-kind.ts";
import { type RuleDraft, toRule, writeRule } from "./rule-draft.ts";

export interface RuleScope {
  readonly answer: "allow" | "deny" | "ask";
  /** `exact`: exactly this command or file. `kind`: the same program, subcommand and options, in the same workspace. */
  readonly breadth?: "exact" | "kind";
  /** Where the rule applies. */
  readonly where?: "workspace" | "session" | "everywhere";
}

export type ProposedRule =
  | { readonly ok: true; readonly rule: RuleDraft; readonly yaml: string }
  | { readonly ok: false; readonly why: string };

/** The rule for "this kind from now on", as narrow as it can be expressed. It is shown before it is written. */
export function proposeRuleFor(
  asked: PolicyInput,
  { answer, breadth = "exact", where = "workspace" }: RuleScope,
  places: Places = {},
): ProposedRule {
  const facts = findFacts(asked, places);
  const why = answer === "allow" ? whyNoRule(facts) : undefined;
  if (why !== undefined) return { ok: false, why };
  // Another operand of a program that is not understood may have any effect.
  const about = matchOf(facts, answer !== "allow" || facts.harmless() ? breadth : "exact");
  if (about === undefined) return { ok: false, why: "There is nothing here that a rule could name." };
  const match: RuleMatch = { ...(asked.tool === undefined ? {} : { tool: [escapeGlob(asked.tool)] }), ...about, ...placeOf(facts, where) };
  const rule: RuleDraft = { name: nameOf(answer, facts), match, answer };
  const compiled = compilePolicy({ rules: [toRule(rule)] }, { places });
  if (decideByPolicy(compiled, asked).rule !== undefined) return { ok: true, rule, yaml: writeRule(rule) };
  if (breadth === "kind") return proposeRuleFor(asked, { answer, where }, places);
  return { ok: false, why: "No rule that is narrow enough can say this; write one by hand." };
}

/** Why no rule is proposed for a request: approving it must not become a habit. */
export function whyNoRule({ asked, inspectable, dangers: [danger], judged, parts }: RequestFacts): string | undefined {
  if (!inspectable) return `The command cannot be inspected. ${judged.uninspectable ?? ""}`.trim();
  if (danger !== undefined) return `It is known to do harm. ${danger.sentence}`;
  if (judged.risk === "high") return "Its risk is high.";
  if (judged.reversible === false) return "It cannot be undone.";
  const touched = parts.flatMap((part) => part.touched);
  if (touched.some(({ path, shape }) => isSecretPath(shape ?? path))) return "It names files that look as if they held secrets.";
  const namesNothing = asked.skill === undefined && touched.length === 0;
  if (asked.command === undefined && (namesNothing || asked.server !== undefined))
    return "A rule names commands and files. This is neither, and a rule would allow the tool with any arguments.";
  return parts.some(({ command }) => (command?.writes.length ?? 0) > 0) ? "It writes into files by redirection." : undefined;
}

/** Criteria for the action; undefined if there is nothing to name. */
function matchOf({ parts, asked, roots }: RequestFacts, breadth: "exact" | "kind"): RuleMatch | undefined {
  if (asked.command !== undefined) {
    const commands = parts.flatMap(({ command }) => (command === undefined || command.words.length === 0 ? [] : [command]));
    const patterns = commands.map((command) => {
      const [outer] = command.via;
      const kind = breadth === "kind" && outer === undefined ? kindPattern(command, roots) : undefined;
      return kind ?? exactPattern(outer?.words ?? command.words);
    });
    return patterns.length === 0 ? undefined : { command: [...new Set(patterns)] };
  }
  const touched = parts.flatMap((part) => part.touched);
  if (touched.length > 0) {
    const access = new Set(touched.flatMap((one) => one.access ?? []));
    const paths = new Set(touched.map(({ path }) => (breadth === "kind" ? folderOf(path, roots) : escapeGlob(path))));
    return { path: [...paths], ...(access.size === 0 ? {} : { access: [...access] }) };
  }
  if (asked.tool === undefined && asked.skill === undefined) return undefined;
  return {
    ...(asked.server === undefined ? {} : { server: [escapeGlob(asked.server)] }),
    ...(asked.skill === undefined ? {} : { skill: [escapeGlob(asked.skill)] }),
  };
}

function placeOf({ asked, roots }: RequestFacts, where: "workspace" | "session" | "everywhere"): RuleMatch {
  if (where === "session") return asked.session === undefined ? {} : { session: [escapeGlob(asked.session)] };
  return where === "everywhere" || roots.length === 0 ? {} : { cwd: roots.map((root) => `${escapeGlob(root)}/**`) };
}

/** Everything in the same folder, if the folder is inside the workspace. */
function folderOf(path: string, roots: readonly string[]): string {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const inside = roots.some((root) => folder === root || folder.startsWith(`${root}/`));
  return inside ? `${escapeGlob(folder)}/**` : escapeGlob(path);
}

function nameOf(answer: string, { parts, asked }: RequestFacts): string {
  const command = parts.find((part) => (part.command?.words.length ?? 0) > 0)?.command;
  const about = command === undefined ? (asked.tool ?? asked.skill ?? "this") : headText(command.name, command.words);
  const words = `${answer} ${about}`.replaceAll(/[^\p{L}\p{N}._-]+/gu, " ").trim();
  return words.replaceAll(" ", "-").slice(0, 60);
}
