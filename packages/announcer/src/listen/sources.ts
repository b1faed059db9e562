import { projectName } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";

/** Who speaks in a session, and where. */
export interface Source {
  readonly session: string;
  /** As people call it. */
  readonly agent: string;
  /** The agent's own id. */
  readonly agentId: string;
  /** The name of the folder. */
  readonly project: string | undefined;
}

const MOST = 512;

/** The sessions that were heard, least recently heard first. */
export class Sources {
  readonly #sources = new Map<string, Source>();

  hear({ session, agent, agentName, workspace }: Pick<Activity, "session" | "agent" | "agentName" | "workspace">): void {
    if (session === "") return;
    const known = this.#sources.get(session);
    const project = projectName(workspace) ?? known?.project;
    this.#sources.delete(session);
    this.#sources.set(session, {
      session,
      agent: agentName ?? (agent === "" || agent === known?.agentId ? (known?.agent ?? "Somebody") : agent),
      agentId: agent === "" ? (known?.agentId ?? "") : agent,
      project,
    });
    for (const oldest of this.#sources.keys()) {
      if (this.#sources.size <= MOST) return;
      this.#sources.delete(oldest);
    }
  }

  /** What an agent calls itself in a session. */
  nameOf(session: string, agent: string): string | undefined {
    const known = this.#sources.get(session);
    return known?.agentId === agent ? known.agent : undefined;
  }

  find(session: string | null | undefined): Source | undefined {
    return session === null || session === undefined ? undefined : this.#sources.get(session);
  }
}

/** "Codex in shop". */
export function sourceWords({ agent, project }: Pick<Source, "agent" | "project">): string {
  return project === undefined ? agent : `${agent} in ${project}`;
}
