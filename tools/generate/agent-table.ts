import type { AgentCard, Gate, SettingsFile } from "@earshot/agents";
import { readShippedAgent } from "@earshot/agents/files";

/** The agents as docs/install-agents.md lists them. */
export function agentTable(cards: readonly AgentCard[]): string {
  const head =
    "| agent | `--agent` | your settings | a project's | waits at most | a hook that fails | gate |\n| --- | --- | --- | --- | --- | --- | --- |";
  return [head, ...cards.map(rowOf)].join("\n");
}

const GATE_WORDS: Readonly<Record<Gate, string>> = {
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
