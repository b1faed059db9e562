import type { Ledger } from "./ledger.ts";

export interface LastQuery {
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[];
  readonly limit: number;
}

/** What a ledger holds, for reading only. Each call gives a bounded page. */
export interface LedgerHistory
  extends Pick<Ledger, "head" | "read" | "readSession" | "findSessions" | "requests" | "removals">,
    AsyncDisposable {
  /** Positions of the last events of these types among some positions, the last first. Each position is looked at. */
  lastOf(query: LastQuery): Promise<readonly number[]>;
}
