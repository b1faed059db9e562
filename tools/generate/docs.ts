import {
  CATALOGUE_EDITION,
  PROBLEMS,
  PROTOCOLS,
  type ProtocolName,
  type Rule,
  type RuleExample,
  type RuleExamples,
} from "@earshot/protocol";

const NAMES: readonly ProtocolName[] = ["aaep", "aep", "aop"];
const DECIDED = { event: "one event", recording: "a recording", live: "a live drive only" } as const;

/** docs/rules: one page per protocol and an index. */
export function ruleFiles(): [string, string][] {
  return [["docs/rules/README.md", index()], ...NAMES.map((name): [string, string] => [`docs/rules/${name}.md`, page(name)])];
}

export function errorFiles(): [string, string][] {
  const rows = Object.entries(PROBLEMS).map(
    ([code, kind]) => `| \`${code}\` | ${kind.status} | ${kind.retryable ? "yes" : "no"} | ${kind.title}. | ${kind.help} |`,
  );
  const text = [
    "# Problem codes",
    "",
    "Made from the code by `npm run generate`. Match on the code: it is never renamed. Messages are for people and may change.",
    "",
    "| code | HTTP status | try again | meaning | what to do |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
  return [["docs/errors.md", text]];
}

function index(): string {
  const lines = NAMES.map((name) => {
    const { title, version, rules } = PROTOCOLS[name];
    const all = Object.values(rules);
    const count = (test: (rule: Rule) => boolean) => all.filter(test).length;
    return `| [${name.toUpperCase()}](${name}.md) | ${title} ${version} | ${all.length} | ${count((rule) => rule.severity === "error")} | ${count((rule) => rule.severity === "warning")} | ${count((rule) => rule.severity === "info")} | ${count((rule) => rule.decided === "live")} |`;
  });
  return [
    "# Rules",
    "",
    `Rule catalogue ${CATALOGUE_EDITION.version} of ${CATALOGUE_EDITION.date}, made from the code by \`npm run generate\`. \`earshot check explain RULE\` prints an entry with its examples; \`earshot check rules\` lists them.`,
    "",
    "An error means that the recording does not conform. A warning is allowed, but somebody will be surprised. A note (info) is worth knowing. Live rules cannot be decided from a recording; they are listed so that nobody takes silence for a pass.",
    "",
    "| protocol | | rules | errors | warnings | notes | of these live |",
    "|---|---|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

function page(name: ProtocolName): string {
  const { title, version, rules, levels } = PROTOCOLS[name];
  const levelText =
    levels.length === 0
      ? "It defines no conformance levels."
      : `Levels: ${levels.map((level) => `${level.level} ${level.name}`).join(", ")}.`;
  const sections = Object.entries(rules).flatMap(([id, rule]) => [
    `## ${id}`,
    "",
    rule.title,
    "",
    `- Severity: ${rule.severity}${rule.oncePerSession === true ? ", told once per session" : ""}`,
    `- Stands in: ${rule.section}`,
    `- Decided from: ${DECIDED[rule.decided]}`,
    ...(levels.length === 0 ? [] : [`- Level: ${Math.max(1, rule.level)}`]),
    `- What to do: ${rule.hint}`,
    "",
    ...showExamples(rule.examples()),
  ]);
  return [
    `# Rules of ${name.toUpperCase()}`,
    "",
    `${title} ${version}. ${levelText} Made from the code by \`npm run generate\`.`,
    "",
    ...sections,
  ].join("\n");
}

function showExamples({ passes, fails }: RuleExamples): string[] {
  return [...example("Passes", passes), ...example("Does not pass", fails)];
}

function example(title: string, shown: RuleExample): string[] {
  if ("told" in shown) return [`${title}: ${shown.told}`, ""];
  const lines = shown.map((item) => {
    const text = JSON.stringify(item);
    return text.length > 600 ? `${text.slice(0, 599)}…` : text;
  });
  return [`${title}:`, "", "```json", ...lines, "```", ""];
}
