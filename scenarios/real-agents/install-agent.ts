import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RealAgent } from "./real-agent.ts";

/** A runnable agent, or the reason why it cannot run. */
export type InstalledAgent =
  | { readonly isThere: true; readonly program: string; readonly version: string }
  | { readonly isThere: false; readonly why: string };

const INSTALL = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];

/** Installs the agent's package into its own folder, unless present. Install scripts do not run. */
export function installAgent(agent: RealAgent, folder: string): InstalledAgent {
  const place = join(folder, agent.slug);
  if (!existsSync(join(place, "node_modules"))) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "package.json"), '{ "private": true }\n');
    const { status, stderr } = spawnSync("npm", [...INSTALL, `${agent.package}@latest`], { cwd: place, encoding: "utf8" });
    if (status !== 0) return { isThere: false, why: `npm could not install ${agent.package}: ${lastLine(stderr)}` };
  }
  const found = lookForAgent(agent, folder);
  if (found.isThere) return found;
  // The newest version may be published before its platform packages.
  const own = agent.programs.map(packageOf).find((name) => name.includes(`${process.platform}-${process.arch}`));
  if (own !== undefined) spawnSync("npm", [...INSTALL, `${own}@latest`], { cwd: place, stdio: "ignore" });
  return lookForAgent(agent, folder);
}

export function lookForAgent(agent: RealAgent, folder: string): InstalledAgent {
  const modules = join(folder, agent.slug, "node_modules");
  const program = agent.programs.find((path) => existsSync(join(modules, path)));
  if (program === undefined) return { isThere: false, why: `no package of ${agent.package} has its program for this machine` };
  const { version } = JSON.parse(readFileSync(join(modules, packageOf(program), "package.json"), "utf8")) as { readonly version: string };
  return { isThere: true, program: join(modules, program), version: version.replace(`-${process.platform}-${process.arch}`, "") };
}

/** The package of a path in `node_modules`. */
function packageOf(path: string): string {
  return path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
