import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol";
import { isFullDisk } from "../full-disk.ts";
import type { HubHome } from "../home.ts";
import { isPostgresAddress } from "../ledger/open-ledger.ts";
import { SealFileLines } from "../ledger/seal-file.ts";
import { PRIVATE_KEY_FILE, PUBLIC_KEY_FILE } from "../ledger/seal-key.ts";
import { inspectLedgerFile } from "../ledger/sqlite/open-file.ts";
import { SEAL_FILE } from "../ledger/sqlite/open-ledger.ts";
import { type VerificationStep, watchVerification } from "../verification.ts";
import { syncPath } from "../write-file-atomically.ts";

export interface BackupOptions {
  /** The ledger's location. Default: in the home folder. */
  readonly location?: string;
  /** Includes the private key, needed to restore on another machine; its holder can sign. */
  readonly withKey?: boolean;
}

export type BackupStep = { readonly copied: Copied } | VerificationStep;

const PAGES_AT_ONCE = 256;
const TELL_EVERY_MS = 200;

/**
 * Copies a home's ledger with its seals and public key into a new folder, and verifies the copy. A hub may write meanwhile: the copy is a
 * snapshot. It reads like any other process, so the hub neither waits nor is asked; only its WAL cannot be truncated meanwhile.
 */
export async function* backUp(home: HubHome, folder: string, options: BackupOptions = {}): AsyncGenerator<BackupStep> {
  refuseExisting(folder);
  const { location = home.ledger } = options;
  if (!isPostgresAddress(location) && inspectLedgerFile(location) === undefined) {
    throw new EarshotError({ code: "NOT_FOUND", message: `There is no ledger at ${location}.`, hint: "earshot start makes one." });
  }
  const draft = join(dirname(folder), `.${basename(folder)}.${process.pid}.part`);
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    chmodSync(draft, 0o700);
    yield* isPostgresAddress(location) ? copyDatabase(location, join(draft, "ledger.db")) : copyLedger(location, join(draft, "ledger.db"));
    copySeals(home, draft);
    for (const name of [PUBLIC_KEY_FILE, ...(options.withKey === true ? [PRIVATE_KEY_FILE] : [])]) copyPrivately(home, name, draft);
    let isGood = false;
    for await (const step of verifyBackup(draft)) {
      if ("result" in step) isGood = step.result.ok;
      yield step;
    }
    if (!isGood) return;
    syncPath(draft);
    renameSync(draft, folder); // what is called a backup is one
    syncPath(dirname(folder));
  } catch (error) {
    if (!isFullDisk(error)) throw error;
    throw new EarshotError(
      { code: "STORAGE_FULL", message: `The disk of ${dirname(folder)} is full: there is no backup.` },
      { cause: error },
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function verifyBackup(folder: string): AsyncGenerator<VerificationStep> {
  const ledger = join(folder, "ledger.db");
  if (existsSync(ledger)) return watchVerification(ledger, { folder, isCopy: true });
  throw new EarshotError({ code: "NOT_FOUND", message: `${folder} is no backup: there is no ledger.db in it.` });
}

function refuseExisting(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isDirectory() && readdirSync(folder).length === 0)) return;
  throw new EarshotError({
    code: "WRONG_USAGE",
    message: `${folder} is there already, and is not overwritten.`,
    hint: "Name a folder that is not there yet.",
  });
}

/** All pages at one time, through an open read transaction: without it, each commit of the hub would make SQLite start over. */
async function* copyLedger(from: string, to: string): AsyncGenerator<BackupStep> {
  closeSync(openSync(to, "wx", 0o600)); // before SQLite would make it, for everybody to read
  using source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  source.exec("BEGIN; SELECT count(*) FROM seal");
  yield* reportCopying((report) => {
    const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
      report({ done: totalPages - remainingPages, of: totalPages });
    return backup(source, to, { rate: PAGES_AT_ONCE, progress });
  });
  source.exec("COMMIT");
  // A single file without a WAL; a hub that opens it converts it for writing.
  using copy = new DatabaseSync(to);
  copy.exec("PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE");
}

/** A ledger in PostgreSQL is backed up into a file like any other. The database's own backups are independent. */
async function* copyDatabase(address: string, to: string): AsyncGenerator<BackupStep> {
  const { copyLedgerToFile } = await import("../ledger/postgres/copy-ledger.ts");
  yield* reportCopying((report) => copyLedgerToFile(address, to, report));
}

interface Copied {
  readonly done: number;
  readonly of: number;
}

/** Yields the progress of a copy at times. */
export async function* reportCopying(copy: (report: (copied: Copied) => void) => Promise<unknown>): AsyncGenerator<BackupStep> {
  let copied: Copied | undefined;
  let isDone = false;
  const copying = copy((progress) => {
    copied = progress;
  }).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await Promise.race([copying, new Promise((resolve) => setTimeout(resolve, TELL_EVERY_MS))]);
    if (copied !== undefined) yield { copied };
  }
  await copying;
}

/** As many lines as the copy has seals, because the hub may have added more. */
function copySeals(home: HubHome, draft: string): void {
  using copy = new DatabaseSync(join(draft, "ledger.db"), { readOnly: true });
  const seals = Number(copy.prepare("SELECT count(*) AS seals FROM seal").get()?.["seals"]);
  using lines = new SealFileLines(join(home.folder, SEAL_FILE));
  const descriptor = openSync(join(draft, SEAL_FILE), "wx", 0o600);
  try {
    for (let number = 0; number < seals; number++) {
      const line = lines.next();
      if (line === undefined) break;
      writeFileSync(descriptor, line.ended ? `${line.text}\n` : line.text);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function copyPrivately(home: HubHome, name: string, draft: string): void {
  const to = join(draft, name);
  copyFileSync(join(home.folder, name), to);
  chmodSync(to, 0o600);
  syncPath(to);
}
