import { DatabaseSync, type StatementSync } from "node:sqlite";
import { openLedgerFile } from "../../packages/hub/src/ledger/sqlite/open-file.ts";

/**
 * Inserts the last entries of one ledger into an empty one, in all tables with the same indexes, and prints the rate: each entry with its
 * answerable name and its session with the stored state.
 */
const [from = "", to = "", events = "", batch = ""] = process.argv.slice(2);
type Value = string | number | null | Uint8Array;
const TABLES = {
  entry: "position, session, received_at, kind, verified, type, agent, sequence, identity, said, notes, text, hash",
  answerable: "source, name, agent, session, position",
  session: "key, source, id, last, head, cut, state_at, state",
} as const;
type Table = keyof typeof TABLES;

interface Row {
  readonly table: Table;
  readonly values: readonly Value[];
}

const source = new DatabaseSync(from, { readOnly: true });
const { first } = source
  .prepare("SELECT min(position) AS first FROM (SELECT position FROM entry ORDER BY position DESC LIMIT ?)")
  .get(Number(events)) as { first: number };
const rowsOf = (table: Table, where: string): Map<number, Row> => {
  const found = source.prepare(`SELECT ${TABLES[table]}, ${where}`);
  found.setReturnArrays(true);
  const rows = new Map<number, Row>();
  for (const values of found.iterate(first) as Iterable<unknown> as Iterable<Value[]>) rows.set(Number(values.pop()), { table, values });
  return rows;
};
/** By the position of the entry they are written with. */
const entries = rowsOf("entry", "position AS at FROM entry WHERE position >= ? ORDER BY position");
const others = [
  rowsOf("answerable", "position AS at FROM answerable WHERE position >= ?"),
  rowsOf("session", "(SELECT min(position) FROM entry AS own WHERE own.session = key) AS at FROM session WHERE at >= ?"),
];
const groups = Array.from(entries, ([at, entry]) => [entry, ...others.flatMap((rows) => rows.get(at) ?? [])]);
source.close();

const { db } = openLedgerFile(to);
const statements = Object.fromEntries(
  Object.entries(TABLES).map(([table, columns]) => [
    table,
    db.prepare(
      `INSERT INTO ${table} (${columns}) VALUES (${columns
        .split(", ")
        .map(() => "?")
        .join(", ")})`,
    ),
  ]),
) as Readonly<Record<Table, StatementSync>>;
const begin = db.prepare("BEGIN IMMEDIATE");
const commit = db.prepare("COMMIT");
const cpuBefore = process.cpuUsage();
const began = performance.now();
for (let start = 0; start < groups.length; start += Number(batch)) {
  begin.run();
  for (const group of groups.slice(start, start + Number(batch))) for (const { table, values } of group) statements[table].run(...values);
  commit.run();
}
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
console.log(JSON.stringify({ perSecond: groups.length / seconds, microseconds: (user + system) / groups.length }));
db.close();
