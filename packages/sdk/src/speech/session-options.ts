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
  /** The purpose of the run. */
  readonly goal?: string | undefined;
  /** Generated unless another program announced an id for this run. */
  readonly sessionId?: string | undefined;
  /** The session that started this one, if in another process. */
  readonly parentSessionId?: string | undefined;
  /** The signal that cancels the run: distinguishes a cancelled run from a failed one. */
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
  /** A short summary of the result. Nothing is sent without it. */
  readonly resultSummary?: string | undefined;
  /** Tokens used by this call, added to the session's total. */
  readonly tokenSpendDelta?: number | undefined;
}

/** Options of a wrapped call; the summary is computed from the result. */
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
  /** Default: `completed`. */
  readonly outcome?: Outcome | undefined;
  readonly summary?: string | undefined;
  readonly errorMessage?: string | undefined;
  /** Replaces the sum of the costs reported with `spend`. */
  readonly totalCostUsd?: number | undefined;
  readonly totalTokens?: number | undefined;
}
