import { isMap, isScalar, isSeq } from "yaml";
import { readPolicy } from "../read/read-policy.ts";
import { RULES_YAML, readStrictYaml } from "../read/read-yaml.ts";
import { type RuleDraft, writeRule } from "./rule-draft.ts";

export type AppendedRule =
  | { readonly ok: true; readonly text: string /** The name it got: another one where it was taken. */; readonly name: string }
  | { readonly ok: false; readonly why: string };

/**
 * Adds a rule to the text of a policy file. The rule comes first, because the first matching rule decides and a rule at the end would be
 * too late. Every other character stays unchanged, including comments.
 */
export function appendRule(text: string, draft: RuleDraft, others?: (name: string) => string | undefined): AppendedRule {
  const read = (file: string) => readPolicy({ text: file, file: "policy.yaml", kind: "user", ...(others === undefined ? {} : { others }) });
  const before = read(text);
  if (!before.ok) return { ok: false, why: `The file has errors: ${before.troubles[0]?.message ?? ""}` };
  const name = freeName(draft.name, new Set(before.policy.rules.map((rule) => rule.name)));
  const edited = insert(text, writeRule({ ...draft, name }));
  if (edited === undefined) return { ok: false, why: "`rules` is written in brackets; put each rule on lines of its own." };
  const after = read(edited);
  const [first, ...rest] = after.ok ? after.policy.rules : [];
  const kept = before.policy.rules.filter((rule) => rule.name !== "empty-file");
  const same = first?.name === name && rest.length === kept.length && rest.every((rule, index) => rule.answer === kept[index]?.answer);
  if (same) return { ok: true, text: edited, name };
  return { ok: false, why: "The rule does not fit into the file as it is written; add it by hand." };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

function insert(text: string, rule: string): string | undefined {
  const yaml = readStrictYaml(text, RULES_YAML);
  if (!yaml.ok) return undefined;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = (indent: string) =>
    rule
      .trimEnd()
      .split("\n")
      .map((line) => (line === "" ? "" : indent + line))
      .join(newline);
  const { root } = yaml.value;
  const body = text === "" || text.endsWith("\n") ? text : `${text}${newline}`;
  if (!isMap(root)) return `${body}rules:${newline}${lines("  ")}${newline}`;
  const rules = root.items.find(({ key }) => isScalar(key) && key.value === "rules")?.value;
  if (rules === undefined) return root.flow === true ? undefined : `${body}rules:${newline}${lines("  ")}${newline}`;
  if (!isSeq(rules)) return undefined;
  const [start = 0, end = 0] = rules.range ?? [];
  if (rules.flow === true) {
    // An empty list in brackets is replaced as a whole.
    return rules.items.length > 0 || root.flow === true
      ? undefined
      : `${text.slice(0, start).trimEnd()}${newline}${lines("  ")}${text.slice(end)}`;
  }
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const indent = text.slice(lineStart, start);
  return /^ *$/.test(indent) ? `${text.slice(0, lineStart)}${lines(indent)}${newline}${text.slice(lineStart)}` : undefined;
}
