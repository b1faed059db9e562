import { EarshotError, type ProtocolName } from "@earshot/protocol";
import type { CutReason, SessionInfo } from "../ledger/ledger.ts";
import type {
  Alert,
  AlertType,
  CallView,
  CostGroup,
  CostTable,
  Listed,
  SearchHit,
  SessionCourse,
  SessionGrade,
  SessionLane,
  SessionStatus,
  SessionTree,
  SessionView,
  StoryPage,
} from "./api.ts";
import type { SearchField } from "./search/search-texts.ts";

/**
 * Sessions, calls, outputs, costs, alerts and full text, derived from the ledger. After any history they equal a rebuild. Times are Unix
 * milliseconds by the hub's clock unless called the agent's. Every list is paged; every text is bounded.
 */
export interface Views extends AsyncDisposable {
  /** The views include everything up to this ledger position. */
  readonly position: number;
  /**
   * Waits until the views include a position, so readers see an acknowledged event. Rejects when the signal aborts or the views close.
   */
  caughtUp(position: number, signal?: AbortSignal): Promise<void>;

  sessions(query: SessionsQuery): Promise<Listed<SessionView>>;
  session(key: number): Promise<SessionView | undefined>;
  /** Sessions with an id, newest activity first; several sources may use the same id. */
  find(id: string, protocol?: ProtocolName): Promise<readonly SessionView[]>;
  /** The session's whole tree, root first, each parent before its children; bounded. */
  tree(key: number): Promise<SessionTree>;
  /** The story of a session, in its order, one page at a time. */
  story(query: ViewsStoryQuery): Promise<StoryPage>;
  calls(query: CallsQuery): Promise<Listed<CallView>>;
  /** The calls of a whole session in equal parts of its time. */
  course(query: CourseQuery): Promise<SessionCourse | undefined>;
  /** Activities of sessions since a time, newest first. */
  lanes(query: LanesQuery): Promise<Listed<SessionLane>>;
  costs(query: CostsQuery): Promise<CostTable>;
  /** Newest first. */
  alerts(query: AlertsQuery): Promise<Listed<Alert>>;
  search(query: SearchQuery): Promise<Listed<SearchHit>>;
  /** The session's conformance so far, from the flags stored with its entries. */
  grade(key: number): Promise<SessionGrade | undefined>;

  /** Calls the listener with each new alert once, in order. Returns the function that removes it. */
  onAlert(listener: (alert: Alert) => void): () => void;
  /** As `Ledger.cut`. Fulfills when the cut entries have left the views. */
  cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number>;
  /** As `Ledger.erase`. Fulfills when the entry has left the views' file. */
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
  /** Only sessions without a parent. */
  readonly roots?: boolean;
  /** Occurs in its agent, folder, goal, model or id, in any case. */
  readonly text?: string;
}

export interface LanesQuery {
  /** By the agents' clocks. */
  readonly since: number;
  readonly limit: number;
}

export interface CourseQuery {
  readonly session: number;
  readonly buckets: number;
}

export interface ViewsStoryQuery {
  readonly session: number;
  readonly after?: string;
  readonly limit: number;
  /** Begins at or just before this position. */
  readonly from?: number;
  /** The last items before this position, or before the end of the story. */
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
  /** Days as `2026-11-15`, inclusive. */
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
  /** Words, all required; "a phrase" in quotes; a trailing * matches any ending; a leading - excludes. */
  readonly text: string;
  readonly session?: number;
  readonly agent?: string;
  readonly type?: string;
  /** Only in texts of this kind. */
  readonly field?: SearchField;
  readonly since?: number;
  readonly until?: number;
  /** `relevance` orders the newest few thousand matches. */
  readonly order?: "newest" | "relevance";
  readonly after?: string;
  readonly limit: number;
}
