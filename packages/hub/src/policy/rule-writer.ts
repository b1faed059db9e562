import {
  appendRule,
  describeAsked,
  describeRule,
  type Places,
  type PolicyRule,
  proposeRuleFor,
  type RuleDraft,
  readPolicy,
  writeRule,
} from "@earshot/policy";
import type { PolicyText } from "./policy-language.ts";
import type { RuleInput } from "./rules.ts";

/** How long an approver allows a kind of action. `project`: in this project, today. `always`: in this project, by a rule. */
export const APPROVAL_SCOPES = ["once", "session", "project", "always"] as const;
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number];

/** An offered rule as it would be stored. */
export interface OfferedRule {
  readonly name: string;
  /** As one entry of `rules`. */
  readonly yaml: string;
  /** The same in a sentence. */
  readonly words: string;
}

export type NarrowRuleOffer = { readonly ok: true; readonly rule: OfferedRule } | { readonly ok: false; readonly why: string };

/**
 * The narrowest useful rule that allows actions of this kind. No rule is offered for harmful, deleting, high-risk or uninspectable
 * actions. `taken` lists names in use.
 */
export function proposeNarrowRule(
  asked: RuleInput,
  scope: Exclude<ApprovalScope, "once">,
  policy: PolicyText,
  options: OfferOptions,
): NarrowRuleOffer {
  if (scope !== "session" && asked.cwd === undefined && (asked.roots ?? []).length === 0)
    return { ok: false, why: "It is not known in which project this is." };
  if (describeAsked(asked, options.places).files.some(({ access }) => access === "delete")) return { ok: false, why: "It deletes files." };
  // In the file it precedes all others: beside denying rules, it must not match more than was asked.
  const breadth = scope === "always" && refuses(policy) ? "exact" : "kind";
  const where = scope === "session" ? "session" : "workspace";
  const offered = proposeRuleFor(asked, { answer: "allow", breadth, where }, options.places);
  if (!offered.ok) return offered;
  const rule = { ...offered.rule, name: freeName(offered.rule.name, options.taken) };
  return toOffer(rule);
}

export interface OfferOptions {
  readonly places: Places;
  readonly taken: ReadonlySet<string>;
}

function toOffer(rule: RuleDraft): NarrowRuleOffer {
  const yaml = writeRule(rule);
  const [read] = rulesIn(`rules:\n${yaml}`) ?? [];
  if (read === undefined) return { ok: false, why: "No rule can say this; write one by hand." };
  return { ok: true, rule: { name: rule.name, yaml, words: `${describeRule(read)}.` } };
}

/** The file with one more rule, and every other character unchanged. */
export function addRuleText(policy: PolicyText, { yaml, name }: OfferedRule): AddedRule {
  const [rule] = rulesIn(`rules:\n${yaml}`) ?? [];
  if (rule === undefined) return { ok: false, why: "The rule cannot be read." };
  const { match, except, answer, message } = rule;
  const optional = { ...(except === undefined ? {} : { except }), ...(message === undefined ? {} : { message }) };
  const appended = appendRule(policy ?? "", { name, match, answer, ...optional });
  if (!appended.ok) return appended;
  // An existing empty file asks about everything; a rule in it would change that.
  if (policy !== null && rulesIn(appended.text)?.length !== (rulesIn(policy)?.length ?? 0) + 1)
    return { ok: false, why: "The file is empty, which means that everything is asked about. Write rules into it first." };
  const given = appended.name === name ? yaml : writeRule({ name: appended.name, match, answer, ...optional });
  return { ok: true, text: appended.text, name: appended.name, yaml: given };
}

export type AddedRule =
  | { readonly ok: true; readonly text: string; readonly name: string; readonly yaml: string }
  | { readonly ok: false; readonly why: string };

/** The file without a rule that was added to it. Undefined if it is not there as written. */
export function removeRuleText(policy: string, { name, yaml }: Pick<OfferedRule, "name" | "yaml">): PolicyText | undefined {
  const lines = policy.split("\n");
  const wanted = yaml.trimEnd().split("\n");
  const places = lines.flatMap((_line, index) => (standsAt(lines, index, wanted) ? [index] : []));
  const [at, second] = places;
  if (at === undefined || second !== undefined) return undefined;
  const rest = lines.toSpliced(at, wanted.length).join("\n");
  if (/^rules:\s*$/.test(rest)) return null; // nothing else is there: it was made for this rule
  const before = rulesIn(policy);
  const without = before?.filter((rule) => rule.name !== name).length;
  const candidates = [rest, rest.replace(/^rules:[ \t]*(\r?)$/m, "rules: []$1")];
  return candidates.find((text) => rulesIn(text)?.length === without);
}

/** Whether the lines are there, all indented by the same amount. */
function standsAt(lines: readonly string[], index: number, wanted: readonly string[]): boolean {
  const indent = /^ */.exec(lines[index] ?? "")?.[0] ?? "";
  return wanted.every((line, offset) => lines[index + offset]?.replace(/\r$/, "") === (line === "" ? "" : indent + line));
}

function rulesIn(text: string): readonly PolicyRule[] | undefined {
  const reading = readPolicy({ text, file: "policy.yaml", kind: "user" });
  return reading.ok ? reading.policy.rules : undefined;
}

const REFUSING: ReadonlySet<string> = new Set(["deny", "stop", "block", "defer"]);

function refuses(policy: PolicyText): boolean {
  return policy !== null && (rulesIn(policy) ?? []).some(({ answer }) => REFUSING.has(answer));
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}
