import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { ANSWERS_AT, BEHAVIOURS, FALLBACKS, HOLDS, POLICY_MOMENTS } from "../behaviour.ts";
import { MAX_HOLD_MS, MIN_HOLD_MS, type PolicyRule, RULE_DEFAULTS, type RuleMatch } from "../policy.ts";
import { type NodeReader, quoteScalar, shortenForMessage, type YamlMember } from "./node-reader.ts";
import { readMatch } from "./read-match.ts";

type Key = "name" | "match" | "except" | "answer" | "message" | "updatedInput" | "unanswered" | "unreachable" | "hold" | "holdFor";

/** Common synonyms of answers, separated by spaces. */
const SYNONYMS = {
  ask: "hold person prompt",
  allow: "approve accept permit yes",
  deny: "reject refuse forbid no",
  abstain: "pass ignore skip",
  defer: "pause",
} as const;
const MEANT = Object.fromEntries(Object.entries(SYNONYMS).flatMap(([answer, words]) => words.split(" ").map((word) => [word, answer])));

/** The reader of each member of a rule, in display order. */
const READERS: Readonly<Record<Key, (reader: NodeReader, node: Node) => unknown>> = {
  name: readName,
  match: (reader, node) => readMatch(reader, node, "`match`"),
  except: (reader, node) => readMatch(reader, node, "`except`"),
  answer: (reader, node) => reader.oneOf(node, "answer", BEHAVIOURS, MEANT),
  message: (reader, node) => reader.text(node, "message"),
  updatedInput: readInput,
  unanswered: (reader, node) => reader.oneOf(node, "unanswered", FALLBACKS, MEANT),
  unreachable: (reader, node) => reader.oneOf(node, "unreachable", FALLBACKS, MEANT),
  hold: (reader, node) => reader.oneOf(node, "hold", HOLDS),
  holdFor: readDuration,
};
/** Errors are reported in this order. */
const READ_ORDER: readonly Key[] = [
  "answer",
  "name",
  "match",
  "except",
  "message",
  "updatedInput",
  "unanswered",
  "unreachable",
  "hold",
  "holdFor",
];

/** One rule of the list; undefined if something in it is invalid. */
export function readRule(reader: NodeReader, node: Node, position: number): PolicyRule | undefined {
  const before = reader.errors;
  const members = reader.members(node, "A rule", Object.keys(READERS));
  if (members === undefined) return undefined;
  const get = (key: Key) => members.find((member) => member.key === key);
  if (get("answer") === undefined) return reader.refuse(node, "This rule has no `answer`.", `One of ${BEHAVIOURS.join(", ")}.`);
  const read: Record<string, unknown> = { ...RULE_DEFAULTS, name: `rule-${position}`, match: {} };
  for (const key of READ_ORDER) {
    const member = get(key);
    if (member !== undefined) read[key === "holdFor" ? "holdForMs" : key] = READERS[key](reader, member.value);
  }
  if (reader.errors > before || Object.values(read).includes(undefined)) return undefined;
  const rule = { ...read, from: { file: reader.file, line: reader.lineOf(node) } } as unknown as PolicyRule;
  return checkRule(reader, rule, get) ? rule : undefined;
}

function readName(reader: NodeReader, node: Node): string | undefined {
  const text = reader.text(node, "name");
  if (text === undefined || /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,79}$/u.test(text)) return text;
  const hint = "Letters, digits, spaces, dots and hyphens, at most 80.";
  return reader.refuse(node, `\`name\` cannot be ${JSON.stringify(shortenForMessage(text))}.`, hint);
}

/** Rejects a rule that fits the schema but makes no sense. */
function checkRule(reader: NodeReader, rule: PolicyRule, get: (key: Key) => YamlMember | undefined): boolean {
  const { answer, match } = rule;
  const refuse = (key: Key, message: string, hint: string) => {
    const at = get(key);
    if (at !== undefined) reader.refuse(at.at, message, hint);
    return false;
  };
  const meaningless = (key: Key, hint: string) => refuse(key, `\`${key}\` has no meaning with \`answer: ${answer}\`.`, hint);
  const held = answer === "ask" || answer === "defer";
  for (const key of ["unanswered", "unreachable", "holdFor"] as const)
    if (!held && get(key) !== undefined) return meaningless(key, "It is for rules that ask.");
  if (get("hold") !== undefined && !held && answer !== "abstain")
    return meaningless("hold", "It is for rules that ask, and for those that abstain.");
  if (rule.updatedInput !== undefined && answer !== "allow" && answer !== "ask")
    return meaningless("updatedInput", "It is for rules that allow or ask.");
  const moments = match.moment ?? POLICY_MOMENTS;
  if (!moments.some((moment) => ANSWERS_AT[moment].includes(answer))) {
    const fit = BEHAVIOURS.filter((one) => moments.every((moment) => ANSWERS_AT[moment].includes(one)));
    return refuse("answer", `\`answer: ${answer}\` has no place at the moment ${moments.join(", ")}.`, `There one can ${fit.join(", ")}.`);
  }
  if (answer === "allow" && !NAMING.some((name) => match[name] !== undefined))
    return refuse("answer", "This rule would allow everything.", "Say in `match` what it allows: a tool, commands, paths, a server.");
  const isGrave = match.danger !== undefined || match.inspectable === false || match.reversible === false;
  for (const key of ["unanswered", "unreachable"] as const) {
    if (rule[key] !== "allow" || !(isGrave || match.risk?.includes("high") === true)) continue;
    const message = `\`${key}: allow\` cannot stand here: what is risky or cannot be undone is never allowed by silence.`;
    return refuse(key, message, "Write ask or deny.");
  }
  return true;
}

/** Criteria about the action itself, not only about its agent, place or time. */
const NAMING = [
  "tool",
  "server",
  "skill",
  "command",
  "path",
  "danger",
  "toolType",
  "access",
  "risk",
] as const satisfies readonly (keyof RuleMatch)[];

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

function readDuration(reader: NodeReader, node: Node): number | undefined {
  const hint = "A number and a unit: 90s, 10m, 2h; from 10s to 24h.";
  if (!isScalar(node)) return reader.refuse(node, "`holdFor` takes a single value.", hint);
  const [, digits, unit = ""] = /^([1-9]\d{0,5})([smh])$/.exec(typeof node.value === "string" ? node.value : "") ?? [];
  if (digits === undefined) return reader.refuse(node, `\`holdFor\` cannot be ${quoteScalar(node)}.`, hint);
  const milliseconds = Number(digits) * (UNITS[unit] ?? 0);
  if (milliseconds >= MIN_HOLD_MS && milliseconds <= MAX_HOLD_MS) return milliseconds;
  return reader.refuse(node, `\`holdFor\` is ${quoteScalar(node)}, which is out of range.`, hint);
}

function readInput(reader: NodeReader, node: Node): JsonObject | undefined {
  const value = isMap(node) ? toJson(node) : undefined;
  if (isObject(value)) return value;
  const hint = "On lines of their own, indented: `timeout: 60000`. null removes one.";
  return reader.refuse(node, "`updatedInput` takes the members that it changes.", hint);
}

function toJson(node: unknown): JsonValue | undefined {
  if (isScalar(node)) {
    const { value } = node;
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }
  if (isSeq(node)) {
    const values = node.items.map(toJson);
    return values.every((value) => value !== undefined) ? values : undefined;
  }
  if (!isMap(node)) return undefined;
  const entries = node.items.map(({ key, value }) => [isScalar(key) ? (key.source ?? String(key.value)) : "", toJson(value)] as const);
  const isSafe = entries.every(([name, member]) => !/^(?:__proto__|constructor|prototype|)$/.test(name) && member !== undefined);
  return isSafe ? Object.fromEntries(entries) : undefined;
}
