import type { Gate } from "@earshot/agents";
import { readShippedAgent } from "@earshot/agents/files";
import type { Adapter, SettingsFile } from "../adapter.ts";
import { ADAPTERS } from "../adapters.ts";

/** The agents as docs/install-agents.md lists them. */
export function agentTable(): string {
  const head =
    "| agent | `--agent` | your settings | a project's | waits at most | a hook that fails | gate |\n| --- | --- | --- | --- | --- | --- | --- |";
  return [head, ...ADAPTERS.map(rowOf)].join("\n");
}

const GATE_WORDS: Readonly<Record<Gate, string>> = {
  obeyed: "obeyed by the agent itself",
  drilled: "drilled",
  untried: "written as documented, untried",
  none: "none",
};

function rowOf(adapter: Adapter): string {
  const gate = GATE_WORDS[readShippedAgent(adapter.slug)?.answers.gate ?? "none"];
  const cells = [adapter.name, `\`${adapter.slug}\``, pathOf(adapter.user), pathOf(adapter.project), waits(adapter), fails(adapter), gate];
  return `| ${cells.join(" | ")} |`;
}

function pathOf(file: SettingsFile | undefined): string {
  if (file === undefined) return "—";
  const path = [file.folder.replace("~config/", "~/.config/"), file.file === "" ? "HOOK" : file.file].join("/").replace(/^\.\//, "");
  return `\`${path}\``;
}

function waits({ deadline: { gateS, isFixed } }: Adapter): string {
  const time = gateS >= 3600 ? `${gateS / 3600} h` : gateS >= 60 ? `${gateS / 60} min` : `${gateS} s`;
  return isFixed === true ? `${time}, its own limit` : time;
}

function fails({ failing, failClosed }: Adapter): string {
  const [name] = Object.keys(failClosed ?? {});
  if (name !== undefined) return `refuses the tool (\`${name}\`)`;
  return failing === "blocks" ? "refuses the tool" : "lets the tool run";
}
