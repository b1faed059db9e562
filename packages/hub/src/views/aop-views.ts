import type { CutReason, SessionInfo } from "../ledger/ledger.ts";
import type { SessionRow } from "./aop-session-row.ts";
import type { ListCursor, RaisedAlert, SessionName, SessionOrder } from "./view-tables.ts";

/** What is derived from the AOP events of the ledger: a row per session, and the alerts. */
export interface AopViews extends AsyncDisposable {
  /** Everything up to this position of the ledger is in the views. */
  readonly position: number;
  /**
   * Waits until everything up to a position is in the views: with the position of an acknowledged event, readers see it.
   * Rejects when the signal says that nobody waits any more, and when the views are closed.
   */
  caughtUp(position: number, signal?: AbortSignal): Promise<void>;
  /** Newest first. `next` is there when there may be more. */
  sessions(query: SessionsQuery): SessionList;
  /** The sessions of an id, the one heard last first; several sources may use the same one. */
  find(id: string, source?: string): readonly SessionRow[];
  /** Newest first. */
  alerts(session: SessionName, limit: number): readonly RaisedAlert[];
  /** Raised by events after a position, up to and including another, oldest first. Wait for `caughtUp(upTo)` first. */
  alertsBetween(after: number, upTo: number, limit: number): readonly RaisedAlert[];
  /** Tells the alerts of events that come from now on, each once, in order. Returns how to stop. */
  onAlert(hear: (raised: RaisedAlert) => void): () => void;
  /**
   * Every cut of an AOP session goes through here: `Ledger.cut`, after which what is left of the session is folded anew. A hub
   * that stops in between finishes it when it starts again.
   */
  cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number>;
  /**
   * Every erasure of an AOP event goes through here: `Ledger.erase`, after which the session is folded anew without it, and
   * nothing of it is left in the views' files.
   */
  erase(session: SessionInfo, position: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface SessionList {
  readonly rows: readonly SessionRow[];
  readonly next: ListCursor | undefined;
}

export interface SessionsQuery {
  readonly order: SessionOrder;
  readonly limit: number;
  readonly before?: ListCursor;
}
