import { EarshotError, type ProtocolName } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";
import type { CutReason, SessionInfo } from "../ledger/ledger.ts";
import type { Flag } from "../verdict.ts";

/**
 * What happened, derived from the ledger: sessions, calls, outputs, costs, alerts, full text. Everything here can be made
 * again from the ledger, and after any history equals what would be made again. All times are milliseconds since 1970 by
 * the hub's clock, unless they are called the agent's. Every list is a page; every text is bounded.
 */
export interface Views extends AsyncDisposable {
  /** Everything up to this position of the ledger is in the views. */
  readonly position: number;
  /**
   * Waits until everything up to a position is in the views: with the position of an acknowledged event, readers see it.
   * Rejects when the signal says that nobody waits any more, and when the views are closed.
   */
  caughtUp(position: number, signal?: AbortSignal): Promise<void>;

  sessions(query: SessionsQuery): Promise<Listed<SessionView>>;
  session(key: number): Promise<SessionView | undefined>;
  /** The sessions of an id, the one heard last first; several sources may use the same one. */
  find(id: string, protocol?: ProtocolName): Promise<readonly SessionView[]>;
  /** The whole tree a session belongs to, root first, each parent before its children; bounded. */
  tree(key: number): Promise<Tree>;
  /** What happened in a session, in its order, a page at a time. */
  story(query: StoryQuery): Promise<StoryPage>;
  calls(query: CallsQuery): Promise<Listed<CallView>>;
  costs(query: CostsQuery): Promise<CostTable>;
  /** Newest first. */
  alerts(query: AlertsQuery): Promise<Listed<Alert>>;
  search(query: SearchQuery): Promise<Listed<SearchHit>>;
  /** How the session keeps the rules so far, from the flags stored with its entries. */
  grade(key: number): Promise<Grade | undefined>;

  /** Tells the alerts that are raised from now on, each once, in order. Returns how to stop. */
  onAlert(hear: (alert: Alert) => void): () => void;
  /** `Ledger.cut`. Fulfills when nothing of what was cut is in the views. */
  cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number>;
  /** `Ledger.erase`. Fulfills when nothing of it is left in the views' file. */
  erase(position: number): Promise<boolean>;
  close(): Promise<void>;
}

export function viewsUnavailable(message: string, cause?: unknown): EarshotError {
  return new EarshotError({ code: "VIEWS_UNAVAILABLE", message }, { cause });
}

/** A page. `next` goes into the next query as `after`; it is left out after the last page, and opaque. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
  /** Not everything was looked at that could have been, because that took too long. Where there is a `next`, it goes on from there. */
  readonly cut?: boolean;
}

/**
 * `running`: heard from lately. `waiting`: a question is open. `stalled`: silent for longer than it should be.
 * `idle`: between two turns. The others say how it ended; `ended` where nobody said how.
 */
export const SESSION_STATUSES = ["running", "waiting", "idle", "stalled", "completed", "failed", "cancelled", "timeout", "ended"] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export interface SessionView {
  readonly key: number;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly verified: boolean;
  readonly id: string;
  readonly status: SessionStatus;
  /** The one that spoke first; all of them, the first few. */
  readonly agent: string;
  readonly agents: readonly string[];
  readonly model?: string;
  /** What it said it is for; where it says nothing, what it was asked first. */
  readonly goal?: string;
  readonly workspace?: string;
  readonly parent?: Parentage;
  readonly children: number;
  readonly startedAt: number;
  readonly lastHeardAt: number;
  readonly endedAt?: number;
  /** From the first to the last it said, by the agent's clock where that makes sense, else by the hub's. */
  readonly durationMs: number;
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly counts: {
    readonly events: number;
    readonly calls: number;
    readonly failedCalls: number;
    readonly errors: number;
    readonly prompts: number;
    readonly openRequests: number;
    readonly alerts: number;
    readonly flags: number;
  };
  readonly tokens?: TokenCount;
  readonly costUsd?: number;
  /** What it did last, in its own words. */
  readonly lastSummary?: string;
  /** What is odd about it: `started-late`, `spoke-after-end`, `never-started`, `gap`. */
  readonly marks: readonly string[];
}

export interface TokenCount {
  readonly input?: number;
  readonly output?: number;
  readonly total?: number;
}

export interface Parentage {
  readonly id: string;
  /** Where it is known to the views. */
  readonly key?: number;
  readonly relation: "subagent" | "fork" | "resume" | "continuation";
  /** Said by the child itself, or only inferred. */
  readonly inferred: boolean;
  /** How it is known, in words: "operation.agent_spawn named it". */
  readonly because: string;
}

export interface SessionsQuery {
  readonly after?: string;
  readonly limit: number;
  readonly status?: readonly SessionStatus[];
  readonly protocol?: readonly ProtocolName[];
  readonly agent?: string;
  /** ReadEntry from since. */
  readonly since?: number;
  /** Only those without a parent. */
  readonly roots?: boolean;
}

export interface Tree {
  readonly nodes: readonly (SessionView & { readonly depth: number })[];
  /** More than are listed belong to it. */
  readonly cut: boolean;
}

export interface StoryQuery {
  readonly session: number;
  readonly after?: string;
  readonly limit: number;
  /** Begin at (or just before) this position instead. */
  readonly from?: number;
  /** The last items that come before this position, or before the end of the story, instead. */
  readonly before?: number | "end";
}

export interface StoryPage extends Listed<StoryItem> {
  /** The `before` of the page that precedes this one; left out where nothing does, and on pages that were read forwards. */
  readonly earlier?: number;
}

/** One thing that happened. A call is one item from request to outcome; an output is one item, put together. */
export interface StoryItem {
  readonly position: number;
  readonly receivedAt: number;
  readonly activity: Activity;
  readonly call?: CallView;
  readonly output?: OutputView;
  /** It is part of what is shown at this earlier position, and stands here for its flags and alerts alone. */
  readonly continues?: number;
  readonly flags: readonly Flag[];
  readonly alerts: readonly Alert[];
  readonly redactions: number;
}

/** One call of a tool, a skill or a subagent, joined from all that was said about it in whatever order it came. */
export interface CallView {
  readonly session: number;
  /** Position of the first that was said about it. */
  readonly position: number;
  readonly callId?: string;
  readonly tool: string;
  /** What it acts on, short: the command, the path, the address. */
  readonly subject?: string;
  readonly state:
    | "requested"
    | "approved"
    | "waiting"
    | "paused"
    | "left-to-the-agent"
    | "running"
    | "succeeded"
    | "failed"
    | "timeout"
    | "cancelled"
    | "denied"
    | "unknown";
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly durationMs?: number;
  /** Whether the agent said how long it took, or it was measured between what was heard. */
  readonly measured: boolean;
  readonly input?: string;
  readonly result?: string;
  readonly error?: string;
  /** What the end adds of its own accord, as JSON. */
  readonly metadata?: string;
  readonly decidedBy?: string;
  /** Why it was decided so. */
  readonly reason?: string;
  /** `ran-despite-denial`, `ended-without-start`, `ended-twice`. */
  readonly marks: readonly string[];
  readonly costUsd?: number;
  readonly tokens?: TokenCount;
}

export interface OutputView {
  readonly outputId?: string;
  readonly text: string;
  readonly complete: boolean;
  /** Where text is missing, or more came than is kept. */
  readonly gaps: boolean;
  readonly cut: boolean;
  readonly contentType?: string;
  readonly language?: string;
}

export interface CallsQuery {
  readonly session: number;
  readonly after?: string;
  readonly limit: number;
}

export const COST_GROUPS = ["session", "tool", "model", "agent", "day"] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

export interface CostsQuery {
  readonly by: CostGroup;
  readonly session?: number;
  /** Days as `2026-11-15`, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

export interface CostTable {
  /** Most expensive first; days newest first. Nothing is here that nobody supplied. */
  readonly lines: readonly {
    readonly name: string;
    readonly session?: number;
    readonly costUsd?: number;
    readonly tokens?: TokenCount;
    readonly events: number;
  }[];
  readonly total: { readonly costUsd?: number; readonly tokens?: TokenCount; readonly events: number };
  readonly more: boolean;
}

export const ALERT_TYPES = [
  "loop",
  "error_cascade",
  "confidence_drop",
  "stall",
  "cost_spike",
  "conformance_violation",
  "request_waiting",
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

export interface Alert {
  readonly number: number;
  readonly type: AlertType;
  readonly severity: "warning" | "critical";
  /** What was seen, with its numbers, in a sentence. */
  readonly message: string;
  readonly session: number;
  readonly sessionId: string;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly agent: string;
  /** The entry that raised it; for silence, the last one before it. */
  readonly position: number;
  readonly at: number;
  readonly rule?: string;
}

export interface AlertsQuery {
  readonly session?: number;
  readonly type?: readonly AlertType[];
  readonly after?: string;
  readonly limit: number;
}

export interface SearchQuery {
  /** Words, all of which must occur; "a phrase" in quotes; a trailing * for any ending; a leading - for what must not. */
  readonly text: string;
  readonly session?: number;
  readonly agent?: string;
  readonly type?: string;
  readonly since?: number;
  readonly until?: number;
  /** `relevance` orders the newest few thousand matches. */
  readonly order?: "newest" | "relevance";
  readonly after?: string;
  readonly limit: number;
}

export interface SearchHit {
  readonly position: number;
  readonly session: number;
  readonly sessionId: string;
  readonly protocol: ProtocolName;
  readonly agent: string;
  readonly type: string;
  readonly receivedAt: number;
  /** Which words: `prompt`, `thought`, `tool`, `command`, `output`, `error`, `other`. */
  readonly field: string;
  /** Around the match, which is given by where it begins and ends, in UTF-16 units. */
  readonly snippet: string;
  readonly marks: readonly (readonly [start: number, end: number])[];
}

export interface Grade {
  /** `A` no finding; `B` only information; `C` warnings; `D` errors. */
  readonly grade: "A" | "B" | "C" | "D";
  readonly events: number;
  readonly rules: readonly {
    readonly rule: string;
    readonly severity: "error" | "warning" | "info";
    readonly count: number;
    readonly firstPosition: number;
    readonly lastPosition: number;
  }[];
}
