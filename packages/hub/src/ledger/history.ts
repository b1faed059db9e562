import type { Ledger } from "./ledger.ts";

export interface LastQuery {
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[];
  readonly limit: number;
}

/** Read-only access to a ledger. Each call returns a bounded page. */
export interface LedgerHistory
  extends Pick<Ledger, "head" | "read" | "readSession" | "findSessions" | "requests" | "removals">,
    AsyncDisposable {
  /** Positions of the last events of these types in a range, latest first. Every position is examined. */
  lastOf(query: LastQuery): Promise<readonly number[]>;
}
