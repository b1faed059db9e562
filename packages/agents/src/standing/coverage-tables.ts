import { BEHAVIORS } from "@earshot/protocol/aep";
import type { AgentCoverage, HookCoverage } from "./agent-coverage.ts";
import type { HookBehaviors } from "./field-origin.ts";

const GATE_WORDS = {
  obeyed: "held; the agent itself was seen to obey",
  drilled: "held, and broken on purpose in tests",
  untried: "held as its documents say; nobody has seen it obeyed",
  none: "watched only",
} as const;

/** Markdown tables of the fields each agent provides at each hook and the answers it understands there. */
export function coverageTables(agents: readonly AgentCoverage[]): string {
  const overview = table(
    ["agent", "name here", "hooks", "left out", "gate"],
    agents.map(({ displayName, slug, hooks, ignored, gate }) => [
      displayName,
      `\`${slug}\``,
      String(hooks.length),
      String(ignored.length),
      GATE_WORDS[gate],
    ]),
  );
  return [...overview, ...agents.flatMap(agentTables)].join("\n");
}

function agentTables(agent: AgentCoverage): readonly string[] {
  const needs = table(
    ["need", "AEP", "standing", "where from"],
    agent.needs.map(({ need, field, standing, from }) => [need, `\`${field}\``, standing, shorten(from)]),
  );
  const ignored = agent.ignored.map(({ hook, reason }) => `- \`${hook}\` is left out: ${reason}.`);
  const said = agent.behaviors.filter(saysSomething);
  const silent = agent.behaviors.filter((hook) => !saysSomething(hook)).flatMap(({ hooks }) => hooks);
  return [
    "",
    `## ${agent.displayName} (\`${agent.slug}\`)`,
    "",
    `What it supplies, over all hooks.`,
    "",
    ...needs,
    "",
    "What it supplies, hook by hook.",
    "",
    ...table(["hook", "AEP", "supplied", "inferred", "missing"], agent.hooks.map(hookRow)),
    ...(ignored.length === 0 ? [] : ["", ...ignored]),
    "",
    "What it can be told, hook by hook.",
    "",
    ...(said.length === 0
      ? ["Nothing."]
      : table(["hook", "moment", ...BEHAVIORS, "updated input", "added context"], said.map(behaviorRow))),
    ...(silent.length === 0 || said.length === 0 ? [] : ["", `Nothing can be said at ${list(silent)}.`]),
    ...agent.behaviors.flatMap(({ hooks, avoid }) =>
      avoid === undefined ? [] : ["", `Not registered for watching: ${list(hooks)}, because ${avoid}.`],
    ),
  ];
}

function hookRow({ hook, types, fields }: HookCoverage): readonly string[] {
  return [`\`${hook}\``, types.join(", "), fields.supplied.join(", "), fields.inferred.join(", "), fields.missing.join(", ")];
}

function behaviorRow({ hooks, moment, behaviors, updatedInput, additionalContext }: HookBehaviors): readonly string[] {
  return [list(hooks), moment.replaceAll("_", " "), ...BEHAVIORS.map((behavior) => behaviors[behavior]), updatedInput, additionalContext];
}

function saysSomething({ behaviors, updatedInput, additionalContext }: HookBehaviors): boolean {
  return (
    updatedInput !== "no" || additionalContext !== "no" || Object.values(behaviors).some((word) => word === "yes" || word.includes("only"))
  );
}

const MAX_SOURCES = 4;

function shorten(from: readonly string[]): string {
  const shown = from.slice(0, MAX_SOURCES).map((source) => (/^[/\w.:]+$/.test(source) ? `\`${source}\`` : source));
  return `${shown.join(", ")}${from.length > MAX_SOURCES ? ", …" : ""}`;
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)];
}
