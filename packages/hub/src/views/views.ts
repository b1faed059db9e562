import { EarshotError, type ProtocolName } from "@earshot/protocol";
import type { CutReason, SessionInfo } from "../ledger/ledger.ts";
import type {
  Alert,
  AlertType,
  CallView,
  CostGroup,
  CostTable,
  Grade,
  Listed,
  SearchHit,
  SessionStatus,
  SessionView,
  StoryPage,
  Tree,
} from "./api.ts";

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
   * Rejects when the signal aborts, and when the views are closed.
   */
  caughtUp(position: number, signal?: AbortSignal): Promise<void>;

  sessions(query: SessionsQuery): Promise<Listed<SessionView>>;
  session(key: number): Promise<SessionView | undefined>;
  /** The sessions of an id, newest activity first; several sources may use the same one. */
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

  /** Calls the listener with the alerts that are raised from now on, each once, in order. Returns how to stop. */
  onAlert(listener: (alert: Alert) => void): () => void;
  /** `Ledger.cut`. Fulfills when nothing of what was cut is in the views. */
  cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number>;
  /** `Ledger.erase`. Fulfills when nothing of it is left in the views' file. */
  erase(position: number): Promise<boolean>;
  close(): Promise<void>;
}

export function viewsUnavailable(message: string, cause?: unknown): EarshotError {
  return new EarshotError({ code: "VIEWS_UNAVAILABLE", message }, { cause });
}

export interface SessionsQuery {
  readonly after?: string;
  readonly limit: number;
  readonly status?: readonly SessionStatus[];
  readonly protocol?: readonly ProtocolName[];
  readonly agent?: string;
  /** Stored since. */
  readonly since?: number;
  /** Only those without a parent. */
  readonly roots?: boolean;
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

export interface CallsQuery {
  readonly session: number;
  readonly after?: string;
  readonly limit: number;
}

export interface CostsQuery {
  readonly by: CostGroup;
  readonly session?: number;
  /** Days as `2026-11-15`, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
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
