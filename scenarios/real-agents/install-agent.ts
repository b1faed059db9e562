import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RealAgent } from "./real-agent.ts";

/** An agent that can be started, or why it cannot. */
export type InstalledAgent =
  | { readonly isThere: true; readonly program: string; readonly version: string }
  | { readonly isThere: false; readonly why: string };

/** Takes the agent's package into a folder of its own, unless it is there already. No script of the package is run. */
export function installAgent(agent: RealAgent, folder: string): InstalledAgent {
  const own = join(folder, agent.slug);
  if (!existsSync(join(own, "node_modules"))) {
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "package.json"), '{ "private": true }\n');
    const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${agent.package}@latest`];
    const { status, stderr } = spawnSync("npm", words, { cwd: own, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
    if (status !== 0) return { isThere: false, why: `npm could not install ${agent.package}: ${lastLine(stderr)}` };
  }
  return lookForAgent(agent, folder);
}

export function lookForAgent(agent: RealAgent, folder: string): InstalledAgent {
  const modules = join(folder, agent.slug, "node_modules");
  const program = agent.programs.map((path) => join(modules, path)).find((path) => existsSync(path));
  if (program === undefined) return { isThere: false, why: `no package of ${agent.package} has its program for this machine` };
  const { version } = JSON.parse(readFileSync(join(modules, agent.package, "package.json"), "utf8")) as { readonly version: string };
  return { isThere: true, program, version };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
