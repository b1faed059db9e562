import { nearest } from "@earshot/protocol/nearest";
import { isMap, isNode, isSeq, type Node } from "yaml";
import { PERMISSIVE_BEHAVIOURS } from "../behaviour.ts";
import { namesLike } from "../catalogue/names.ts";
import { onlyTightens } from "../compile-policy.ts";
import { momentsOf } from "../moments.ts";
import { type Policy, type PolicyRule, RULE_DEFAULTS, type RuleOrigin } from "../policy.ts";
import { PRESETS } from "../presets/presets.ts";
import { NodeReader } from "./node-reader.ts";
import { readRule } from "./read-rule.ts";
import type { PolicyTrouble } from "./read-yaml.ts";
import { RULES_YAML, readStrictYaml } from "./read-yaml.ts";

export interface PolicySource {
  readonly text: string;
  /** The file name used in messages. */
  readonly file: string;
  /** A repository's own file can only tighten: permissive rules are left out with a warning. */
  readonly kind: "user" | "repository";
  /** The text of another file that `extends` names; undefined if it does not exist. */
  readonly others?: (name: string) => string | undefined;
}

export type PolicyReading =
  | { readonly ok: true; readonly policy: Policy; readonly troubles: readonly PolicyTrouble[] }
  /** The whole file is invalid: the caller keeps the last good policy and reports the errors prominently. */
  | { readonly ok: false; readonly troubles: readonly PolicyTrouble[] };

const KEYS = ["version", "extends", "rules"] as const;
const MAX_RULES = 1000;
const MAX_LEVELS = 5;
const MAX_WALLED = 5;

/** The policy in a text with everything it extends, or all its errors. */
export function readPolicy(source: PolicySource): PolicyReading {
  const reading = readFile(source, [source.file]);
  if (!reading.ok) return reading;
  const { rules } = reading.policy;
  const tooMany = trouble(
    { file: source.file, line: 1 },
    "error",
    `There are more than ${MAX_RULES} rules.`,
    "Lists and patterns make one rule of many.",
  );
  const troubles = [
    ...reading.troubles,
    ...twice(rules, source.file),
    ...neverReached(rules),
    ...(rules.length > MAX_RULES ? [tooMany] : []),
  ];
  const ok = troubles.every(({ severity }) => severity !== "error");
  return ok ? { ok, policy: { rules }, troubles } : { ok: false, troubles };
}

function readFile(source: PolicySource, stack: readonly string[]): PolicyReading {
  const yaml = readStrictYaml(source.text, RULES_YAML);
  if (!yaml.ok) return { ok: false, troubles: yaml.troubles.map((one) => ({ file: source.file, severity: "error", ...one })) };
  const { root, place } = yaml.value;
  if (root === undefined || (isMap(root) && root.items.length === 0)) return emptyFile(source);
  const reader = new NodeReader(source.file, place);
  if (!isMap(root)) reader.refuse(root, "The file is no policy.", "It begins with `rules:`, or with `extends:` and a preset.");
  const members = isMap(root) ? (reader.members(root, "A policy", KEYS) ?? []) : [];
  const own: PolicyRule[] = [];
  const extended: PolicyRule[] = [];
  for (const { key, value } of members) {
    if (key === "rules") own.push(...readRules(reader, value, source));
    else if (key === "extends") extended.push(...readExtends(reader, value, source, stack));
    else if (String(value) !== "1") reader.refuse(value, "Only version 1 is known here.", "Write `version: 1`, or remove the line.");
  }
  const { troubles } = reader;
  return reader.errors > 0 ? { ok: false, troubles } : { ok: true, policy: { rules: [...own, ...extended] }, troubles };
}

/** An empty file was most likely truncated: everything that can be held is asked about. */
function emptyFile({ file }: PolicySource): PolicyReading {
  const from = { file, line: 1 };
  const rule: PolicyRule = { ...RULE_DEFAULTS, name: "empty-file", from, match: {}, answer: "ask" };
  const hint = "Write `extends: guard`, or `rules: []` if nothing is to be asked.";
  return {
    ok: true,
    policy: { rules: [rule] },
    troubles: [trouble(from, "warning", "The file is empty: everything is asked about.", hint)],
  };
}

function readRules(reader: NodeReader, node: Node, { kind }: PolicySource): readonly PolicyRule[] {
  if (!isSeq(node)) return reader.refuse(node, "`rules` takes a list.", "Each rule begins with `- `.") ?? [];
  return node.items.flatMap((item, index): readonly PolicyRule[] => {
    const rule = isNode(item) ? readRule(reader, item, index + 1) : undefined;
    if (rule === undefined || !isNode(item)) return [];
    if (kind === "user" || onlyTightens(rule)) {
      if (rule.answer === "allow") warnOfShells(reader, item, rule);
      return [rule];
    }
    const hint = "A repository's own file can only tighten. Put it into your own policy.";
    reader.refuse(item, `The rule ${rule.name} is left out: ${whyLoose(rule)}.`, hint, "warning");
    return [];
  });
}

function whyLoose({ answer, updatedInput }: PolicyRule): string {
  if (PERMISSIVE_BEHAVIOURS.has(answer)) return `it says ${answer}`;
  return updatedInput === undefined ? "it allows by silence" : "it changes what runs";
}

const SHELL_TOOLS = namesLike("shell tools", "i");

function warnOfShells(reader: NodeReader, node: Node, { match }: PolicyRule): void {
  const isNarrow = [match.command, match.path, match.access, match.danger, match.risk].some((criterion) => criterion !== undefined);
  const shell = (match.tool ?? []).find((tool) => typeof tool === "string" && SHELL_TOOLS.test(tool));
  if (isNarrow || typeof shell !== "string") return;
  const message = `This allows every command of ${shell} that is not known to do harm.`;
  reader.refuse(node, message, "Say which, with `command:`.", "warning");
}

function readExtends(reader: NodeReader, node: Node, source: PolicySource, stack: readonly string[]): readonly PolicyRule[] {
  const names = reader.list(node, "extends", (one) => {
    const name = reader.text(one, "extends");
    return name === undefined ? undefined : { name, at: one };
  });
  return (names ?? []).flatMap(({ name, at }) => readOther(reader, at, name, source, stack) ?? []);
}

function readOther(
  reader: NodeReader,
  at: Node,
  name: string,
  source: PolicySource,
  stack: readonly string[],
): readonly PolicyRule[] | undefined {
  const presets = Object.keys(PRESETS);
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (stack.includes(name))
    return reader.refuse(at, `\`${name}\` extends itself, by way of ${stack.join(" → ")}.`, "Remove one of the steps.");
  if (stack.length > MAX_LEVELS)
    return reader.refuse(at, `Files extend one another over more than ${MAX_LEVELS} steps.`, "Name the presets and files here.");
  const text = preset ?? source.others?.(name);
  if (text === undefined) {
    const [near] = nearest(name, presets);
    const hint = near === undefined ? `The presets are ${presets.join(", ")}.` : `Did you mean \`${near}\`?`;
    return reader.refuse(at, `There is no preset, and no file, \`${name.slice(0, 60)}\`.`, hint);
  }
  const reading = readFile({ ...source, text, file: name }, [...stack, name]);
  reader.troubles.push(...reading.troubles);
  if (!reading.ok) return undefined;
  return preset === undefined ? reading.policy.rules : reading.policy.rules.map((rule) => ({ ...rule, name: `${name}/${rule.name}` }));
}

function twice(rules: readonly PolicyRule[], file: string): readonly PolicyTrouble[] {
  const seen = new Map<string, PolicyRule>();
  return rules.flatMap(({ name, from }, index) => {
    const first = seen.get(name);
    if (first === undefined && rules[index] !== undefined) seen.set(name, rules[index]);
    if (first === undefined) return [];
    const message = `The name ${name} was used before, in ${first.from.file} on line ${first.from.line}.`;
    return [trouble({ file: from.file || file, line: from.line }, "error", message, "Each rule has a name of its own.")];
  });
}

/** Rules after one that matches everything at every moment at which they could answer. */
function neverReached(rules: readonly PolicyRule[]): readonly PolicyTrouble[] {
  const covers = (wall: PolicyRule, rule: PolicyRule) => momentsOf(rule).every((moment) => momentsOf(wall).includes(moment));
  const walled = rules.flatMap((rule, index) => {
    const wall = rules.slice(0, index).find((earlier) => matchesAll(earlier) && covers(earlier, rule));
    return wall === undefined ? [] : [{ rule, wall }];
  });
  return walled.slice(0, MAX_WALLED).map(({ rule, wall }) => {
    const message = `The rule ${rule.name} is never reached: ${wall.name} matches everything before it.`;
    return trouble(rule.from, "warning", message, "The first rule that matches decides. Move the general one to the end.");
  });
}

function matchesAll({ match, except }: PolicyRule): boolean {
  return except === undefined && Object.keys(match).every((key) => key === "moment");
}

function trouble({ file, line }: RuleOrigin, severity: PolicyTrouble["severity"], message: string, hint: string): PolicyTrouble {
  return { file, line, column: 1, severity, message, hint };
}
