import type { Outcome } from "./outcome.ts";

export type Confidence = "high" | "medium" | "low";
export type Status = "running" | "idle" | "waiting";
export type GoalStatus = "set" | "in_progress" | "completed" | "abandoned";
export type MemoryOperation = "read" | "write" | "delete";

/** Free members beside the documented ones. Never credentials, never personal data. */
export type Metadata = Readonly<Record<string, unknown>>;

interface WithMetadata {
  readonly metadata?: Metadata | undefined;
}

export interface SessionOptions extends WithMetadata {
  /** What the run is for. */
  readonly goal?: string | undefined;
  /** Made up unless somebody else has announced one for this run. */
  readonly sessionId?: string | undefined;
  /** The session that started this one, if another process did. */
  readonly parentSessionId?: string | undefined;
  /** The signal that calls the run off: tells a cancelled run from a failed one. */
  readonly signal?: AbortSignal | undefined;
}

export interface ThoughtOptions extends WithMetadata {
  readonly confidence?: Confidence | undefined;
}

export interface GoalOptions extends WithMetadata {
  readonly parentGoal?: string | undefined;
}

export interface DecisionOptions extends WithMetadata {
  readonly alternatives?: readonly string[] | undefined;
  readonly reasoning?: string | undefined;
}

export interface ToolEndOptions extends WithMetadata {
  /** What came out of it, in a few words. Nothing is sent unless it is said here. */
  readonly resultSummary?: string | undefined;
  /** Tokens that this call used. Added to the session's total. */
  readonly tokenSpendDelta?: number | undefined;
}

/** The same, for a call that is wrapped: what is told of the result is made from it. */
export interface ToolOptions<Result> extends WithMetadata {
  readonly resultSummary?: ((result: Result) => string | undefined) | undefined;
  readonly tokenSpendDelta?: ((result: Result) => number | undefined) | undefined;
}

export interface MemoryOptions extends WithMetadata {
  readonly key?: string | undefined;
  readonly summary?: string | undefined;
}

export interface ExternalOptions extends WithMetadata {
  readonly statusCode?: number | undefined;
  readonly durationMs?: number | undefined;
}

export interface SpawnOptions extends WithMetadata {
  readonly agentId: string;
  readonly agentVersion?: string | undefined;
  readonly goal?: string | undefined;
}

export interface EndOptions extends WithMetadata {
  /** `completed` unless said otherwise. */
  readonly outcome?: Outcome | undefined;
  readonly summary?: string | undefined;
  readonly errorMessage?: string | undefined;
  /** Instead of the sum of what was reported with `spend`. */
  readonly totalCostUsd?: number | undefined;
  readonly totalTokens?: number | undefined;
}
