import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { hubHomeOf } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import { EARSHOT_FILE } from "../start-detached.ts";
import { type LoginService, type ServiceStep, serviceFor } from "./service.ts";

export type InstalledState = "installed" | "outdated" | "absent";

/** `outdated`: the file starts something other than this command would, such as a replaced version. */
export function findInstalledState({ file, content }: LoginService): InstalledState {
  if (!existsSync(file)) return "absent";
  return readFileSync(file).equals(content) ? "installed" : "outdated";
}

/** Writes the file unless it exists, and makes the system read it. Idempotent. */
export function installService(service: LoginService, run: RunSystemCommand): Outcome {
  if (findInstalledState(service) !== "installed") {
    mkdirSync(dirname(service.file), { recursive: true });
    writeFileSync(service.file, service.content, { mode: 0o644 });
  }
  return runSteps(service.install, run);
}

/** Stops the service and removes its files, even if the system's command is missing. */
export function removeInstalledService(service: LoginService, run: RunSystemCommand): void {
  runSteps(service.remove, run);
  for (const path of [service.file, ...service.leftovers]) rmSync(path, { force: true });
  runSteps(service.afterRemove, run);
}

export interface SystemCommandResult {
  /** Undefined if there is no such program. */
  readonly status: number | undefined;
  readonly output: string;
}

export type RunSystemCommand = (words: readonly string[]) => SystemCommandResult;

export const runCommand: RunSystemCommand = ([program = "", ...words]) => {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8", timeout: 60_000, windowsHide: true });
  if (error !== undefined) return { status: undefined, output: error.message };
  return { status: status ?? 1, output: `${stdout}${stderr}`.trim() };
};

type Outcome = { readonly ok: true } | { readonly ok: false; readonly step: ServiceStep; readonly why: string };

/** Runs steps in order up to the first failure. */
export function runSteps(steps: readonly ServiceStep[], run: RunSystemCommand): Outcome {
  for (const step of steps) {
    const { status, output } = run(step.words);
    if (status === 0 || step.mayFail === true) continue;
    const why = status === undefined ? `There is no ${step.words[0]} here.` : output.split("\n", 1).join("");
    return { ok: false, step, why };
  }
  return { ok: true };
}

/** The service's process id, if it runs and the system reports it. */
export function processOf({ process }: LoginService, run: RunSystemCommand): number | undefined {
  if (process === undefined) return undefined;
  const { status, output } = run(process.words);
  const [, pid] = status === 0 ? (process.pattern.exec(output) ?? []) : [];
  return pid === undefined ? undefined : Number(pid);
}

/** The step as a shell command. */
export function typedCommandOf({ words }: ServiceStep): string {
  return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(" ");
}

type Environment = Readonly<Record<string, string | undefined>>;

/** This user's service on this system, with the running Node and command. */
export function currentService(env: Environment): LoginService {
  const given = env["EARSHOT_HOME"];
  const folder = resolve(hubHomeOf(env).folder);
  const launch = {
    node: process.execPath,
    command: EARSHOT_FILE,
    home: given === undefined || given === "" ? undefined : folder,
    output: join(folder, "hub-output.log"),
  };
  const place = { platform: process.platform, env, userHome: homedir(), hubHome: folder, userId: process.getuid?.() ?? 0 };
  const service = serviceFor(launch, place);
  if (service !== undefined) return service;
  const message = `There is no way here to start something at login on ${process.platform}.`;
  throw new EarshotError({ code: "WRONG_USAGE", message, hint: `Have your system run: ${launch.node} ${launch.command} start --no-open` });
}
