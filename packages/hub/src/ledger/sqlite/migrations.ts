import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol/problem";
import { FORMAT_VERSION, MIGRATION } from "./schema.ts";
import { reasonOfError } from "./sqlite-error.ts";

/**
 * Migrates a file of Earshot 0.1 (formats 1 to 3) and returns the path of the copy made before; undefined if nothing was to do. It is one
 * transaction: after any interruption the file is either unchanged and usable by the older version, or complete.
 */
export function migrateLedgerFile(db: DatabaseSync, path: string, beforeCommit: (db: DatabaseSync) => void): string | undefined {
  const from = fileVersionOf(db);
  if (from >= FORMAT_VERSION) return undefined;
  const backup = `${path}.backup-v${from}-${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
  let isCopied = false;
  try {
    removeDrafts(path);
    copyTo(db, backup);
    isCopied = true;
    // Otherwise renaming a table would rename it in referring tables.
    db.exec(`PRAGMA legacy_alter_table = ON; BEGIN IMMEDIATE; ${MIGRATION} PRAGMA user_version = ${FORMAT_VERSION}`);
    beforeCommit(db);
    db.exec("COMMIT; PRAGMA legacy_alter_table = OFF");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw failed({ path, from, ...(isCopied ? { backup } : {}) }, error);
  }
  // Older versions read the header to see that the file is too new, so it must not only be in the WAL.
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return backup;
}

export function fileVersionOf(db: DatabaseSync): number {
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
  readonly from: number;
  readonly backup?: string;
}

function failed({ path, from, backup }: Failure, error: unknown): EarshotError {
  const what =
    backup === undefined
      ? `${path} was not brought to a newer version: no copy could be made beside it (${reasonOfError(error)}). It is as it was, version ${from}.`
      : `${path} could not be brought to version ${FORMAT_VERSION} (${reasonOfError(error)}). It is as it was, version ${from}; a copy of it is ${backup}.`;
  return new EarshotError(
    { code: "LEDGER_REFUSED", message: what, hint: `Go on with the Earshot that wrote version ${from}, and please report this.` },
    { cause: error },
  );
}
