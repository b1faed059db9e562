import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { renderNeutral } from "@earshot/agents";
import { AgentFiles, shippedAgents } from "@earshot/agents/files";
import type { Home } from "@earshot/hub/home";
import { EARSHOT_FILE } from "../start-detached.ts";
import type { LauncherOptions } from "./launcher-text.ts";

/** Programs of the system are looked for here, and nowhere that a project could put something. */
const SYSTEM_PATH = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/opt/homebrew/bin"];

/** What there is on this machine, for a launcher. */
export async function launcherPlaces(home: Home): Promise<LauncherOptions> {
  const [curl, env, timeout, perl, dash] = ["curl", "env", "timeout", "perl", "dash"].map(findProgram);
  const files = new AgentFiles();
  const neutrals: Record<string, string> = {};
  for (const slug of shippedAgents()) {
    const agent = await files.agent(slug);
    if (agent !== undefined) neutrals[slug] = renderNeutral(agent.answers).stdout;
  }
  return {
    home: home.folder,
    socket: home.socket,
    userHome: homedir(),
    node: process.execPath,
    earshot: EARSHOT_FILE,
    env: env ?? "/usr/bin/env",
    ...(curl === undefined ? {} : { curl }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(perl === undefined ? {} : { perl }),
    shell: dash ?? "/bin/sh",
    path: SYSTEM_PATH.join(delimiter),
    neutrals,
  };
}

function findProgram(name: string): string | undefined {
  return SYSTEM_PATH.map((folder) => join(folder, name)).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
