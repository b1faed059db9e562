import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";
import { createUsageError } from "@earshot/terminal/usage";
import { EARSHOT_FILE } from "../start-detached.ts";
import { type RunSystemCommand, runSteps } from "./install.ts";
import { SEPARATE_PLACES, type SeparateFile, type SeparatePlaces, type SeparateService, separateService } from "./separate.ts";

export interface SeparateInstall {
  readonly platform: string;
  /** The account whose agents the hub serves. */
  readonly userName: string;
  readonly run: RunSystemCommand;
  /** Overrides the default locations. */
  readonly places?: SeparatePlaces;
  /** The folder of an installed package. */
  readonly packageFolder?: string;
}

/** The plan of an installation for this user. */
export function planSeparate({ platform, userName, run, places, packageFolder }: SeparateInstall): SeparateService {
  if (!/^[a-z_][\w.-]*$/i.test(userName) || userName === "root")
    throw createUsageError(`${JSON.stringify(userName)} is not a personal user account.`, "Name one with --for.");
  const say = (...words: readonly string[]) => {
    const { status, output } = run(words);
    if (status !== 0) throw createUsageError(`There is no account ${userName} here.`, "Name one with --for.");
    return output;
  };
  const folder = packageFolder ?? dirname(dirname(EARSHOT_FILE));
  if (existsSync(join(folder, "src")))
    throw createUsageError("A checkout cannot be installed for another account.", "Install the package: npm install -g earshot");
  const known = places ?? SEPARATE_PLACES[platform];
  return separateService({
    platform,
    user: { name: userName, group: say("id", "-gn", userName), home: say("sh", "-c", `printf %s ~${userName}`) },
    sources: { node: process.execPath, package: folder },
    token: known === undefined ? "" : (readToken(join(known.data, "producer.token")) ?? `ear_${randomBytes(32).toString("base64url")}`),
    ...(places === undefined ? {} : { places }),
  });
}

/** Needs root. Undefined on success, otherwise the failed step. */
export function installSeparate(
  service: SeparateService,
  run: RunSystemCommand,
): { readonly why: string; readonly left: SeparateService["start"] } | undefined {
  requireRoot();
  const prepared = runSteps(service.prepare, run);
  if (!prepared.ok) throw new EarshotError({ code: "INTERNAL", message: `${prepared.step.words.join(" ")}: ${prepared.why}` });
  const idOf = (...words: readonly string[]) => Number(run(["id", ...words]).output);
  const group = idOf("-g", service.user.name);
  for (const file of service.files) {
    const isRoot = file.as === "root";
    writeAs(file, isRoot ? { user: 0, group: 0 } : { user: idOf("-u", file.as), group });
  }
  const started = runSteps(service.start, run);
  return started.ok ? undefined : { why: started.why, left: service.start };
}

/** Keeps the account and the recorded data. */
export function removeSeparate(service: SeparateService, run: RunSystemCommand): void {
  requireRoot();
  runSteps(service.remove, run);
  for (const path of service.leftovers) rmSync(path, { recursive: true, force: true });
}

function requireRoot(): void {
  if (process.getuid?.() === 0) return;
  throw createUsageError("This makes an account, and needs an administrator.", "sudo earshot hub autostart on --separate");
}

function writeAs({ path, content, mode }: SeparateFile, ids: { readonly user: number; readonly group: number }): void {
  process.setegid?.(ids.group);
  process.seteuid?.(ids.user);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(`${path}.new`, { force: true });
    writeFileSync(`${path}.new`, content, { mode, flag: "wx" });
    renameSync(`${path}.new`, path);
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

function readToken(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    return undefined; // installed for the first time
  }
}
