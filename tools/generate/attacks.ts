import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { SELF_APPROVAL_ATTEMPTS } from "../../packages/hub/src/access/testing/agent-attempts.ts";
import { HARD_SCRIPTS, SCRIPTS } from "../../scenarios/agent/scripts.ts";

const PAGE = "docs/security.md";
const BEGIN = "<!-- attacks: made by `npm run generate` from the titles of the tests -->";
const END = "<!-- end of attacks -->";
const FILES = ["packages/*/src/attacks/*.test.ts", "scenarios/attacks/*.{scenario,deep,browser}.ts"];

/** The outcome of a suite's attacks by the start of its title. Other suites list attacks that are held. */
const OUTCOMES = [
  { prefix: "held", title: "Held" },
  { prefix: "leaves an alarm", title: "Not prevented, but leaves an alarm" },
  { prefix: "not held", title: "Not held" },
] as const;

interface Suite {
  readonly title: string;
  readonly attacks: readonly string[];
}

/** docs/security.md, with the list of attacks that the tests carry out. */
export function attackFiles(): [string, string][] {
  const page = readFileSync(PAGE, "utf8");
  const [before = "", rest = ""] = page.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${PAGE} has no place for the list of attacks.`);
  return [[PAGE, `${before}${BEGIN}\n\n${list(readSuites())}\n${END}${after}`]];
}

function readSuites(): readonly Suite[] {
  const shell = "held: an agent with everything that its user can read decides nothing and loosens nothing when it";
  const files = FILES.flatMap((pattern) => globSync(pattern)).sort();
  return [
    { title: shell, attacks: [...Object.keys(SELF_APPROVAL_ATTEMPTS), ...Object.keys(SCRIPTS), ...Object.keys(HARD_SCRIPTS)] },
    ...files.flatMap((path) => suitesIn(path.replaceAll("\\", "/"), readFileSync(path, "utf8"))),
  ];
}

function list(suites: readonly Suite[]): string {
  const sections = OUTCOMES.map(({ prefix, title }) => {
    const own = suites.filter((suite) => outcomeOf(suite.title) === prefix && suite.attacks.length > 0);
    const items = own.map(({ title: name, attacks }) => {
      const subject = name.startsWith(prefix) ? name.slice(prefix.length).replace(/^:? /, "") : name;
      return `**${subject.charAt(0).toUpperCase()}${subject.slice(1)}**\n\n${attacks.map((attack) => `- ${attack}`).join("\n")}\n`;
    });
    return `### ${title}\n\n${items.join("\n")}`;
  });
  return sections.join("\n");
}

function outcomeOf(title: string): string {
  return OUTCOMES.find(({ prefix }) => title.startsWith(prefix))?.prefix ?? "held";
}

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The suites of a file: each top-level `describe` and its attack titles. A control is a `test` and is not listed. */
function suitesIn(path: string, source: string): readonly Suite[] {
  const { program } = parseSync(path, source);
  return (program.body as unknown as readonly Node[]).flatMap((statement) => {
    const call = statement["expression"] as Node | undefined;
    if (call?.type !== "CallExpression" || !nameOf(call["callee"] as Node).startsWith("describe")) return [];
    const [title] = call["arguments"] as readonly Node[];
    return [{ title: textOf(title) ?? path, attacks: testsIn(call) }];
  });
}

function testsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(testsIn);
  if (typeof node !== "object" || node === null) return [];
  const { type, ...members } = node as Node;
  if (type === "CallExpression") {
    const callee = members["callee"] as Node;
    const [title] = members["arguments"] as readonly Node[];
    const name = nameOf(callee);
    if (name === "it" || name.startsWith("it.skipIf")) return [textOf(title) ?? ""];
    if (name.startsWith("it.each")) return rowsOf((callee["arguments"] as readonly Node[])[0]);
  }
  return Object.values(members).flatMap(testsIn);
}

/** The first text of each row of a test table. Computed rows are listed elsewhere. */
function rowsOf(table: Node | undefined): readonly string[] {
  const elements = table?.type === "ArrayExpression" ? (table["elements"] as readonly Node[]) : [];
  return elements.flatMap((row) => textOf(row.type === "ArrayExpression" ? (row["elements"] as readonly Node[])[0] : row) ?? []);
}

/** `it`, `it.each`, `describe.skipIf`. */
function nameOf(callee: Node | undefined): string {
  if (callee === undefined) return "";
  if (callee.type === "Identifier") return String(callee["name"]);
  if (callee.type === "CallExpression") return nameOf(callee["callee"] as Node);
  if (callee.type !== "MemberExpression") return "";
  return `${nameOf(callee["object"] as Node)}.${nameOf(callee["property"] as Node)}`;
}

function textOf(node: Node | undefined): string | undefined {
  return node?.type === "Literal" && typeof node["value"] === "string" ? node["value"] : undefined;
}
