import { projectName } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";

/** The agent and project of a session. */
export interface SessionSource {
  readonly session: string;
  /** The common name. */
  readonly agent: string;
  /** The agent's own id. */
  readonly agentId: string;
  /** The folder's name. */
  readonly project: string | undefined;
}

const MAX_SESSIONS = 512;

/** The known sessions, least recently active first. */
export class KnownSources {
  readonly #sources = new Map<string, SessionSource>();

  handle({ session, agent, agentName, workspace }: Pick<Activity, "session" | "agent" | "agentName" | "workspace">): void {
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
      if (this.#sources.size <= MAX_SESSIONS) return;
      this.#sources.delete(oldest);
    }
  }

  /** The name an agent gives itself in a session. */
  nameOf(session: string, agent: string): string | undefined {
    const known = this.#sources.get(session);
    return known?.agentId === agent ? known.agent : undefined;
  }

  find(session: string | null | undefined): SessionSource | undefined {
    return session === null || session === undefined ? undefined : this.#sources.get(session);
  }
}

/** "Codex in shop". */
export function sourceWords({ agent, project }: Pick<SessionSource, "agent" | "project">): string {
  return project === undefined ? agent : `${agent} in ${project}`;
}
