import { nearest, PROBLEMS, PROTOCOLS, type ProblemCode, type Rule, type RuleExample, ruleOf } from "@earshot/protocol";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";

export const explainCommand = command(
  {
    name: "check explain",
    positionals: ["RULE|CODE…"],
    about: `Explains a rule or a problem code: its meaning, its source and what to do, with an example that follows the rule and one that breaks it. "earshot check rules" lists the rules.`,
    options: { json: { type: "boolean", default: false, about: "print as JSON" } },
    examples: ["check explain aaep/session-ends-once", "check explain NOT_JSON"],
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    for (const name of positionals)
      io.out(
        values.json
          ? `${JSON.stringify(entryOf(name), null, 2)}
`
          : describe(name),
      );
    return EXIT.ok;
  },
);

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
  const { passes, fails } = rule.examples();
  const level = protocol.levels.find((one) => one.level === Math.max(1, rule.level));
  const lines = [
    id,
    rule.title,
    "",
    `Severity: ${rule.severity}.`,
    `Source: ${protocol.name.toUpperCase()} ${protocol.version}, ${rule.section}.`,
    ...(level === undefined ? [] : [`Required from level ${level.level} (${level.name}).`]),
    `Decided from: ${DECIDED[rule.decided]}.`,
    `What to do: ${rule.hint}`,
  ];
  if (rule.oncePerSession === true) lines.push("Reported at its first occurrence in a session only.");
  lines.push("", "This passes:", ...show(passes), "", "This does not:", ...show(fails));
  return `${lines.join("\n")}\n`;
}

const DECIDED = {
  event: "the event alone",
  recording: "a recording of the session",
  live: "a live drive only; a recording cannot show it",
} as const;

function show(example: RuleExample): string[] {
  if ("told" in example) return [`  ${example.told}`];
  return example.map((item) => {
    const text = JSON.stringify(item);
    return `  ${text.length > 1000 ? `${text.slice(0, 999)}…` : text}`;
  });
}

function entryOf(name: string): unknown {
  const rule = ruleOf(name);
  if (rule !== undefined) return { rule: name, ...rule, examples: rule.examples() };
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
  const hint = near.length === 0 ? "earshot check rules lists the rules." : `Did you mean ${near.join(", ")}?`;
  return createUsageError(`There is no rule or code ${JSON.stringify(name)}.`, hint);
}
