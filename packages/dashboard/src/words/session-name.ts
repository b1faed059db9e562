import { agentName, projectName } from "@earshot/narrate";

/** "Codex in shop". */
export function sessionNameOf({ agent, workspace }: { readonly agent: string; readonly workspace?: string | undefined }): string {
  const project = projectName(workspace);
  return `${agentName(agent)}${project === undefined ? "" : ` in ${project}`}`;
}
