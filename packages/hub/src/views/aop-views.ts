import type { SessionRow } from "./aop-session-row.ts";
import type { Alert } from "./views.ts";

/** Sessions as the clients of the official AOP collector read them. */
export interface AopViews {
  /** Newest first. `next` is there when there may be more. */
  sessions(query: AopSessionsQuery): Promise<AopSessionList>;
  /** The sessions of an id, the one heard last first; several sources may use the same one. */
  find(id: string): Promise<readonly SessionRow[]>;
  /** By the events that raised them, the last ones first. */
  alerts(session: { readonly source: string; readonly id: string }, limit: number): Promise<readonly Alert[]>;
}

export interface AopSessionList {
  readonly rows: readonly SessionRow[];
  readonly next?: ListCursor;
}

export interface AopSessionsQuery {
  readonly order: SessionOrder;
  readonly limit: number;
  readonly before?: ListCursor;
}

/** Which sessions come first: those that started last, or those that were heard last. */
export type SessionOrder = "started" | "activity";

/** Where the last page ended. */
export interface ListCursor {
  readonly value: number;
  readonly key: number;
}
