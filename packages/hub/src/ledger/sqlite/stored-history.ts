import type { DatabaseSync } from "node:sqlite";
import type { Request, RequestQuery } from "../../request.ts";
import type { Page, ReadQuery } from "../ledger.ts";
import { openLedgerFile } from "./open-file.ts";
import { Reader } from "./reader.ts";
import { RequestTable } from "./request-table.ts";
import { highestPosition } from "./sqlite-ledger.ts";

export interface LastQuery {
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[];
  readonly limit: number;
}

/** What a ledger holds, for reading only: beside a hub that has it open, or without one. Each call gives a bounded page. */
export class StoredHistory implements Disposable {
  readonly #db: DatabaseSync;
  readonly #reader: Reader;
  readonly #requests: RequestTable;

  constructor(path: string) {
    this.#db = openLedgerFile(path, { readOnly: true }).db;
    this.#reader = new Reader(this.#db);
    this.#requests = new RequestTable(this.#db);
  }

  head(): number {
    return highestPosition(this.#db);
  }

  read(query: ReadQuery): Page {
    return this.#reader.read(query);
  }

  /** Where the last events of these types stand among some positions, the last first. Each position is looked at. */
  lastOf({ after, upTo, types, limit }: LastQuery): readonly number[] {
    const marks = types.map(() => "?").join(", ");
    const statement = this.#db.prepare(
      `SELECT position FROM entry WHERE position > ? AND position <= ? AND kind = 0 AND type IN (${marks}) ORDER BY position DESC LIMIT ?`,
    );
    return statement.all(after, upTo, ...types, limit).map(({ position }) => Number(position));
  }

  requests(query: RequestQuery): readonly Request[] {
    return this.#requests.list(query);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
