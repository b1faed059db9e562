import type { SessionView } from "@earshot/hub";
import { projectName } from "@earshot/narrate";

const MAX_SUGGESTIONS = 50;

/** Agents, projects and models of the sessions, most frequent first. */
export function suggestionsIn(sessions: readonly Pick<SessionView, "agent" | "workspace" | "model">[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { agent, workspace, model } of sessions) {
    for (const name of new Set([agent, projectName(workspace), model])) {
      if (name !== undefined && name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const names = [...counts].sort(([one, few], [other, many]) => many - few || one.localeCompare(other)).map(([name]) => name);
  return names.slice(0, MAX_SUGGESTIONS);
}
