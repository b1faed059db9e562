import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentCard } from "@earshot/agents";
import type { JsonObject } from "@earshot/protocol/json";
import { userCommand } from "../hook-command.ts";
import { pluginText } from "../plugin-text.ts";
import { claudeHost, codexHost, qwenHost, vscodeHost } from "./claude-hosts.ts";
import type { HookRun, HostVerdict, ShellCall, SimulatedHost } from "./host.ts";
import { OTHER_HOSTS } from "./other-hosts.ts";
import { copilotHost, cursorHost, cursorToolHost, geminiHost } from "./own-format-hosts.ts";
import { PLUGIN_HOSTS, type PluginHost } from "./plugin-hosts.ts";

/** Every agent that runs a command as its hook. Those with a plugin are in plugin-hosts.ts. */
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

export interface Stage {
  /** The agent's own card. */
  readonly card: AgentCard;
  readonly launcher: string;
  /** Where a plugin may be put. */
  readonly folder: string;
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** How long the agent waits for its hook. */
  readonly timeoutMs: number;
  /** How long it says that it waits; what its card says unless given. */
  readonly seconds?: number;
}

const PATIENCE_MS = 60_000;
let plugins = 0;

/** A simulated agent wants to run a command, asks its hook as it was registered, and does what it is told. */
export async function playHost(host: AnyHost, call: ShellCall, stage: Stage): Promise<HostVerdict> {
  const { card, launcher, folder, env, timeoutMs, seconds = card.deadline.gateS } = stage;
  if ("judge" in host) {
    const command = userCommand({ launcher, agent: card.slug, hook: host.hook, seconds, watchOnly: false });
    const run = await runAsHost(command, host.payload(call), { cwd: folder, env, timeoutMs });
    return host.judge(run, { failsClosed: card.failClosed !== undefined });
  }
  const format = card.user?.format;
  if (format?.kind !== "plugin") throw new Error(`${card.name} has no plugin.`);
  const plugin = join(folder, `${card.slug}-${++plugins}.mjs`);
  // It waits by itself, and stops waiting by itself.
  const hurried = { ...card, deadline: { ...card.deadline, gateS: Math.min(seconds, timeoutMs / 1000) } };
  writeFileSync(plugin, pluginText(format, hurried, JSON.stringify(launcher)));
  return host.run(plugin, call, Math.max(timeoutMs, PATIENCE_MS));
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** How long the agent waits. */
  readonly timeoutMs: number;
}

/** Runs a registered line as agents do: by the shell, with the payload on its input, and without patience after the deadline. */
export function runAsHost(command: string, payload: JsonObject, { cwd, env, timeoutMs }: RunOptions): Promise<HookRun> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    let [stdout, stderr] = ["", ""];
    const timer = setTimeout(() => {
      stop();
      resolve({ kind: "late" });
    }, timeoutMs);
    // The whole group: what the hook started must not outlive the drill.
    const stop = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // it has ended by itself
      }
    };
    child.stdout.on("data", (piece) => {
      stdout += String(piece);
    });
    child.stderr.on("data", (piece) => {
      stderr += String(piece);
    });
    child.stdin.on("error", () => {}); // a hook may end without having read anything
    child.on("error", () => {
      clearTimeout(timer);
      resolve({ kind: "ended", code: 127, stdout, stderr });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve(
        signal !== null || code === null || code > 128 ? { kind: "crashed", stdout, stderr } : { kind: "ended", code, stdout, stderr },
      );
    });
    child.stdin.end(JSON.stringify(payload));
  });
}
