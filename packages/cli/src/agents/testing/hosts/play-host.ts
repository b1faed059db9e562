import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentCard } from "@earshot/agents";
import { userCommand } from "../../hook-command.ts";
import { pluginText } from "../../plugin-text.ts";
import { runLine } from "../../run-line.ts";
import { claudeHost, codexHost, qwenHost, vscodeHost } from "./claude-hosts.ts";
import type { HostVerdict, ShellCall, SimulatedHost } from "./host.ts";
import { OTHER_HOSTS } from "./other-hosts.ts";
import { copilotHost, cursorHost, cursorToolHost, geminiHost } from "./own-format-hosts.ts";
import { PLUGIN_HOSTS, type PluginHost } from "./plugin-hosts.ts";

/** Every agent with command hooks. Those with plugins are in plugin-hosts.ts. */
export const SIMULATED_HOSTS: readonly SimulatedHost[] = [
  claudeHost,
  codexHost,
  cursorHost,
  cursorToolHost,
  geminiHost,
  copilotHost,
  vscodeHost,
  qwenHost,
  ...OTHER_HOSTS,
];

export type AnyHost = SimulatedHost | PluginHost;

export const ALL_HOSTS: readonly AnyHost[] = [...SIMULATED_HOSTS, ...PLUGIN_HOSTS];

export interface HostStage {
  /** The agent's own card. */
  readonly card: AgentCard;
  readonly launcher: string;
  /** A folder for plugins. */
  readonly folder: string;
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** The agent's timeout. */
  readonly timeoutMs: number;
  /** The timeout it reports; default: its card's. */
  readonly seconds?: number;
}

const PATIENCE_MS = 60_000;
let plugins = 0;

/** A simulated agent that wants to run a command asks its registered hook and obeys the answer. */
export async function playHost(host: AnyHost, call: ShellCall, stage: HostStage): Promise<HostVerdict> {
  const { card, launcher, folder, env, timeoutMs, seconds = card.deadline.gateS } = stage;
  if ("judge" in host) {
    const command = userCommand({ launcher, agent: card.slug, hook: host.hook, seconds, watchOnly: false });
    const run = await runLine(command, host.payload(call), { cwd: folder, env, timeoutMs });
    return host.judge(run, { failsClosed: card.failClosed !== undefined });
  }
  const format = card.user?.format;
  if (format?.kind !== "plugin") throw new Error(`${card.name} has no plugin.`);
  const plugin = join(folder, `${card.slug}-${++plugins}.mjs`);
  // Plugins have their own timeout.
  const hurried = { ...card, deadline: { ...card.deadline, gateS: Math.min(seconds, timeoutMs / 1000) } };
  writeFileSync(plugin, pluginText(format, hurried, JSON.stringify(launcher)));
  return host.run(plugin, call, Math.max(timeoutMs, PATIENCE_MS));
}
