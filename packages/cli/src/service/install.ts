import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { homeOf } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import { EARSHOT_FILE } from "../start-detached.ts";
import { type Service, type Step, serviceFor } from "./service.ts";

export type Installed = "installed" | "outdated" | "absent";

/** `outdated`: what stands there starts something else than this command would, such as a version that was replaced. */
export function lookAt({ file, content }: Service): Installed {
  if (!existsSync(file)) return "absent";
  return readFileSync(file).equals(content) ? "installed" : "outdated";
}

/** Writes the file, unless it is there already, and has the system read it. Doing it twice is doing it once. */
export function install(service: Service, run: Run): Outcome {
  if (lookAt(service) !== "installed") {
    mkdirSync(dirname(service.file), { recursive: true });
    writeFileSync(service.file, service.content, { mode: 0o644 });
  }
  return runSteps(service.install, run);
}

/** Stops it and leaves nothing, whether or not the system's own command is there to help. */
export function remove(service: Service, run: Run): void {
  runSteps(service.remove, run);
  for (const path of [service.file, ...service.leftovers]) rmSync(path, { force: true });
  runSteps(service.afterRemove, run);
}

export interface Ran {
  /** Undefined when there is no such program. */
  readonly status: number | undefined;
  readonly output: string;
}

export type Run = (words: readonly string[]) => Ran;

export const runCommand: Run = ([program = "", ...words]) => {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8", timeout: 60_000, windowsHide: true });
  if (error !== undefined) return { status: undefined, output: error.message };
  return { status: status ?? 1, output: `${stdout}${stderr}`.trim() };
};

type Outcome = { readonly ok: true } | { readonly ok: false; readonly step: Step; readonly why: string };

/** One after the other, up to the first that fails. */
export function runSteps(steps: readonly Step[], run: Run): Outcome {
  for (const step of steps) {
    const { status, output } = run(step.words);
    if (status === 0 || step.mayFail === true) continue;
    const why = status === undefined ? `There is no ${step.words[0]} here.` : output.split("\n", 1).join("");
    return { ok: false, step, why };
  }
  return { ok: true };
}

/** The process that the system runs for the service, if it does and says which. */
export function processOf({ process }: Service, run: Run): number | undefined {
  if (process === undefined) return undefined;
  const { status, output } = run(process.words);
  const [, pid] = status === 0 ? (process.pattern.exec(output) ?? []) : [];
  return pid === undefined ? undefined : Number(pid);
}

/** As it can be typed into a shell. */
export function typed({ words }: Step): string {
  return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(" ");
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The service of this user on this system, run by the Node and the command that run now. */
export function currentService(env: Environment): Service {
  const given = env["EARSHOT_HOME"];
  const folder = resolve(homeOf(env).folder);
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
