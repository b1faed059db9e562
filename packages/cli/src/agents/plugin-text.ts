import type { AgentCard, PluginFormat } from "@earshot/agents";
import { readShippedAgent } from "@earshot/agents/files";

/** The file that runs inside an agent. `launcher` is a JavaScript expression for the launcher's path. */
export function pluginText({ of, exported = "", called }: PluginFormat, card: AgentCard, launcher: string): string {
  const { plugin } = readShippedAgent(of ?? card.slug) ?? {};
  if (plugin === undefined) throw new Error(`${of ?? card.slug} has no plugin.js.`);
  const values: Readonly<Record<string, string>> = {
    "RUNNER;": runnerText(card, launcher),
    HARMLESS: JSON.stringify(card.tools.harmless),
    TOLD: JSON.stringify(card.hooks.filter((hook) => !called.includes(hook))),
    OBSERVE_S: String(card.deadline.observeS),
    EXPORTED: exported,
  };
  return plugin.replaceAll(/RUNNER;|\b(?:HARMLESS|TOLD|OBSERVE_S|EXPORTED)\b/g, (name) => values[name] ?? name);
}

/** The first line identifies the file as Earshot's, which may be replaced. */
const PLUGIN_MARK = "// Written by `earshot init`; `earshot remove` takes it away. It runs ~/.earshot/bin/earshot-hook.";

/**
 * Runs the launcher with a payload and returns its answer, like a command hook. Observations are queued to keep their order; at its end
 * an agent hands over the rest.
 */
function runnerText({ slug, deadline: { gateS, observeS } }: AgentCard, launcher: string): string {
  return `${PLUGIN_MARK}
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";

const launcher = ${launcher};

/** Earshot's answer; undefined if Earshot is not installed. Throws if it is installed but cannot be asked. */
const ask = (hook, payload, seconds = ${gateS}, ...words) =>
  new Promise((resolve, reject) => {
    if (!existsSync(launcher)) return ${launcher.includes("homedir") ? "resolve(undefined)" : 'reject(new Error("Earshot\'s launcher is missing"))'};
    const child = spawn(launcher, [${JSON.stringify(slug)}, hook, String(Math.ceil(seconds)), ...words], { stdio: ["pipe", "pipe", "ignore"] });
    // The hook answers in time by itself; a late one is stopped.
    const timer = setTimeout(() => child.kill("SIGKILL") && reject(new Error("Earshot's hook took too long")), seconds * 1000);
    let out = "";
    child.stdout.on("data", (piece) => (out += piece));
    child.stdin.on("error", () => {});
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      try {
        if (code !== 0) throw new Error("Earshot's hook ended with " + code);
        resolve(out.trim() === "" ? {} : JSON.parse(out));
      } catch (error) {
        reject(error);
      }
    });
    child.stdin.end(JSON.stringify(payload));
  });

/** Queued observations. Returns nothing, because agents await promises. */
const line = [];
let isTelling = false;
const tell = (hook, payload, ...words) => {
  if (line.push([hook, payload, ${observeS}, ...words]) > 1000) line.shift();
  if (!isTelling) void tellAll();
};
const tellAll = async () => {
  isTelling = true;
  while (line.length > 0) await ask(...line.shift()).catch(() => {});
  isTelling = false;
};
process.on("exit", () => {
  const until = Date.now() + 2000;
  for (const [hook, payload, seconds, ...words] of line)
    if (Date.now() < until) spawnSync(launcher, [${JSON.stringify(slug)}, hook, String(seconds), ...words], { input: JSON.stringify(payload), timeout: 1000 });
});`;
}
