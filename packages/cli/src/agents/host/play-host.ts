import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapter.ts";
import { userCommand } from "../hook-command.ts";
import { pluginText } from "../plugins/plugin-text.ts";
import type { HostVerdict, ShellCall, SimulatedHost } from "./host.ts";
import { SIMULATED_HOSTS } from "./hosts.ts";
import { PLUGIN_HOSTS, type PluginHost } from "./plugin-hosts.ts";
import { runAsHost } from "./run-as-host.ts";

export type AnyHost = SimulatedHost | PluginHost;

export const ALL_HOSTS: readonly AnyHost[] = [...SIMULATED_HOSTS, ...PLUGIN_HOSTS];

export interface Stage {
  /** The agent's own adapter. */
  readonly adapter: Adapter;
  readonly launcher: string;
  /** Where a plugin may be put. */
  readonly folder: string;
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** How long the agent waits for its hook. */
  readonly timeoutMs: number;
  /** How long it says that it waits; what its adapter says unless given. */
  readonly seconds?: number;
}

const PATIENCE_MS = 60_000;
let plugins = 0;

/** A simulated agent wants to run a command, asks its hook as it was registered, and does what it is told. */
export async function playHost(host: AnyHost, call: ShellCall, stage: Stage): Promise<HostVerdict> {
  const { adapter, launcher, folder, env, timeoutMs, seconds = adapter.deadline.gateS } = stage;
  if ("judge" in host) {
    const command = userCommand({ launcher, agent: adapter.slug, hook: host.hook, seconds, watchOnly: false });
    const run = await runAsHost(command, host.payload(call), { cwd: folder, env, timeoutMs });
    return host.judge(run, { failsClosed: adapter.failClosed !== undefined });
  }
  const format = adapter.user?.format;
  if (format?.kind !== "plugin") throw new Error(`${adapter.name} has no plugin.`);
  const plugin = join(folder, `${adapter.slug}-${++plugins}.mjs`);
  // It waits by itself, and stops waiting by itself.
  const hurried = { ...adapter, deadline: { ...adapter.deadline, gateS: Math.min(seconds, timeoutMs / 1000) } };
  writeFileSync(plugin, pluginText(format, hurried, JSON.stringify(launcher)));
  return host.run(plugin, call, Math.max(timeoutMs, PATIENCE_MS));
}
