import type { Adapter, PluginFormat } from "../adapter.ts";
import { ampPlugin } from "./amp-plugin.ts";
import { opencodePlugin } from "./opencode-plugin.ts";
import { piPlugin } from "./pi-plugin.ts";

/** The file that runs inside an agent. `launcher` is an expression of JavaScript that gives the launcher's path. */
export function pluginText({ plugin }: PluginFormat, adapter: Adapter, launcher: string): string {
  const { gateS, observeS } = adapter.deadline;
  const options = { agent: adapter.slug, launcher, harmless: adapter.tools.harmless, hooks: adapter.hooks, gateS, observeS };
  if (plugin === "amp") return ampPlugin(options);
  if (plugin === "pi") return piPlugin(options);
  return opencodePlugin(options, plugin);
}
