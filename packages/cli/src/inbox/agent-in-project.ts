import type { Asked } from "@earshot/hub";
import { agentName, folderIn, projectName } from "@earshot/sdk/ear";
import { visibleBeginning } from "./visible-text.ts";

const LONGEST_NAME = 60;

/** Who asks, and where: `Claude Code in shop`. Where no folder is known, the session tells two of one agent apart. */
export function agentInProject({ agent, session, facts }: Pick<Asked, "agent" | "session" | "facts">): string {
  const name = visibleBeginning(agentName(agent), LONGEST_NAME);
  const project = projectName(folderIn(facts));
  return `${name} in ${project === undefined ? `session ${visibleBeginning(session, LONGEST_NAME)}` : visibleBeginning(project, LONGEST_NAME)}`;
}
