import { readdirSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol";
import { expect, test } from "vitest";
import { findStoredSession, readStoredHead } from "../open-ledger.ts";
import { startChildProgram } from "../testing/child.ts";
import { type TemporaryFolder, temporaryTestFolder } from "../testing/temporary-folder.ts";
import { fileVersionOf } from "./migrations.ts";
import { inspectLedgerFile, openLedgerFile } from "./open-file.ts";
import { FORMAT_VERSION } from "./schema.ts";
import { createOlderLedger } from "./testing/older-versions.ts";

function schemaOf(db: DatabaseSync): readonly unknown[] {
  return db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
}

function backupsIn(folder: TemporaryFolder): readonly string[] {
  return readdirSync(folder.path).filter((name) => name.includes("backup"));
}

test.for([1, 2, 3])("a ledger of version %i is opened, complete and with the schema of a new one", async (version) => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  createOlderLedger(path, version);
  {
    using old = new DatabaseSync(path);
    const columns = "id, kind, position, session, opened_at, deadline_at, state, card, digest, settled_by";
    old.exec(`INSERT INTO request (${columns}) VALUES ('b', 'confirmation', 1, 1, 5, 9, 'open', '{}', 'd1', NULL)`);
    old.exec(`INSERT INTO request (${columns}) VALUES ('a', 'question', 2, 1, 6, NULL, 'denied', '{"x":1}', 'd2', 2)`);
    old.exec("INSERT INTO lifecycle VALUES (1, 1, '{}'); INSERT INTO session (key, source, id) VALUES (2, 1, 'nothing stored')");
    old.exec("INSERT INTO session (key, source, id) VALUES (3, 1, 'cut'); INSERT INTO tombstone VALUES (1, 3, 9, X'ABCD', '{}')");
  }
  const { db, backup } = openLedgerFile(path);
  expect(backup).toMatch(new RegExp(`ledger\\.db\\.backup-v${version}-\\d{8}T\\d{9}Z$`));
  expect(statSync(backup ?? "").mode & 0o777).toBe(0o600);
  expect(inspectLedgerFile(backup ?? "")).toBe(version);
  expect(inspectLedgerFile(path)).toBe(FORMAT_VERSION); // the header itself says so, for older versions to see
  using fresh = openLedgerFile(folder.file("fresh.db")).db;
  expect(fileVersionOf(db)).toBe(FORMAT_VERSION);
  expect(schemaOf(db)).toEqual(schemaOf(fresh));
  expect(db.prepare("SELECT position, text FROM entry ORDER BY position").all()).toMatchObject([
    { position: 1, text: '{"id":"event-1"}' },
    { position: 2, text: '{"id":"event-2"}' },
  ]);
  expect(db.prepare("SELECT head FROM ledger").all()).toEqual([{ head: 9 }]);
  const sessions = db.prepare("SELECT key, last, hex(head) AS head, cut, state_at, state FROM session ORDER BY key").all();
  expect(sessions).toMatchObject([
    { key: 1, last: 2, head: expect.stringMatching(/^70379160/), cut: 0, state_at: 1, state: "{}" },
    { key: 2, last: 0, head: "", cut: 0, state_at: 0, state: null },
    { key: 3, last: 9, head: "ABCD", cut: 9, state_at: 9, state: null },
  ]);
  const [first, second] = db.prepare("SELECT * FROM request ORDER BY position").all();
  expect(first).toMatchObject({
    id: "b",
    kind: "confirmation",
    position: 1,
    opened_at: 5,
    deadline_at: 9,
    state: "open",
    settled_by: null,
  });
  expect(second).toMatchObject({ id: "a", position: 2, deadline_at: null, state: "denied", card: '{"x":1}', digest: "d2", settled_by: 2 });
  db.close();
  expect(await findStoredSession(path, "session-1")).toBe(1);
  expect(await readStoredHead(path)).toBe(9);
});

test("entries that will be replayed are noted with what their first judgement depended on", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  createOlderLedger(path, 3);
  {
    using old = new DatabaseSync(path);
    old.exec("INSERT INTO session (key, source, id) VALUES (2, 1, 'counts badly'); INSERT INTO lifecycle VALUES (2, 3, '{}')");
    const entry = old.prepare("INSERT INTO entry VALUES (?, 2, 0, 0, 1, 't', ?, 1, NULL, NULL, NULL, '{}', X'00')");
    for (const [position, agent] of [
      [3, "a"],
      [4, "b"],
      [5, "a"],
      [6, "c"],
      [7, "b"],
    ] as const) {
      entry.run(position, agent);
    }
    old.exec("INSERT INTO answerable VALUES (1, 'name', 'a', 2, 3), (1, 'name', 'a', 2, 5), (1, 'name', 'b', 2, 7)");
  }
  using db = openLedgerFile(path).db;
  expect(db.prepare("SELECT position, repeated, name_used_at FROM entry WHERE session = 2 ORDER BY position").all()).toMatchObject([
    { position: 3, repeated: 0, name_used_at: null },
    { position: 4, repeated: 0, name_used_at: null },
    { position: 5, repeated: 1, name_used_at: 3 },
    { position: 6, repeated: 0, name_used_at: null },
    { position: 7, repeated: 1, name_used_at: null },
  ]);
});

test("a ledger of an older version is not read without being migrated, and nothing is written to it", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  createOlderLedger(path, 3);
  const before = folder.snapshot();
  expect(() => openLedgerFile(path, { readOnly: true })).toThrow("older Earshot");
  expect(folder.snapshot()).toEqual(before);
});

test("nothing is copied when there is nothing to migrate", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  for (let round = 0; round < 2; round++) {
    const { db, backup } = openLedgerFile(path);
    db.close();
    expect(backup).toBeUndefined();
  }
  expect(backupsIn(folder)).toEqual([]);
});

test("a migration that fails leaves the old ledger as it was, and says where the copy is", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  createOlderLedger(path, 3);
  const before = contentOf(path);
  const beforeCommit = () => {
    throw new Error("out of luck");
  };
  let message = "";
  try {
    openLedgerFile(path, { beforeCommit }).db.close();
  } catch (error) {
    if (!EarshotError.is(error)) throw error;
    message = error.problem.message;
  }
  const [backup = "none"] = backupsIn(folder);
  expect(message).toContain(`could not be brought to version ${FORMAT_VERSION} (out of luck)`);
  expect(message).toContain(backup);
  expect(contentOf(path)).toEqual(before);
});

test("a process killed in the middle of a migration leaves the old ledger usable, and the next one migrates it", async () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  createOlderLedger(path, 3);
  const before = contentOf(path);
  await using child = await startChildProgram("../sqlite/testing/migrate-slowly.ts", path);
  await child.kill();
  expect(contentOf(path)).toEqual(before);
  using db = openLedgerFile(path).db;
  expect(db.prepare("SELECT count(*) AS entries FROM entry").get()).toEqual({ entries: 2 });
  expect(backupsIn(folder)).toHaveLength(2);
});

test("a process killed while it creates the ledger leaves nothing that looks like one", async () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  await using child = await startChildProgram("../sqlite/testing/migrate-slowly.ts", path);
  await child.kill();
  expect(inspectLedgerFile(path)).toBeUndefined();
  const { db, created } = openLedgerFile(path);
  expect(created).toBe(true);
  db.close();
});

/** The schema, version and entries of a file. */
function contentOf(path: string): unknown {
  using db = new DatabaseSync(path);
  return [fileVersionOf(db), schemaOf(db), db.prepare("SELECT * FROM entry").all()];
}
