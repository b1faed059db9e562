import { appendFileSync, closeSync, openSync, rmSync } from "node:fs";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { SealFileLines } from "../seal-file.ts";
import { openLedgerFile } from "../sqlite/open-file.ts";
import { PostgresConnections } from "./connections.ts";

/** The tables common to SQLite and PostgreSQL, each after those it refers to. */
export const TABLES = {
  source: "key, protocol, name",
  session: "key, source, id, last, head, cut, state_at, state",
  entry: "position, session, received_at, kind, verified, type, agent, sequence, identity, said, notes, text, hash, repeated, name_used_at",
  answerable: "source, name, agent, session, position",
  request: "id, kind, position, session, opened_at, deadline_at, state, card, digest, settled_by",
  refused: "number, received_at, source, problem, text, size_bytes",
  count: "what, source, how_many, last_at",
  seal: "number, up_to, line",
  tombstone: "number, session, up_to, head, line",
} as const;

export const PAGE_ROWS = 1000;

export interface CopyProgress {
  readonly done: number;
  readonly of: number;
}

/** Copies a snapshot of the ledger in a database into a new SQLite file. */
export async function copyLedgerToFile(address: string, path: string, onProgress: (progress: CopyProgress) => void): Promise<void> {
  closeSync(openSync(path, "wx", 0o600)); // nobody else may create it
  rmSync(path);
  const connections = new PostgresConnections(address);
  const { db } = openLedgerFile(path);
  try {
    await connections.transact(async (transaction) => {
      await transaction.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      const [sizes] = (await transaction.query("SELECT head, (SELECT count(*) FROM entry) AS entries FROM ledger WHERE shard = 0")).rows;
      db.exec("PRAGMA foreign_keys = OFF; BEGIN");
      for (const [table, columns] of Object.entries(TABLES)) {
        await transaction.query(`DECLARE rows NO SCROLL CURSOR FOR SELECT ${columns} FROM ${table}`);
        for (let copied = 0; ; ) {
          const { rows } = await transaction.query(`FETCH FORWARD ${PAGE_ROWS} FROM rows`);
          insertRows(db, { table, columns, rows });
          copied += rows.length;
          if (table === "entry") onProgress({ done: copied, of: Number(sizes?.["entries"]) });
          if (rows.length < PAGE_ROWS) break;
        }
        await transaction.query("CLOSE rows");
      }
      db.prepare("UPDATE ledger SET head = ?").run(Number(sizes?.["head"]));
      db.exec("COMMIT");
    });
    db.exec("PRAGMA journal_mode = DELETE"); // one file, and nothing beside it
  } finally {
    db.close();
    await connections.close();
  }
}

/** Appends the signed lines of a copied ledger that the file lacks because other hubs signed them. */
export function completeSealFile(sealFile: string, ledgerFile: string): void {
  using lines = new SealFileLines(sealFile);
  let count = 0;
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (!line.ended) return; // the verifier decides about it
    count++;
  }
  const { db } = openLedgerFile(ledgerFile);
  const rows = db.prepare("SELECT line FROM seal WHERE number > ? ORDER BY number").all(count);
  db.close();
  appendFileSync(sealFile, rows.map(({ line }) => `${String(line)}\n`).join(""));
}

interface CopiedRows {
  readonly table: string;
  readonly columns: string;
  readonly rows: readonly Readonly<Record<string, SQLInputValue>>[];
}

function insertRows(db: DatabaseSync, { table, columns, rows }: CopiedRows): void {
  const names = columns.split(", ");
  const insert = db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${names.map(() => "?").join(", ")})`);
  for (const row of rows) insert.run(...names.map((name) => row[name] ?? null));
}
