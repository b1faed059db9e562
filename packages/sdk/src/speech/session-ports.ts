import type { Session } from "./session.ts";

/** What a session needs of its agent. */
export interface SessionPorts {
  readonly agentId: string;
  readonly agentVersion: string | undefined;
  readonly names: "documented" | "both";
  /** Wall clock. */
  now(): number;
  /** A clock that is never set. */
  elapsedMs(): number;
  newId(): string;
  /** Hands a line over. Returns at once. */
  put(line: string): void;
  /** Counts something that was said in vain. */
  ignored(): void;
  /** Events that were given up for lack of room. */
  dropped(): number;
  /** Repeats at the pace of heartbeats, without keeping the process alive, until it is told to stop. */
  every(beat: () => void): () => void;
  hasEnded(session: Session): void;
  /** Opens a session of another agent in this process. */
  open(speaker: { readonly agentId: string; readonly agentVersion: string | undefined }, options: ChildOptions): Session;
}

export interface ChildOptions {
  readonly sessionId: string;
  readonly parentSessionId: string;
  readonly goal: string | undefined;
}
