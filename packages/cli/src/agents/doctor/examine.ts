import { agentCards } from "@earshot/agents/files";
import { hubHomeOf } from "@earshot/hub/home";
import { VERSION } from "@earshot/terminal/version";
import { detectAgent } from "../detect.ts";
import { type LauncherState, launcherFor, lookAtLauncher } from "../install-launcher.ts";
import { hubUrl, type Installation, installPlaceFor, possibleTargets } from "../installation.ts";
import { type InstallTarget, targetsFor } from "../plan.ts";
import { Record, type RecordedFile } from "../record.ts";
import { checkAgent, type RunningProgram } from "./check-agent.ts";
import { checkRegistration, checkTwice } from "./check-files.ts";
import { checkFolders } from "./check-folders.ts";
import { checkHub, type SeenHub } from "./check-hub.ts";
import { type DoctorFinding, fineFinding, noteFinding, troubleFinding } from "./finding.ts";

/** The doctor's sources other than files. */
export interface DoctorSources {
  hub(): Promise<SeenHub>;
  /** When the hub last heard an agent; undefined for never. */
  heardAt(slug: string): Promise<number | undefined>;
  programs(): readonly RunningProgram[];
}

export async function examine(installation: Installation, senses: DoctorSources): Promise<readonly DoctorFinding[]> {
  const home = hubHomeOf(installation.env);
  const record = new Record(installPlaceFor(installation, "user").earshotHome);
  const targets = possibleTargets(installation, record);
  const seen = await senses.hub();
  const findings = [...checkHub(home, seen, VERSION), ...(await checkLauncher(installation, record.files))];
  const programs = senses.programs();
  for (const card of agentCards()) {
    const own = targets.filter((target) => target.card === card);
    const files = record.files.filter(({ agent }) => agent === card.slug);
    const version = detectAgent(card, installPlaceFor(installation, "user"))?.version;
    findings.push(...summed(own.flatMap((target) => checkRegistration(target, record, wantedOf(target, installation, files, version)))));
    if (files.length === 0) {
      if (detectAgent(card, installPlaceFor(installation, "user")) !== undefined && !findings.some(({ agent }) => agent === card.name))
        findings.push(
          noteFinding(
            "not-registered",
            "It is installed, but its hooks are not registered.",
            card.name,
            `earshot init --agent ${card.slug}`,
          ),
        );
      continue;
    }
    const heardAt = seen.running === undefined ? undefined : await senses.heardAt(card.slug);
    findings.push(...checkAgent(card, files, { heardAt, programs }));
    const elsewhere = checkFolders(card, installation, [{ agent: card.slug, cwd: installation.project }]);
    findings.push(...elsewhere.filter(({ message }) => findings.every((one) => one.message !== message)));
  }
  return [...findings, ...checkTwice(targets)];
}

/** Combines correct files: an agent with one file per hook would fill the page. */
function summed(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const good = findings.filter(({ level, kind }) => level === "fine" && kind === "settings");
  const [first] = good;
  if (first === undefined || good.length === 1) return findings;
  return [{ ...first, message: `${good.length} files have Earshot's hooks.` }, ...findings.filter((finding) => !good.includes(finding))];
}

/**
 * The registrations that `earshot init` would write today for the present version of the agent, over HTTP if the existing ones are. With
 * an unknown version, those for an old and for a new one are acceptable.
 */
export function wantedOf(
  target: InstallTarget,
  installation: Installation,
  files: readonly RecordedFile[],
  version: string | undefined,
): readonly InstallTarget[] {
  const known = files.find(({ path }) => path === target.path);
  const scope =
    known?.scope ??
    (target.path.startsWith(installation.project) && !target.path.startsWith(`${installation.userHome}/.`) ? "project" : "user");
  const place = installPlaceFor({ ...installation, project: known?.project ?? installation.project }, scope);
  const httpUrl = known?.http === true ? hubUrl(installation) : undefined;
  const versions = version === undefined ? [undefined, target.card.newer?.since] : [version];
  return versions.map(
    (one) => targetsFor(target.card, place, { version: one, httpUrl }).find(({ path }) => path === target.path) ?? target,
  );
}

async function checkLauncher(installation: Installation, files: readonly RecordedFile[]): Promise<readonly DoctorFinding[]> {
  const launcher = await launcherFor(installation.env, installation.platform);
  const state = lookAtLauncher(launcher, installation.platform);
  if (files.length === 0)
    return [troubleFinding("nothing-registered", "No agent's hooks are registered, so no action is held.", "earshot init")];
  return [launcherProblem(launcher.path, state) ?? fineFinding("launcher", `${launcher.path} is as it should be.`)];
}

/** Undefined for a correct launcher. */
export function launcherProblem(path: string, state: LauncherState): DoctorFinding | undefined {
  const advice = "`earshot init` writes it again.";
  switch (state) {
    case "good":
      return undefined;
    case "missing":
      return troubleFinding("launcher-missing", `${path}, which the agents run, is missing.`, advice);
    case "not-executable":
      return troubleFinding("launcher-not-executable", `${path}, which the agents run, is not executable.`, advice);
    case "outdated":
      return troubleFinding("launcher-outdated", `${path} was changed, is from another version, or for another Node.`, advice);
  }
}
