import { toId, toOptionalText } from "../plain/text.ts";
import { runAopSession } from "./run-session.ts";
import type { Session } from "./session.ts";
import type { SessionPorts } from "./session-ports.ts";

export interface SpawnedAgentOptions {
  readonly agentId: string | undefined;
  readonly agentVersion: string | undefined;
  readonly goal: string | undefined;
  readonly parentSessionId: string;
}

/**
 * An announced child agent. In this process, `session` or `run` starts it. Another process gets `sessionId`, `parentSessionId` and `goal`
 * and opens its session with them, so that both sides report the same.
 */
export class SpawnedAgent {
  readonly sessionId: string;
  readonly parentSessionId: string;
  readonly agentId: string;
  readonly goal: string | undefined;
  readonly #open: () => Session;
  #session: Session | undefined;

  constructor(ports: SessionPorts, { agentId, agentVersion, goal, parentSessionId }: SpawnedAgentOptions) {
    this.sessionId = `sess_${ports.newId()}`;
    this.parentSessionId = parentSessionId;
    this.agentId = toId(agentId, "unnamed-agent");
    this.goal = toOptionalText(goal);
    const child = { sessionId: this.sessionId, parentSessionId, goal: this.goal };
    this.#open = () => ports.open({ agentId: this.agentId, agentVersion: toOptionalText(agentVersion) }, child);
  }

  /** The child's session, opened by the first call; one announcement is one session. */
  session(): Session {
    this.#session ??= this.#open();
    return this.#session;
  }

  run<Result>(work: (session: Session) => Result | Promise<Result>): Promise<Result> {
    return runAopSession(this.session(), work);
  }
}
