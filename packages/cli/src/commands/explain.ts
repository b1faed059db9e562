import { type Example, nearest, PROBLEMS, PROTOCOLS, type ProblemCode, type Rule, ruleOf } from "@earshot/protocol";
import { EXAMPLES } from "@earshot/protocol/examples";
import { EXIT, type Io } from "../io.ts";
import { usage } from "../usage.ts";

export const EXPLAIN_HELP = `Usage: earshot explain RULE|CODE [--json]

Says what a rule or a problem code means, where it comes from and what to do, with an example that keeps the rule and
one that breaks it. "earshot rules" lists the rules.
`;

export async function explain(argv: readonly string[], io: Io): Promise<number> {
  const json = argv.includes("--json");
  const names = argv.filter((word) => !word.startsWith("-"));
  if (argv.includes("--help") || argv.includes("-h")) {
    io.out(EXPLAIN_HELP);
    return EXIT.ok;
  }
  const unknown = argv.find((word) => word.startsWith("-") && word !== "--json");
  if (unknown !== undefined) throw usage(`There is no option ${unknown}.`, "earshot explain --help");
  if (names.length === 0)
    throw usage("Nothing to explain.", "Give a rule, for example aaep/session-ends-once, or a code, for example NOT_JSON.");
  for (const name of names) io.out(json ? `${JSON.stringify(entryOf(name), null, 2)}\n` : describe(name));
  return EXIT.ok;
}

function describe(name: string): string {
  const rule = ruleOf(name);
  if (rule !== undefined) return describeRule(name, rule);
  const code = findCode(name);
  if (code !== undefined) {
    const { title, help, status, retryable } = PROBLEMS[code];
    return `${code}\n${title}.\n${help}\nOver HTTP: status ${status}; ${retryable ? "trying again may help" : "trying again does not help"}.\n`;
  }
  throw unknownName(name);
}

function describeRule(id: string, rule: Rule): string {
  const protocol = PROTOCOLS[id.split("/", 1)[0] as keyof typeof PROTOCOLS];
  const examples = EXAMPLES[id];
  const level = protocol.levels.find((one) => one.level === Math.max(1, rule.level));
  const lines = [
    id,
    rule.title,
    "",
    `Severity: ${rule.severity}.`,
    `Where it stands: ${protocol.name.toUpperCase()} ${protocol.version}, ${rule.section}.`,
    ...(level === undefined ? [] : [`Asked for from level ${level.level} (${level.name}).`]),
    `Decided from: ${DECIDED[rule.decided]}.`,
    `What to do: ${rule.hint}`,
  ];
  if (rule.oncePerSession === true) lines.push("Reported at its first occurrence in a session only.");
  if (examples !== undefined) lines.push("", "This passes:", ...show(examples.passes), "", "This does not:", ...show(examples.fails));
  return `${lines.join("\n")}\n`;
}

const DECIDED = {
  event: "the event alone",
  recording: "a recording of the session",
  live: "a live drive only; a recording cannot show it",
} as const;

function show(example: Example): string[] {
  if ("told" in example) return [`  ${example.told}`];
  return example.map((item) => {
    const text = JSON.stringify(item);
    return `  ${text.length > 1000 ? `${text.slice(0, 999)}…` : text}`;
  });
}

function entryOf(name: string): unknown {
  const rule = ruleOf(name);
  if (rule !== undefined) return { rule: name, ...rule, examples: EXAMPLES[name] };
  const code = findCode(name);
  if (code !== undefined) return { code, ...PROBLEMS[code] };
  throw unknownName(name);
}

function findCode(name: string): ProblemCode | undefined {
  const upper = name.toUpperCase();
  return Object.hasOwn(PROBLEMS, upper) ? (upper as ProblemCode) : undefined;
}

function unknownName(name: string) {
  const known = [...Object.values(PROTOCOLS).flatMap((protocol) => Object.keys(protocol.rules)), ...Object.keys(PROBLEMS)];
  const near = nearest(name, known);
  const hint = near.length === 0 ? "earshot rules lists the rules." : `Did you mean ${near.join(", ")}?`;
  return usage(`There is no rule or code ${JSON.stringify(name)}.`, hint);
}
