import type { JsonObject, JsonValue } from "@earshot/protocol";
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { ANSWERS_AT, BEHAVIOURS, FALLBACKS, HOLDS, MOMENTS } from "../behaviour.ts";
import { LONGEST_HOLD_MS, type Match, type PolicyRule, RULE_DEFAULTS, SHORTEST_HOLD_MS } from "../policy.ts";
import { brief, type Member, type NodeReader, shown } from "./node-reader.ts";
import { readMatch } from "./read-match.ts";

const KEYS = ["name", "match", "except", "answer", "message", "updatedInput", "unanswered", "unreachable", "hold", "holdFor"] as const;
const MEANT = {
  hold: "ask",
  person: "ask",
  prompt: "ask",
  approve: "allow",
  accept: "allow",
  permit: "allow",
  yes: "allow",
  reject: "deny",
  refuse: "deny",
  forbid: "deny",
  no: "deny",
  pass: "abstain",
  ignore: "abstain",
  skip: "abstain",
  pause: "defer",
} as const;

/** One rule of the list; undefined when something in it is wrong. */
export function readRule(reader: NodeReader, node: Node, position: number): PolicyRule | undefined {
  const before = reader.troubles.filter(({ severity }) => severity === "error").length;
  const members = reader.members(node, "A rule", KEYS);
  if (members === undefined) return undefined;
  const get = (key: (typeof KEYS)[number]) => members.find((member) => member.key === key);
  const answerAt = get("answer");
  if (answerAt === undefined) return reader.refuse(node, "This rule has no `answer`.", `One of ${BEHAVIOURS.join(", ")}.`);
  const answer = reader.oneOf(answerAt.value, "answer", BEHAVIOURS, MEANT);
  const name = readName(reader, get("name"), position);
  const match = read(get("match"), (value) => readMatch(reader, value, "`match`"));
  const except = read(get("except"), (value) => readMatch(reader, value, "`except`"));
  const message = read(get("message"), (value) => reader.text(value, "message"));
  const updatedInput = read(get("updatedInput"), (value) => readInput(reader, value));
  const unanswered = read(get("unanswered"), (value) => reader.oneOf(value, "unanswered", FALLBACKS, MEANT));
  const unreachable = read(get("unreachable"), (value) => reader.oneOf(value, "unreachable", FALLBACKS, MEANT));
  const hold = read(get("hold"), (value) => reader.oneOf(value, "hold", HOLDS));
  const holdForMs = read(get("holdFor"), (value) => readDuration(reader, value));
  const failed = reader.troubles.filter(({ severity }) => severity === "error").length > before;
  if (failed || answer === undefined || name === undefined) return undefined;
  const rule: PolicyRule = {
    ...RULE_DEFAULTS,
    name,
    from: { file: reader.file, line: reader.lineOf(node) },
    match: match ?? {},
    ...(except === undefined ? {} : { except }),
    answer,
    ...(message === undefined ? {} : { message }),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(unanswered === undefined ? {} : { unanswered }),
    ...(unreachable === undefined ? {} : { unreachable }),
    ...(hold === undefined ? {} : { hold }),
    ...(holdForMs === undefined ? {} : { holdForMs }),
  };
  return checkRule(reader, rule, get) ? rule : undefined;
}

function read<Value>(member: Member | undefined, reading: (value: Node) => Value | undefined): Value | undefined {
  return member === undefined ? undefined : reading(member.value);
}

function readName(reader: NodeReader, member: Member | undefined, position: number): string | undefined {
  if (member === undefined) return `rule-${position}`;
  const text = reader.text(member.value, "name");
  if (text === undefined || /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,79}$/u.test(text)) return text;
  return reader.refuse(
    member.value,
    `\`name\` cannot be ${JSON.stringify(brief(text))}.`,
    "Letters, digits, spaces, dots and hyphens, at most 80.",
  );
}

/** What fits its schema, and makes no sense nevertheless. */
function checkRule(reader: NodeReader, rule: PolicyRule, get: (key: (typeof KEYS)[number]) => Member | undefined): boolean {
  const { answer, match } = rule;
  const refuse = (key: (typeof KEYS)[number], message: string, hint: string) => {
    const at = get(key);
    if (at !== undefined) reader.refuse(at.at, message, hint);
    return false;
  };
  const held = answer === "ask" || answer === "defer";
  for (const key of ["unanswered", "unreachable", "holdFor"] as const) {
    if (!held && get(key) !== undefined)
      return refuse(key, `\`${key}\` has no meaning with \`answer: ${answer}\`.`, "It is for rules that ask.");
  }
  if (get("hold") !== undefined && !held && answer !== "abstain") {
    return refuse("hold", `\`hold\` has no meaning with \`answer: ${answer}\`.`, "It is for rules that ask, and for those that abstain.");
  }
  if (rule.updatedInput !== undefined && answer !== "allow" && answer !== "ask") {
    return refuse("updatedInput", `\`updatedInput\` has no meaning with \`answer: ${answer}\`.`, "It is for rules that allow or ask.");
  }
  const moments = match.moment ?? MOMENTS;
  if (!moments.some((moment) => ANSWERS_AT[moment].includes(answer))) {
    const fit = BEHAVIOURS.filter((one) => moments.every((moment) => ANSWERS_AT[moment].includes(one)));
    return refuse("answer", `\`answer: ${answer}\` has no place at the moment ${moments.join(", ")}.`, `There one can ${fit.join(", ")}.`);
  }
  if (answer === "allow" && !namesSomething(match)) {
    return refuse("answer", "This rule would allow everything.", "Say in `match` what it allows: a tool, commands, paths, a server.");
  }
  const risky =
    match.danger !== undefined || match.inspectable === false || match.reversible === false || match.risk?.includes("high") === true;
  for (const key of ["unanswered", "unreachable"] as const) {
    if (rule[key] === "allow" && risky) {
      return refuse(
        key,
        `\`${key}: allow\` cannot stand here: what is risky or cannot be undone is never allowed by silence.`,
        "Write ask or deny.",
      );
    }
  }
  return true;
}

/** Some criterion that is about what is done, and not only about who does it where and when. */
function namesSomething({ tool, server, skill, command, path, danger, toolType, access, risk }: Match): boolean {
  return [tool, server, skill, command, path, danger, toolType, access, risk].some((criterion) => criterion !== undefined);
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

function readDuration(reader: NodeReader, node: Node): number | undefined {
  const hint = "A number and a unit: 90s, 10m, 2h; from 10s to 24h.";
  if (!isScalar(node)) return reader.refuse(node, "`holdFor` takes a single value.", hint);
  const [, digits, unit] = /^([1-9]\d{0,5})([smh])$/.exec(typeof node.value === "string" ? node.value : "") ?? [];
  if (digits === undefined || unit === undefined) return reader.refuse(node, `\`holdFor\` cannot be ${shown(node)}.`, hint);
  const milliseconds = Number(digits) * (unit === "s" ? UNITS.s : unit === "m" ? UNITS.m : UNITS.h);
  if (milliseconds >= SHORTEST_HOLD_MS && milliseconds <= LONGEST_HOLD_MS) return milliseconds;
  return reader.refuse(node, `\`holdFor\` is ${shown(node)}, which is out of range.`, hint);
}

function readInput(reader: NodeReader, node: Node): JsonObject | undefined {
  const value = isMap(node) ? toJson(reader, node) : undefined;
  if (value === undefined || typeof value !== "object" || value === null || Array.isArray(value)) {
    return reader.refuse(
      node,
      "`updatedInput` takes the members that it changes.",
      "On lines of their own, indented: `timeout: 60000`. null removes one.",
    );
  }
  return value as JsonObject;
}

function toJson(reader: NodeReader, node: unknown): JsonValue | undefined {
  if (isScalar(node)) {
    const { value } = node;
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }
  if (isSeq(node)) {
    const values = node.items.map((item) => toJson(reader, item));
    return values.every((value) => value !== undefined) ? values : undefined;
  }
  if (!isMap(node)) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? (key.source ?? String(key.value)) : "";
    const member = toJson(reader, value);
    if (name === "" || name === "__proto__" || name === "constructor" || name === "prototype" || member === undefined) return undefined;
    entries.push([name, member]);
  }
  return Object.fromEntries(entries);
}
