import { execFile, spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { AgentCard } from "@earshot/agents";
import { agentCards } from "@earshot/agents/files";
import { expandPath, type InstallPlace, pathExists } from "./place.ts";

export interface DetectedAgent {
  readonly card: AgentCard;
  /** The evidence of its presence, for the person: a program or a folder. */
  readonly by: string;
  /** Only for agents whose version matters. */
  readonly version?: string;
}

/** The agents on this machine: those with a program on the PATH or a folder that only the agent creates. */
export function detectAgents(place: InstallPlace): readonly DetectedAgent[] {
  return agentCards().flatMap((card) => detectAgent(card, place) ?? []);
}

export function detectAgent(card: AgentCard, place: InstallPlace): DetectedAgent | undefined {
  const { by, program } = locateAgent(card, place);
  if (by === undefined) return undefined;
  const version = card.newer === undefined || program === undefined ? undefined : versionOf(program);
  return { card, by, ...(version === undefined ? {} : { version }) };
}

/** The evidence of an agent's presence, without running it. */
export function locateAgent(
  card: AgentCard,
  place: InstallPlace,
): { readonly by: string | undefined; readonly program: string | undefined } {
  const program = card.programs.map((name) => findProgramOnPath(name, place)).find((path) => path !== undefined);
  return { by: program ?? card.folders.map((folder) => expandPath(folder, place)).find(pathExists), program };
}

export function findProgramOnPath(name: string, { env, platform }: Pick<InstallPlace, "env" | "platform">): string | undefined {
  const endings = platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD").split(";") : [""];
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    if (folder === "") continue;
    for (const ending of endings) {
      const path = join(folder, `${name}${ending}`);
      if (isProgram(path)) return path;
    }
  }
  return undefined;
}

/** Runs the program without input for a few seconds at most. */
function versionOf(program: string): string | undefined {
  const { status, stdout } = spawnSync(program, ["--version"], { ...VERSION_RUN, stdio: ["ignore", "pipe", "ignore"] });
  return status === 0 ? VERSION_NUMBER.exec(stdout)?.[0] : undefined;
}

/** The same without blocking, for a hub that has others to answer. */
export async function readVersion(program: string): Promise<string | undefined> {
  try {
    const running = promisify(execFile)(program, ["--version"], VERSION_RUN);
    running.child.stdin?.end();
    return VERSION_NUMBER.exec((await running).stdout)?.[0];
  } catch {
    return undefined; // it does not start, or knows no version
  }
}

const VERSION_RUN = { encoding: "utf8", timeout: 5000 } as const;
const VERSION_NUMBER = /\d{1,9}\.\d{1,9}\.\d{1,9}/;

function isProgram(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // there, and not ours to run
  }
}
