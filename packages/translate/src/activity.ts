/**
 * What an event means, whatever protocol it was said in. Derived from an event by a pure reader and never stored in its
 * place. One event may mean several activities, or none that has a name here: then it is `custom`.
 *
 * Members that nobody supplied are left out: nothing is computed, guessed or defaulted. Text is the agent's own, untrusted.
 */
export type Activity = { readonly [Kind in ActivityKind]: ActivityBase & { readonly kind: Kind } & ActivityDetails[Kind] }[ActivityKind];

export interface ActivityBase {
  readonly protocol: "aaep" | "aep" | "aop";
  /** The protocol's own name of the event. */
  readonly type: string;
  readonly session: string;
  readonly agent: string;
  /** The emitter's clock, as written; never used for windows or liveness. */
  readonly at?: string;
  readonly model?: string;
  readonly tokens?: Tokens;
  /** Supplied by the agent, in US dollars. */
  readonly costUsd?: Amount;
}

/** Whether a number is the total so far or what this event adds. */
export interface Amount {
  readonly value: number;
  readonly counts: "total" | "delta";
}

export interface Tokens {
  readonly counts: "total" | "delta";
  readonly input?: number;
  readonly output?: number;
  readonly total?: number;
}

export type Risk = "low" | "medium" | "high";
export type Confidence = "low" | "medium" | "high";

interface ToolCall {
  /** Joins the parts of one call; left out where the protocol gives none. */
  readonly callId?: string;
  readonly tool: string;
}

export interface ActivityDetails {
  "session.opened": { readonly goal?: string; readonly parent?: string; readonly version?: string; readonly resumed?: boolean };
  "session.closed": {
    readonly outcome: "completed" | "failed" | "cancelled" | "timeout" | "unknown";
    readonly summary?: string;
    readonly error?: string;
    readonly steps?: number;
  };
  state: { readonly from?: string; readonly to: string; readonly summary?: string };
  progress: { readonly percent?: number; readonly step?: number; readonly steps?: number; readonly summary?: string };
  thought: { readonly text: string; readonly confidence?: Confidence; readonly next?: string };
  goal: {
    readonly text: string;
    readonly status: "set" | "in_progress" | "completed" | "abandoned";
    readonly parentGoal?: string;
  };
  decision: { readonly text: string; readonly alternatives?: readonly string[]; readonly why?: string };
  uncertainty: { readonly text: string; readonly confidence?: Confidence };
  prompt: { readonly text: string };
  response: { readonly text: string };
  "output.chunk": {
    readonly outputId?: string;
    readonly text: string;
    /** In code points from the beginning of the output. */
    readonly position?: number;
    readonly last: boolean;
    readonly language?: string;
  };
  "tool.requested": ToolCall & { readonly input?: unknown; readonly risk?: Risk; readonly reversible?: boolean };
  "tool.started": ToolCall & { readonly input?: unknown; readonly summary?: string; readonly risk?: Risk; readonly reversible?: boolean };
  "tool.ended": ToolCall & {
    readonly outcome: "succeeded" | "failed" | "denied" | "cancelled" | "timeout" | "unknown";
    readonly result?: string;
    readonly durationMs?: number;
  };
  "request.asked": {
    readonly request: "confirmation" | "clarification" | "permission" | "handoff";
    readonly token?: string;
    readonly prompt: string;
    readonly choices?: readonly string[];
    readonly risk?: Risk;
    readonly reversible?: boolean;
    readonly timeoutMs?: number;
    readonly byDefault?: string;
  };
  "request.answered": { readonly token?: string; readonly answer: string; readonly by?: string; readonly reason?: string };
  handoff: { readonly to?: string; readonly reason?: string; readonly urgency?: string };
  "subagent.started": { readonly child: string; readonly childAgent?: string; readonly goal?: string };
  "subagent.ended": { readonly child: string; readonly outcome?: string };
  memory: { readonly operation: "read" | "write" | "delete"; readonly key?: string; readonly summary?: string };
  "external.call": { readonly method?: string; readonly target: string; readonly status?: number; readonly durationMs?: number };
  "context.compacted": { readonly trigger?: string; readonly summary?: string };
  "workspace.changed": { readonly path?: string; readonly change?: string };
  plan: { readonly items: readonly { readonly text: string; readonly status?: string }[] };
  notification: { readonly text: string; readonly level?: string };
  error: { readonly message: string; readonly code?: string; readonly recoverable?: boolean; readonly hint?: string };
  heartbeat: { readonly status?: string };
  custom: { readonly summary?: string };
}

export type ActivityKind = keyof ActivityDetails;
