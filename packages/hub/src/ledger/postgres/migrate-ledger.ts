import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { EarshotError } from "@earshot/protocol";
import { PostgresConnections, type Transaction } from "./connections.ts";
import { type CopyProgress, PAGE_ROWS, TABLES } from "./copy-ledger.ts";
import { withoutNul } from "./without-nul.ts";

/** Stands before the public key in `ledger.signed_by` until everything is copied: no hub starts on such a database. */
export const UNFINISHED = "unfinished copy of ";

export interface MigrationOptions {
  readonly address: string;
  /** The SQLite file. No hub may have it open. */
  readonly path: string;
  /** Public half of the key that signed the ledger. */
  readonly publicKey: string;
  readonly onProgress: (progress: CopyProgress) => void;
}

/**
 * Copies a ledger from its SQLite file into an empty database, page by page. When it is interrupted, the next run goes on after the last
 * page that was committed.
 */
export async function copyFileToDatabase({ address, path, publicKey, onProgress }: MigrationOptions): Promise<void> {
  using source = new DatabaseSync(path, { readOnly: true });
  const of = Number(source.prepare("SELECT count(*) AS entries FROM entry").get()?.["entries"]);
  const connections = new PostgresConnections(address, { claim: (transaction) => claimEmpty(publicKey, transaction) });
  try {
    for (const [table, columns] of Object.entries(TABLES)) {
      const pages = source.prepare(
        `SELECT ${keyOf(table)} AS row_key, ${columns} FROM ${table} WHERE row_key > ? ORDER BY row_key LIMIT ${PAGE_ROWS}`,
      );
      for (let after = await findCopied(table, connections), done = countUpTo(source, table, after); ; ) {
        const rows = pages.all(after);
        if (rows.length === 0) break;
        await connections.transact(async (transaction) => {
          await insertRows(transaction, { table, columns, rows });
          after = Number(rows.at(-1)?.["row_key"]);
          await transaction.query(
            "INSERT INTO document (name, version, text) VALUES ($1, 1, $2) ON CONFLICT (name) DO UPDATE SET text = excluded.text",
            [documentOf(table), String(after)],
          );
        });
        done += rows.length;
        if (table === "entry") onProgress({ done, of });
      }
    }
    const head = Number(source.prepare("SELECT head FROM ledger").get()?.["head"]);
    await connections.transact(async (transaction) => {
      const bytes = "(SELECT coalesce(sum(octet_length(text)), 0) FROM entry)";
      await transaction.query(`UPDATE ledger SET head = $1, bytes = ${bytes}, signed_by = $2 WHERE shard = 0`, [head, publicKey]);
      await transaction.query("DELETE FROM document WHERE name = ANY($1)", [Object.keys(TABLES).map(documentOf)]);
    });
  } finally {
    await connections.close();
  }
}

/** Takes a database that has no entries, or an unfinished copy of the same ledger. */
async function claimEmpty(publicKey: string, transaction: Transaction): Promise<void> {
  const sql = "SELECT signed_by, (SELECT count(*) FROM entry) AS entries FROM ledger WHERE shard = 0";
  const [row] = (await transaction.query<{ signed_by: string | null; entries: number }>(sql)).rows;
  if (row?.signed_by === UNFINISHED + publicKey) return;
  if (row === undefined || row.entries > 0 || row.signed_by !== null) {
    const message = "This database has a ledger already. A ledger is only copied into a database that no hub has used.";
    throw new EarshotError({ code: "LEDGER_REFUSED", message, hint: "Create another database, and name that." });
  }
  await transaction.query("UPDATE ledger SET signed_by = $1 WHERE shard = 0", [UNFINISHED + publicKey]);
}

const documentOf = (table: string) => `copied ${table}`;

/** Row up to which a table was copied by an earlier run. */
async function findCopied(table: string, connections: PostgresConnections): Promise<number> {
  const [row] = await connections.query<{ text: string }>("SELECT text FROM document WHERE name = $1", [documentOf(table)]);
  return Number(row?.text ?? 0);
}

function countUpTo(source: DatabaseSync, table: string, key: number): number {
  return Number(source.prepare(`SELECT count(*) AS rows FROM ${table} WHERE ${keyOf(table)} <= ?`).get(key)?.["rows"]);
}

/** An expression that numbers the rows of a table. Two tables have no row numbers: one has a row per entry, the other has few rows. */
function keyOf(table: string): string {
  if (table === "answerable") return "position";
  return table === "count"
    ? "(SELECT count(*) FROM count AS other WHERE (other.what, other.source) <= (count.what, count.source))"
    : "rowid";
}

interface CopiedPage {
  readonly table: string;
  readonly columns: string;
  readonly rows: readonly Readonly<Record<string, SQLInputValue>>[];
}

async function insertRows(transaction: Transaction, { table, columns, rows }: CopiedPage): Promise<void> {
  const names = columns.split(", ");
  const texts = rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name) => [name, toJsonValue(row[name])]))));
  const types = await transaction.query(`SELECT ${columns} FROM ${table} LIMIT 0`);
  const BYTEA = 17;
  const selected = types.fields.map(({ name, dataTypeID }) => (dataTypeID === BYTEA ? `decode(row.${name}, 'hex')` : `row.${name}`));
  const read = types.fields.map(({ name, dataTypeID }) => `${name} ${TYPE_NAMES[dataTypeID] ?? "text"}`);
  await transaction.query(
    `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
      SELECT ${selected.join(", ")} FROM json_to_recordset($1::json) AS row (${read.join(", ")})`,
    [`[${texts.join(",")}]`],
  );
}

/** By object identifier, as PostgreSQL's catalog has them: https://www.postgresql.org/docs/current/datatype-oid.html */
const TYPE_NAMES: Readonly<Record<number, string>> = { 20: "bigint", 21: "smallint", 23: "integer" };

function toJsonValue(value: SQLInputValue | undefined): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return withoutNul(value);
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  return Buffer.from(value as Uint8Array).toString("hex");
}
