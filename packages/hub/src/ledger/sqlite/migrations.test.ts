import { readdirSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol";
import { expect, test } from "vitest";
import { startChild } from "../testing/child.ts";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.ts";
import { findStoredSession } from "./find-stored-session.ts";
import { LATEST_VERSION, MIGRATIONS, type Migration, versionOf } from "./migrations.ts";
import { inspectLedgerFile, openLedgerFile } from "./open-file.ts";
import { entriesBy } from "./registers.ts";
import { Stored } from "./stored.ts";
import { readStoredHead } from "./stored-head.ts";
import { StoredHistory } from "./stored-history.ts";
import { THREE_VERSIONS } from "./testing/artificial-migrations.ts";
import { VERSION_1 } from "./testing/version-1.ts";

/** A ledger of the given version with something in it. */
function ledgerOf(folder: TemporaryFolder, version: number): string {
  const path = folder.file("ledger.db");
  using db = openLedgerFile(path, { migrations: THREE_VERSIONS.slice(0, version) }).db;
  db.exec("INSERT INTO source (protocol, name) VALUES ('aep', 'first'), ('aop', 'second')");
  if (version > 1) db.exec("INSERT INTO label (name) VALUES ('own')");
  return path;
}

function schemaOf(db: DatabaseSync): readonly unknown[] {
  return db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
}

function backupsIn(folder: TemporaryFolder): readonly string[] {
  return readdirSync(folder.path).filter((name) => name.includes("backup"));
}

test("the list of versions has no gaps", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(Array.from({ length: LATEST_VERSION }, (_, index) => index + 1));
});

test("a ledger that version 1 wrote is opened, complete and with the schema of a new one", () => {
  using folder = temporaryFolder();
  const path = folder.file("ledger.db");
  {
    using old = new DatabaseSync(path);
    old.exec(VERSION_1);
    old.exec("INSERT INTO request VALUES ('b', 'confirmation', 1, 1, 5, 9, 'open', '{}', 'd1', NULL)");
    old.exec("INSERT INTO request VALUES ('a', 'question', 2, 1, 6, NULL, 'denied', '{\"x\":1}', 'd2', 2)");
  }
  using db = openLedgerFile(path).db;
  using fresh = openLedgerFile(folder.file("fresh.db")).db;
  expect(versionOf(db)).toBe(LATEST_VERSION);
  expect(schemaOf(db)).toEqual(schemaOf(fresh));
  expect(db.prepare("SELECT position, text FROM entry ORDER BY position").all()).toMatchObject([
    { position: 1, text: '{"id":"event-1"}' },
    { position: 2, text: '{"id":"event-2"}' },
  ]);
  expect(db.prepare("SELECT * FROM entry_by_session").all()).toEqual([
    { session: 1, position: 1 },
    { session: 1, position: 2 },
  ]);
  expect(db.prepare("SELECT * FROM entry_by_sequence").all()).toEqual([{ session: 1, sequence: 7, position: 2 }]);
  expect(db.prepare("SELECT * FROM entry_by_identity").all()).toEqual([{ identity: "1 event-1", position: 1 }]);
  expect(db.prepare("SELECT up_to FROM filed").all()).toEqual([{ up_to: 2 }]);
  expect(db.prepare("SELECT * FROM request ORDER BY position").all()).toEqual([
    {
      id: "b",
      kind: "confirmation",
      position: 1,
      session: 1,
      opened_at: 5,
      deadline_at: 9,
      state: "open",
      card: "{}",
      digest: "d1",
      settled_by: null,
    },
    {
      id: "a",
      kind: "question",
      position: 2,
      session: 1,
      opened_at: 6,
      deadline_at: null,
      state: "denied",
      card: '{"x":1}',
      digest: "d2",
      settled_by: 2,
    },
  ]);
});

test.for([1, 2])("a ledger of version %i is read as it is, where nothing may be written", (version) => {
  using folder = temporaryFolder();
  const path = folder.file("ledger.db");
  {
    using old = new DatabaseSync(path);
    old.exec(VERSION_1);
    for (const migration of MIGRATIONS.slice(1, version)) migration.apply(old);
    old.exec(`PRAGMA user_version = ${version}`);
  }
  using db = openLedgerFile(path, { readOnly: true }).db;
  expect(findStoredSession(path, "session-1")).toBe(1);
  expect(readStoredHead(path)).toBe(2);
  using history = new StoredHistory(path);
  expect(history.head()).toBe(2);
  const plan = (sql: string) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  expect(history.read({ after: 0, limit: 9, filter: { session: "session-1" } }).entries).toHaveLength(2);
  const steps = plan(`${entriesBy("entry_by_sequence", "position, text", "session = ?1 AND sequence >= ?2")} LIMIT 1`);
  expect(steps.find((step) => step.includes("entry_sequence"))).toMatch(/^SEARCH/);
  expect(steps).toContain("SEARCH entry USING INTEGER PRIMARY KEY (rowid>?)"); // nothing counts as not filed
  expect(versionOf(db)).toBe(version);
  const stored = new Stored(db);
  expect(stored.byIdentity("1 event-1")).toMatchObject({ position: 1 });
  expect(stored.numbered(1, 7, 100)).toMatchObject([{ position: 2 }]);
});

test.for([1, 2])("a ledger of version %i is brought to the newest, after a copy that is kept", (from) => {
  using folder = temporaryFolder();
  const path = ledgerOf(folder, from);
  const { db, version, backup, created } = openLedgerFile(path, { migrations: THREE_VERSIONS });
  expect({ version, created }).toEqual({ version: 3, created: false });
  const names = db.prepare("SELECT name FROM label WHERE colour = 'grey' ORDER BY rowid").all();
  expect(names.map(({ name }) => name)).toEqual(from === 1 ? ["first", "second"] : ["own"]);
  expect(inspectLedgerFile(path, 3)).toBe(3); // the header itself says so, for older versions to see
  db.close();
  expect(backup).toMatch(new RegExp(`ledger\\.db\\.backup-v${from}-\\d{8}T\\d{9}Z$`));
  expect(statSync(backup ?? "").mode & 0o777).toBe(0o600);
  using copy = openLedgerFile(backup ?? "", { migrations: THREE_VERSIONS.slice(0, from) }).db;
  expect(copy.prepare("SELECT name FROM source").all()).toHaveLength(2);
  expect(versionOf(copy)).toBe(from);
});

test("nothing is copied when there is nothing to migrate", () => {
  using folder = temporaryFolder();
  const path = ledgerOf(folder, 3);
  const { db, backup } = openLedgerFile(path, { migrations: THREE_VERSIONS });
  db.close();
  expect(backup).toBeUndefined();
  expect(backupsIn(folder)).toEqual([]);
});

test.for([2, 3])("a step to version %i that fails leaves the old ledger as it was, and says where the copy is", (failing) => {
  using folder = temporaryFolder();
  const path = ledgerOf(folder, 1);
  const broken: readonly Migration[] = THREE_VERSIONS.map(({ version, apply }) => ({
    version,
    apply: (db) => {
      apply(db);
      if (version === failing) throw new Error("out of luck");
    },
  }));
  let message = "";
  try {
    openLedgerFile(path, { migrations: broken }).db.close();
  } catch (error) {
    if (!EarshotError.is(error)) throw error;
    message = error.problem.message;
  }
  const [backup = "none"] = backupsIn(folder);
  expect(message).toContain(`could not be brought to version ${failing} (out of luck)`);
  expect(message).toContain(backup);
  using db = openLedgerFile(path, { migrations: THREE_VERSIONS.slice(0, 1) }).db;
  expect(versionOf(db)).toBe(1);
  expect(db.prepare("SELECT name FROM source").all()).toHaveLength(2);
  expect(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'label'").get()).toBeUndefined();
});

test.for([2, 3])(
  "a process killed in the middle of version %i leaves the old ledger usable, and the next one migrates it",
  async (stopAt) => {
    using folder = temporaryFolder();
    const path = ledgerOf(folder, 1);
    await using child = await startChild("../sqlite/testing/migrate-slowly.ts", path, String(stopAt));
    await child.kill();
    {
      using old = openLedgerFile(path, { migrations: THREE_VERSIONS.slice(0, 1) }).db;
      expect(versionOf(old)).toBe(1);
      expect(old.prepare("SELECT name FROM source").all()).toHaveLength(2);
    }
    using db = openLedgerFile(path, { migrations: THREE_VERSIONS }).db;
    expect(db.prepare("SELECT name, colour FROM label").all()).toHaveLength(2);
    expect(backupsIn(folder)).toHaveLength(2);
  },
);

test("a process killed while it creates the ledger leaves nothing that looks like one", async () => {
  using folder = temporaryFolder();
  const path = folder.file("ledger.db");
  await using child = await startChild("../sqlite/testing/migrate-slowly.ts", path, "2");
  await child.kill();
  expect(inspectLedgerFile(path)).toBeUndefined();
  const { db, created } = openLedgerFile(path);
  expect(created).toBe(true);
  db.close();
});
