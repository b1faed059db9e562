export interface PluginOptions {
  readonly agent: string;
  /** An expression of JavaScript that gives the launcher's path. */
  readonly launcher: string;
  readonly harmless: readonly string[];
  readonly hooks: readonly string[];
  /** How long a person may take to answer, and how long something that is only told may take. */
  readonly gateS: number;
  readonly observeS: number;
}

/** The first line of each: by it a file is known to be Earshot's, and may be replaced. */
export const PLUGIN_MARK = "// Written by `earshot init`; `earshot remove` takes it away. It runs ~/.earshot/bin/earshot-hook.";

/**
 * Runs the launcher with a payload, and gives its answer: the part that a plugin has in common with a command hook. What is only
 * told waits in a line, so that it arrives in the order in which it happened; an agent that ends hands over what is left of it.
 */
export function runnerText({ agent, launcher, gateS, observeS }: PluginOptions): string {
  return `const launcher = ${launcher};

/** What Earshot says; undefined when it is not installed here. Throws when it is and cannot be asked. */
const ask = (hook, payload, seconds = ${gateS}, ...words) =>
  new Promise((resolve, reject) => {
    if (!existsSync(launcher)) return ${launcher.includes("homedir") ? "resolve(undefined)" : 'reject(new Error("Earshot\'s launcher is missing"))'};
    const child = spawn(launcher, [${JSON.stringify(agent)}, hook, String(Math.ceil(seconds)), ...words], { stdio: ["pipe", "pipe", "ignore"] });
    // The hook answers in time by itself; one that does not is not waited for any longer.
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

/** To be told, one after the other. It returns nothing: an agent would wait for a promise. */
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
    if (Date.now() < until) spawnSync(launcher, [${JSON.stringify(agent)}, hook, String(seconds), ...words], { input: JSON.stringify(payload), timeout: 1000 });
});`;
}

export const IMPORTS = `import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";`;
