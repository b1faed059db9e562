import { pathToFileURL } from "node:url";
import type { JsonObject } from "@earshot/protocol/json";
import { blockedVerdict, type HostVerdict, ranVerdict, type ShellCall } from "./host.ts";

/** An agent that loads a plugin into its process and asks it before a shell command. */
export interface PluginHost {
  readonly agent: string;
  readonly name: string;
  /** The plugin is a file; `timeoutMs` simulates a person who gives up. */
  run(plugin: string, call: ShellCall, timeoutMs: number): Promise<HostVerdict>;
}

interface Opencode {
  readonly "tool.execute.before": (input: object, output: { args: JsonObject }) => Promise<void>;
}

type Handler = (event: object, context: object) => unknown;

const LATE = Symbol("late");

/** An exception refuses the tool; changed arguments run. */
function opencodeHost(agent: string, name: string, exported: string): PluginHost {
  return {
    agent,
    name,
    async run(plugin, { session, id, command, cwd }, timeoutMs) {
      const module = (await import(freshUrl(plugin))) as Readonly<{ [name: string]: (input: object) => Promise<Opencode> }>;
      const hooks = await module[exported]?.({ client: undefined, directory: cwd, worktree: cwd });
      if (hooks === undefined) return ranVerdict("the plugin was not found");
      const output = { args: { command } as JsonObject };
      try {
        const outcome = await within(hooks["tool.execute.before"]({ tool: "bash", sessionID: session, callID: id }, output), timeoutMs);
        if (outcome === LATE) return waits;
      } catch (error) {
        return blockedVerdict("the plugin throws, which refuses", error instanceof Error ? error.message : undefined);
      }
      return ranVerdict("the plugin lets it go on", output.args["command"] === command ? {} : { input: output.args });
    },
  };
}

const waits = ranVerdict("the plugin never answered, and nobody knows what follows");

const ampHost: PluginHost = {
  agent: "amp",
  name: "Amp",
  async run(plugin, { session, id, command, cwd }, timeoutMs) {
    const event = { tool: "Bash", input: { cmd: command, cwd }, toolUseID: id, thread: { id: session } };
    const answer = await within(callHandler(plugin, "tool.call", event, { ui: { confirm: async () => true } }), timeoutMs);
    if (answer === LATE) return waits;
    const { action, message } = (answer ?? {}) as { readonly action?: string; readonly message?: string };
    return action === "reject-and-continue" ? blockedVerdict("the plugin refuses", message) : ranVerdict("the plugin lets it go on");
  },
};

const piHost: PluginHost = {
  agent: "pi",
  name: "Pi",
  async run(plugin, { session, id, command, cwd }, timeoutMs) {
    const event = { toolName: "bash", toolCallId: id, input: { command } };
    const context = { cwd, sessionManager: { getSessionId: () => session } };
    const answer = await within(callHandler(plugin, "tool_call", event, context), timeoutMs);
    if (answer === LATE) return waits;
    const { block, reason } = (answer ?? {}) as { readonly block?: boolean; readonly reason?: string };
    return block === true ? blockedVerdict("the extension refuses", reason) : ranVerdict("the extension lets it go on");
  },
};

export const PLUGIN_HOSTS: readonly PluginHost[] = [
  opencodeHost("opencode", "OpenCode", "Earshot"),
  opencodeHost("kilo", "Kilo Code", "server"),
  ampHost,
  piHost,
];

async function callHandler(plugin: string, name: string, event: object, context: object): Promise<unknown> {
  const module = (await import(freshUrl(plugin))) as { readonly default: (api: object) => void };
  const handlers = new Map<string, Handler>();
  module.default({ on: (hook: string, handler: Handler) => handlers.set(hook, handler) });
  return handlers.get(name)?.(event, context);
}

/** Modules are cached by URL, so each load needs a new one. */
function freshUrl(path: string): string {
  return `${pathToFileURL(path).href}?at=${performance.now()}`;
}

async function within<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
