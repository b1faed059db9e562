import { DatabaseSync } from "node:sqlite";
import { openLedgerFile } from "../../packages/hub/src/ledger/sqlite/open-file.ts";

/** Inserts the last rows of one ledger into another, with the same tables and indexes, and prints how many in a second. */
const [from = "", to = "", events = "", batch = ""] = process.argv.slice(2);
const COLUMNS = [
  "position",
  "session",
  "received_at",
  "kind",
  "verified",
  "type",
  "agent",
  "sequence",
  "identity",
  "said",
  "notes",
  "text",
  "hash",
];
type Value = string | number | null | Uint8Array;

const source = new DatabaseSync(from, { readOnly: true });
const newest = source.prepare(`SELECT ${COLUMNS.join(", ")} FROM entry ORDER BY position DESC LIMIT ?`).all(Number(events));
const rows = newest.reverse().map((row) => COLUMNS.map((name) => row[name] as Value));
source.close();

const { db } = openLedgerFile(to);
const insert = db.prepare(`INSERT INTO entry (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`);
const begin = db.prepare("BEGIN IMMEDIATE");
const commit = db.prepare("COMMIT");
const cpuBefore = process.cpuUsage();
const began = performance.now();
for (let start = 0; start < rows.length; start += Number(batch)) {
  begin.run();
  for (const row of rows.slice(start, start + Number(batch))) insert.run(...row);
  commit.run();
}
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
console.log(JSON.stringify({ perSecond: rows.length / seconds, microseconds: (user + system) / rows.length }));
db.close();
