import type { DatabaseSync } from "node:sqlite";
import type { LastQuery, LedgerHistory } from "../history.ts";
import { toRemoval } from "../seal-line.ts";
import { LedgerReader } from "./ledger-reader.ts";
import { openLedgerFile } from "./open-file.ts";
import { Statements } from "./statements.ts";

/** Reads a ledger's file through its own connection while another thread or process may write. */
export class StoredHistory implements LedgerHistory {
  readonly #db: DatabaseSync;
  readonly #sql: Statements;
  readonly #reader: LedgerReader;
  readonly read: LedgerHistory["read"] = async (query) => this.#reader.read(query);
  readonly readSession: LedgerHistory["readSession"] = async (query) => this.#reader.readSession(query);
  readonly findSessions: LedgerHistory["findSessions"] = async (id, protocol) => this.#reader.findSessions(id, protocol);
  readonly requests: LedgerHistory["requests"] = async (query) => this.#reader.requests(query);
  readonly removals: LedgerHistory["removals"] = async (query) => this.#reader.removalLines(query).map(({ line }) => toRemoval(line));

  constructor(path: string) {
    this.#db = openLedgerFile(path, { readOnly: true }).db;
    this.#sql = new Statements(this.#db);
    this.#reader = new LedgerReader(this.#sql);
  }

  async head(): Promise<number> {
    return this.#reader.head();
  }

  async lastOf({ after, upTo, types, limit }: LastQuery): Promise<readonly number[]> {
    const marks = types.map(() => "?").join(", ");
    const sql = `SELECT position FROM entry WHERE position > ? AND position <= ? AND kind = 0 AND type IN (${marks})
      ORDER BY position DESC LIMIT ?`;
    return this.#sql.all(sql, after, upTo, ...types, limit).map(({ position }) => Number(position));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#db.close();
  }
}
