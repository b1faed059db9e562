import type { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol/problem";
import { LedgerReader } from "./ledger-reader.ts";
import { openLedgerFile } from "./open-file.ts";

export interface LastQuery {
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[];
  readonly limit: number;
}

/** What a ledger holds, for reading only: beside a hub that has it open, or without one. Each call gives a bounded page. */
export class StoredHistory extends LedgerReader implements Disposable {
  readonly #db: DatabaseSync;

  constructor(path: string) {
    const { db } = openLedgerFile(path, { readOnly: true });
    super(db);
    this.#db = db;
  }

  /** Where the last events of these types stand among some positions, the last first. Each position is looked at. */
  lastOf({ after, upTo, types, limit }: LastQuery): readonly number[] {
    const marks = types.map(() => "?").join(", ");
    const statement = this.#db.prepare(
      `SELECT position FROM entry WHERE position > ? AND position <= ? AND kind = 0 AND type IN (${marks}) ORDER BY position DESC LIMIT ?`,
    );
    return statement.all(after, upTo, ...types, limit).map(({ position }) => Number(position));
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

/** The last position in a ledger that no hub has open. */
export function readStoredHead(path: string): number {
  using history = new StoredHistory(path);
  return history.head();
}

/** The key of the session with an id, in a ledger that no hub has open; the one heard from last, when there are several. */
export function findStoredSession(path: string, id: string): number {
  using history = new StoredHistory(path);
  const [session] = history.findSessions(id);
  if (session === undefined) {
    throw new EarshotError({ code: "NOT_FOUND", message: `No session ${JSON.stringify(id.slice(0, 80))} was heard.` });
  }
  return session.key;
}
