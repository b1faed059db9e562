import { findCard } from "../agents/find-card.ts";
import { launcherFor } from "../agents/install-launcher.ts";
import { type Installation, installPlaceFor, thisInstallation } from "../agents/installation.ts";
import { lookAtGates } from "../agents/look-at-gates.ts";
import { Record } from "../agents/record.ts";

/** Why rules may not be enforced: hooks of one agent, or of all agents, that are missing or do not gate. */
export async function gateReservations(
  agent: string | undefined,
  installation: Installation = thisInstallation(),
): Promise<readonly string[]> {
  const launcher = await launcherFor(installation.env, installation.platform);
  const faults = lookAtGates(installation, launcher, agent === undefined ? [] : [{ agent, cwd: installation.project }]);
  const lines = faults
    .filter((fault) => agent === undefined || fault.agent === agent)
    .map(({ name, reason, advice }) => `Not gated, whatever the rules say: ${name}. ${reason} ${advice}`);
  const card = agent === undefined ? undefined : findCard(agent);
  const { files } = new Record(installPlaceFor(installation, "user").earshotHome);
  if (card !== undefined && !files.some((file) => file.agent === card.slug)) {
    lines.push(`Not gated, whatever the rules say: the hooks of ${card.name} are not registered here. earshot init --agent ${card.slug}`);
  }
  return [...new Set(lines)];
}
