import type { AgentCard } from "@earshot/agents";
import type { AgentFolder, GateFault } from "@earshot/hub";
import { checkAgent } from "./doctor/check-agent.ts";
import { checkRegistration } from "./doctor/check-files.ts";
import { checkFolders } from "./doctor/check-folders.ts";
import { launcherProblem, wantedOf } from "./doctor/examine.ts";
import type { DoctorFinding } from "./doctor/finding.ts";
import { findCard } from "./find-card.ts";
import { type Launcher, lookAtLauncher } from "./install-launcher.ts";
import { type Installation, installPlaceFor, possibleTargets } from "./installation.ts";
import { Record } from "./record.ts";

/**
 * Why agents with registered hooks are not gated, according to the files of this user, of projects with registered hooks, and of the
 * folders in which agents work. `launcher` is the expected launcher.
 */
export function lookAtGates(installation: Installation, launcher: Launcher, folders: readonly AgentFolder[]): readonly GateFault[] {
  const record = new Record(installPlaceFor(installation, "user").earshotHome);
  const slugs = new Set(record.files.map(({ agent }) => agent));
  const cards = [...slugs].flatMap((slug) => findCard(slug) ?? []);
  const state = lookAtLauncher(launcher, installation.platform);
  const broken = launcherProblem(launcher.path, state);
  return cards.flatMap((card) => {
    const files = record.files.filter(({ agent }) => agent === card.slug);
    const findings = [
      ...(broken === undefined ? [] : [broken]),
      ...checkFiles(card, installation, record),
      ...checkFolders(card, installation, folders),
      ...checkAgent(card, files, { heardAt: undefined, programs: [] }),
    ];
    // A settings file may be registered and apply to a working folder.
    const byReason = new Map(findings.filter(({ level }) => level === "trouble").map((one) => [one.message, one]));
    return [...byReason.values()].map(({ message, advice = "" }) => ({ agent: card.slug, name: card.name, reason: message, advice }));
  });
}

function checkFiles(card: AgentCard, installation: Installation, record: Record): readonly DoctorFinding[] {
  const files = record.files.filter(({ agent }) => agent === card.slug);
  return possibleTargets(installation, record, { cards: [card] })
    .filter(({ path }) => record.find(path) !== undefined)
    .flatMap((target) => checkRegistration(target, record, wantedOf(target, installation, files, undefined)));
}
