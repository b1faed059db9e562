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

/** Runs the launcher with a payload, and gives its answer. It is the only part that a plugin has in common with a command hook. */
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

/** To be told, and not waited for. */
const tell = (hook, payload, ...words) => void ask(hook, payload, ${observeS}, ...words).catch(() => {});`;
}

export const IMPORTS = `import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";`;
