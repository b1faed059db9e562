import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol/problem";
import { FORMAT_VERSION, MIGRATION, SCHEMA } from "./schema.ts";
import { reasonOf } from "./sqlite-error.ts";

/** A step from the previous version to this one. Runs inside a transaction. */
export interface Migration {
  readonly version: number;
  apply(db: DatabaseSync): void;
}

/** A new file gets the newest format at once; the formats of Earshot 0.1 (versions 1 to 3) are migrated in one step. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: FORMAT_VERSION,
    apply(db) {
      if (versionOf(db) === 0) return db.exec(SCHEMA);
      // Otherwise renaming a table would rename it in referring tables.
      db.exec("PRAGMA legacy_alter_table = ON");
      db.exec(MIGRATION);
      db.exec("PRAGMA legacy_alter_table = OFF");
    },
  },
];
export const LATEST_VERSION = FORMAT_VERSION;

/**
 * Migrates an existing file to the newest version and returns the path of the copy made before; undefined if nothing was to do. All steps
 * are one transaction: after any interruption the file is either unchanged and usable by the older version, or complete.
 */
export function migrate(
  db: DatabaseSync,
  path: string,
  migrations: readonly Migration[] = MIGRATIONS,
  now = new Date(),
): string | undefined {
  const from = versionOf(db);
  const steps = migrations.filter(({ version }) => version > from);
  const last = steps.at(-1);
  if (last === undefined) return undefined;
  const backup = `${path}.backup-v${from}-${now.toISOString().replaceAll(/[-:.]/g, "")}`;
  let at = from;
  try {
    removeDrafts(path);
    copyTo(db, backup);
    db.exec("BEGIN IMMEDIATE");
    for (const { version, apply } of steps) {
      at = version;
      apply(db);
      db.exec(`PRAGMA user_version = ${version}`);
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw failed({ path, backup, from, at }, error);
  }
  // Older versions read the header to see that the file is too new, so it must not only be in the WAL.
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return backup;
}

export function versionOf(db: DatabaseSync): number {
  const version = db.prepare("PRAGMA user_version").get()?.["user_version"];
  return typeof version === "number" ? version : 0;
}

/** Of a process that died while copying. */
function removeDrafts(path: string): void {
  const isDraft = (name: string) => name.startsWith(`${basename(path)}.backup-`) && name.endsWith(DRAFT);
  for (const name of readdirSync(dirname(path)).filter(isDraft)) rmSync(join(dirname(path), name));
}

const DRAFT = ".part";

/** Under another name until complete, so that every file named a backup is one. */
function copyTo(db: DatabaseSync, backup: string): void {
  const draft = backup + DRAFT;
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    // A prepared statement takes any path as a value.
    db.prepare("VACUUM INTO ?").run(draft);
    fsyncSync(descriptor);
    renameSync(draft, backup);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

interface Failure {
  readonly path: string;
  readonly backup: string;
  readonly from: number;
  readonly at: number;
}

function failed({ path, backup, from, at }: Failure, error: unknown): EarshotError {
  const what =
    at === from
      ? `${path} was not brought to a newer version: no copy could be made beside it (${reasonOf(error)}). It is as it was, version ${from}.`
      : `${path} could not be brought to version ${at} (${reasonOf(error)}). It is as it was, version ${from}; a copy of it is ${backup}.`;
  return new EarshotError(
    { code: "LEDGER_REFUSED", message: what, hint: `Go on with the Earshot that wrote version ${from}, and please report this.` },
    { cause: error },
  );
}
