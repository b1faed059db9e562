import type { SessionInfo } from "../ledger/ledger.ts";
import type { SessionRow } from "./aop-session-row.ts";
import type { ListCursor, RaisedAlert, SessionOrder } from "./view-tables.ts";

/** What is derived from the AOP events of the ledger: a row per session, and the alerts. */
export interface AopViews extends AsyncDisposable {
  /** Everything up to this position of the ledger is in the views. */
  readonly position: number;
  /** Waits until everything up to a position is in the views: with the position of an acknowledged event, readers see it. */
  caughtUp(position: number): Promise<void>;
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
   * Every cut of an AOP session goes through here: does the cut, then folds what is left of the session anew. A hub that
   * stops in between does the second half when it starts again.
   */
  cutting<Result>(session: SessionInfo, cut: () => Promise<Result>): Promise<Result>;
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

/** Ids belong to their sources: two sources may use the same one for different sessions. */
export interface SessionName {
  readonly source: string;
  readonly id: string;
}
