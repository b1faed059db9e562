import { existsSync, readFileSync } from "node:fs";
import type { AgentCard, GateGrade, HookAnswers, SettingsFile } from "@earshot/agents";
import { coverageOf, coverageTables } from "@earshot/agents/coverage";
import { agentCards, readShippedAgent } from "@earshot/agents/files";

/** Generated from the agents' folders: two pages, and data for packages that cannot read files. */
export function agentFiles(): readonly (readonly [path: string, content: string])[] {
  const cards = byGate(agentCards());
  const agents = agentCards().map(({ slug }) => shipped(slug));
  const tables = coverageTables(agents.map(({ mapping, answers }) => coverageOf(mapping, answers)));
  const page = readFileSync(INSTALL_PAGE, "utf8");
  return [
    ["docs/agents.md", `${read("agents-introduction.md").replace("{notes}\n", agentCards().map(notesOf).join(""))}\n${tables}\n`],
    [INSTALL_PAGE, page.replace(/^\| agent \| `--agent`.*\n(?:\|.*\n)+/m, `${agentTable(cards)}\n`)],
    ["packages/protocol/src/coding-agents.ts", codingAgents(cards)],
  ];
}

const INSTALL_PAGE = "docs/install-agents.md";

/** Agents with an observed gate first, then drilled ones. */
function byGate(cards: readonly AgentCard[]): readonly AgentCard[] {
  const order = ["obeyed", "drilled", "untried", "none"];
  const rank = ({ slug }: AgentCard) => order.indexOf(shipped(slug).answers.gate);
  return cards.toSorted((one, other) => rank(one) - rank(other));
}

function codingAgents(cards: readonly AgentCard[]): string {
  const bySlug = agentCards();
  const signs = bySlug.flatMap(({ slug, signs, before, alike, borrows }) =>
    signs === undefined && borrows === undefined ? [] : [[slug, { signs, before, alike, borrows }] as const],
  );
  const offered = cards.filter(({ slug }) => ["obeyed", "drilled"].includes(shipped(slug).answers.gate));
  const asksAnyway = bySlug.filter(asksDespiteAllow).map(({ slug }) => slug);
  const values: Readonly<Record<string, unknown>> = {
    CODING_AGENTS: offered.map((card) => ({
      slug: card.slug,
      name: card.name,
      runsOn: card.failing === "runs" && card.failClosed === undefined,
    })),
    AGENT_NAMES: Object.fromEntries(bySlug.map(({ slug, name, called = name }) => [slug, called])),
    AGENT_ALIASES: Object.fromEntries(bySlug.flatMap(({ slug, aliases }) => aliases.map((alias) => [alias, slug]))),
    AGENT_SIGNS: Object.fromEntries(signs),
    ASKING_AGENTS: asksAnyway,
    AGENT_PROGRAMS: [...new Set(bySlug.flatMap(({ programs }) => programs))],
    AGENT_PATHS: [
      ...new Set(
        bySlug.flatMap(({ guards }) => guards.flatMap((path) => (path.endsWith("/") ? [path.slice(0, -1), `${path}**`] : [path]))),
      ),
    ],
  };
  return read("coding-agents.txt").replaceAll(/\b([A-Z_]+)_VALUE\b/g, (_, name: string) => JSON.stringify(values[name], null, 2));
}

/** Agents whose hook can refuse an action but not let it through: an allow leaves it to their own rules, which may prompt. */
function asksDespiteAllow({ slug, neverAsks }: AgentCard): boolean {
  const before = shipped(slug).answers.hooks.filter(({ moment }) => moment === "before_action");
  const isAllowUnderstood = ({ replies: { allow } }: HookAnswers) =>
    allow !== undefined && allow.as === undefined && !allow.needsUpdatedInput;
  return neverAsks !== true && before.length > 0 && !before.some(isAllowUnderstood);
}

function shipped(slug: string) {
  const data = readShippedAgent(slug);
  if (data === undefined) throw new Error(`The folder of ${slug} lacks a file.`);
  return data;
}

/** Notes for users about an agent: the limits in its card, and its page. */
function notesOf({ slug, name, limits }: AgentCard): string {
  const url = new URL(`../../packages/agents/agents/${slug}/page.md`, import.meta.url);
  const page = existsSync(url) ? [readFileSync(url, "utf8").trim()] : [];
  return `**${name}.** ${[...limits, ...page].join(" ")}\n\n`;
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}

/** The table of agents in docs/install-agents.md. */
function agentTable(cards: readonly AgentCard[]): string {
  const head =
    "| agent | `--agent` | your settings | a project's | waits at most | a hook that fails | gate |\n| --- | --- | --- | --- | --- | --- | --- |";
  return [head, ...cards.map(rowOf)].join("\n");
}

const GATE_WORDS: Readonly<Record<GateGrade, string>> = {
  obeyed: "obeyed by the agent itself",
  drilled: "drilled",
  untried: "written as documented, untried",
  none: "none",
};

function rowOf(card: AgentCard): string {
  const gate = GATE_WORDS[readShippedAgent(card.slug)?.answers.gate ?? "none"];
  const cells = [card.name, `\`${card.slug}\``, pathOf(card.user), pathOf(card.project), waits(card), fails(card), gate];
  return `| ${cells.join(" | ")} |`;
}

function pathOf(file: SettingsFile | undefined): string {
  if (file === undefined) return "—";
  const path = [file.folder.replace("~config/", "~/.config/"), file.file === "" ? "HOOK" : file.file].join("/").replace(/^\.\//, "");
  return `\`${path}\``;
}

function waits({ deadline: { gateS, isFixed } }: AgentCard): string {
  const time = gateS >= 3600 ? `${gateS / 3600} h` : gateS >= 60 ? `${gateS / 60} min` : `${gateS} s`;
  return isFixed === true ? `${time}, its own limit` : time;
}

function fails({ failing, failClosed }: AgentCard): string {
  const [name] = Object.keys(failClosed ?? {});
  if (name !== undefined) return `refuses the tool (\`${name}\`)`;
  return failing === "blocks" ? "refuses the tool" : "lets the tool run";
}
