import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS, versionOf } from "../sqlite/migrations.ts";
import type { LedgerBreak } from "./ledger-break.ts";

/** A trigger or a view in a table's place could show anything; a missing index would lose what is stored. */
export function checkSchema(db: DatabaseSync): LedgerBreak | undefined {
  const version = versionOf(db);
  using fresh = new DatabaseSync(":memory:");
  for (const migration of MIGRATIONS) if (migration.version <= version) migration.apply(fresh);
  const expected = schemaOf(fresh);
  const found = schemaOf(db);
  const different = [...expected, ...found].find(([name, text]) => expected.get(name) !== text || found.get(name) !== text);
  if (different === undefined) return undefined;
  return { what: "schema", message: `${different[0]} is not what version ${version} of the format has.` };
}

function schemaOf(db: DatabaseSync): ReadonlyMap<string, string> {
  // What SQLite keeps for its own use (statistics, counters) is no part of the format.
  const rows = db.prepare("SELECT type, name, tbl_name AS owner, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_s*'").all();
  return new Map(rows.map(({ type, name, owner, sql }) => [`${type} ${name}`, `${owner} ${sql}`]));
}
