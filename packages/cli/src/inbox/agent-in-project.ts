import type { Asked } from "@earshot/hub";
import { isObject, type JsonValue } from "@earshot/protocol";
import { visibleBeginning } from "./visible-text.ts";

const LONGEST_NAME = 60;

/** Who asks, and where: `Claude in shop`. Where no folder is known, the session tells two of one agent apart. */
export function agentInProject({ agent, session, facts }: Pick<Asked, "agent" | "session" | "facts">): string {
  const project = projectOf(facts["workspace"]);
  const place = project === undefined ? `session ${visibleBeginning(session, LONGEST_NAME)}` : visibleBeginning(project, LONGEST_NAME);
  return `${agentName(agent)} in ${place}`;
}

export function agentName(agent: string): string {
  const shown = visibleBeginning(agent === "" ? "an agent" : agent, LONGEST_NAME);
  return shown.slice(0, 1).toUpperCase() + shown.slice(1);
}

function projectOf(workspace: JsonValue | undefined): string | undefined {
  if (!isObject(workspace)) return undefined;
  const { project_path: path, roots, cwd } = workspace;
  const folder = [path, Array.isArray(roots) ? roots[0] : undefined, cwd].find((one) => typeof one === "string" && one !== "");
  return typeof folder === "string" ? basename(folder) : undefined;
}

function basename(folder: string): string {
  return folder.split(/[\\/]+/).findLast((part) => part !== "") ?? folder;
}
