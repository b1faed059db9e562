import type { Session } from "./session.ts";

/** The interface of an agent to its session. */
export interface SessionPorts {
  readonly agentId: string;
  readonly agentVersion: string | undefined;
  readonly names: "documented" | "both";
  /** Wall clock. */
  now(): number;
  /** A monotonic clock. */
  elapsedMs(): number;
  newId(): string;
  /** Queues a line. Returns at once. */
  put(line: string): void;
  /** Counts a dropped event. */
  ignored(): void;
  /** Number of events dropped for lack of space. */
  dropped(): number;
  /** Repeats at the heartbeat interval without keeping the process alive. Returns the function that stops it. */
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
