import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol";
import { expect, test } from "vitest";
import { type TemporaryFolder, temporaryTestFolder } from "../testing/temporary-folder.ts";
import { APPLICATION_ID, inspectLedgerFile, openLedgerFile } from "./open-file.ts";
import { FORMAT_VERSION } from "./schema.ts";

function problemOf(work: () => unknown): { code: string; message: string } {
  try {
    work();
  } catch (error) {
    if (EarshotError.is(error)) return error.problem;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function modes(folder: TemporaryFolder, under: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder.file(under)).map((name) => [name, mode(folder.file(`${under}/${name}`))]));
}

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function makeDatabase(path: string, sql: string): void {
  using db = new DatabaseSync(path);
  db.exec(sql);
}

test("a ledger is created with its folder, for its owner alone, whatever the umask", () => {
  using folder = temporaryTestFolder();
  const umask = process.umask(0);
  try {
    const { db, created } = openLedgerFile(folder.file("new/home/ledger.db"));
    expect(created).toBe(true);
    expect(inspectLedgerFile(folder.file("new/home/ledger.db"))).toBe(FORMAT_VERSION);
    db.exec("INSERT INTO source (protocol, name) VALUES ('aep', 'local')");
    expect(mode(folder.file("new"))).toBe("700");
    expect(mode(folder.file("new/home"))).toBe("700");
    expect(modes(folder, "new/home")).toEqual({ "ledger.db": "600", "ledger.db-shm": "600", "ledger.db-wal": "600" });
    db.close();
    expect(modes(folder, "new/home")).toEqual({ "ledger.db": "600" });
  } finally {
    process.umask(umask);
  }
});

test("the writer's settings are those that durability and erasure need", () => {
  using folder = temporaryTestFolder();
  using db = openLedgerFile(folder.file("ledger.db")).db;
  const read = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  expect(read("journal_mode")).toBe("wal");
  expect(read("synchronous")).toBe(2);
  expect(read("secure_delete")).toBe(1);
  expect(read("foreign_keys")).toBe(0);
  expect(read("wal_autocheckpoint")).toBe(2000);
  expect(read("cache_size")).toBe(-4000);
  expect(read("cache_spill")).toBeGreaterThan(3800); // pages: 16 MB
  expect(read("temp_store")).toBe(2);
  expect(read("trusted_schema")).toBe(0);
  expect(read("application_id")).toBe(APPLICATION_ID);
});

test("a ledger is opened again as it was left, and permissions that grew lax are tightened", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  const first = openLedgerFile(path).db;
  first.exec("INSERT INTO source (protocol, name) VALUES ('aep', 'local')");
  first.close();
  chmodSync(path, 0o644);
  const { db, created } = openLedgerFile(path);
  expect(created).toBe(false);
  expect(db.prepare("SELECT name FROM source").all()).toHaveLength(1);
  expect(mode(path)).toBe("600");
  expect(mode(`${path}-wal`)).toBe("600");
  db.close();
});

test("opening for reading neither creates nor writes", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  expect(problemOf(() => openLedgerFile(path, { readOnly: true })).code).toBe("LEDGER_REFUSED");
  expect(folder.snapshot()).toEqual({});
  using writer = openLedgerFile(path).db;
  writer.exec("INSERT INTO source (protocol, name) VALUES ('aep', 'local')");
  using reader = openLedgerFile(path, { readOnly: true }).db;
  expect(reader.prepare("SELECT name FROM source").all()).toHaveLength(1);
  expect(() => reader.exec("DELETE FROM source")).toThrow("readonly");
});

test.for<[string, (path: string, folder: TemporaryFolder) => void, string]>([
  ["text", (path) => writeFileSync(path, "Dear diary, ".repeat(100)), "no SQLite database"],
  ["a short file", (path) => writeFileSync(path, "x"), "no SQLite database"],
  ["a cut SQLite file", (path) => writeFileSync(path, "SQLite format 3\0"), "no SQLite database"],
  ["an empty file", (path) => writeFileSync(path, ""), "it is empty"],
  ["a folder", (path) => mkdirSync(path), "it is a folder"],
  [
    "another application's database",
    (path) => makeDatabase(path, "PRAGMA application_id = 7; CREATE TABLE mine (x)"),
    "another application",
  ],
  ["a database of nobody's", (path) => makeDatabase(path, "CREATE TABLE mine (x)"), "another application"],
  [
    "another application's database in WAL mode",
    (path) => makeDatabase(path, "PRAGMA journal_mode = WAL; CREATE TABLE x (y)"),
    "another app",
  ],
  [
    "a ledger of a newer Earshot",
    (path) => makeDatabase(path, `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 7; CREATE TABLE entry (x)`),
    `version 7 of the format; this one knows versions up to ${FORMAT_VERSION}`,
  ],
  [
    "a link to a ledger",
    (path, folder) => {
      openLedgerFile(folder.file("real.db")).db.close();
      symlinkSync(folder.file("real.db"), path);
    },
    "symbolic link",
  ],
  ["a link to nothing", (path, folder) => symlinkSync(folder.file("ghost.db"), path), "symbolic link"],
  ["a name below a file", (path) => writeFileSync(path.replace(/\/ledger\.db$/, ""), "file"), "ENOTDIR"],
])("%s is refused, and nothing is touched", ([, put, why], { task }) => {
  using folder = temporaryTestFolder();
  const path = task.name.startsWith("a name below") ? folder.file("below/ledger.db") : folder.file("ledger.db");
  put(path, folder);
  const ghost = task.name.startsWith("a link to nothing");
  const before = ghost ? readdirSync(folder.path) : folder.snapshot();
  for (const readOnly of [false, true]) {
    const problem = problemOf(() => openLedgerFile(path, { readOnly }));
    expect(problem.code).toBe("LEDGER_REFUSED");
    expect(problem.message).toContain(why);
    expect(ghost ? readdirSync(folder.path) : folder.snapshot()).toEqual(before);
  }
});

test("a newer version that stands in the WAL only is refused too, and stays in the WAL", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  using newer = openLedgerFile(path).db;
  newer.exec("PRAGMA user_version = 9");
  expect(inspectLedgerFile(path)).toBe(FORMAT_VERSION);
  const size = statSync(`${path}-wal`).size;
  expect(problemOf(() => openLedgerFile(path)).message).toContain("version 9 of the format");
  expect(statSync(`${path}-wal`).size).toBe(size);
  expect(inspectLedgerFile(path)).toBe(FORMAT_VERSION);
});

test.skipIf(process.getuid?.() === 0)("a file that may not be read is refused", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  openLedgerFile(path).db.close();
  chmodSync(path, 0);
  expect(problemOf(() => openLedgerFile(path)).code).toBe("LEDGER_REFUSED");
});

test("a ledger whose writing back was interrupted is opened, and nothing of it is missing", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  openLedgerFile(path).db.close();
  const { size } = statSync(path);
  const later = folder.file("later.db");
  {
    using db = openLedgerFile(path).db;
    db.exec("BEGIN");
    for (let count = 0; count < 1000; count++) db.exec(`INSERT INTO source (protocol, name) VALUES ('aep', '${"x".repeat(500)}${count}')`);
    db.exec("COMMIT");
    const log = readFileSync(`${path}-wal`);
    db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    // The first page, with the file's length, is written first; then the process dies or the disk is full.
    writeFileSync(later, readFileSync(path).subarray(0, size));
    writeFileSync(`${later}-wal`, log);
  }
  expect(statSync(later).size).toBeLessThan(statSync(path).size);
  expect(inspectLedgerFile(later)).toBe(FORMAT_VERSION);
  using db = openLedgerFile(later).db;
  expect(db.prepare("SELECT count(*) AS rows FROM source").get()).toEqual({ rows: 1000 });
  expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("a new ledger is not made where the log of another one is left, and nothing is touched", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  writeFileSync(`${path}-wal`, "what was said last");
  const before = folder.snapshot();
  expect(problemOf(() => openLedgerFile(path))).toMatchObject({ code: "LEDGER_REFUSED", message: expect.stringContaining("-wal") });
  expect(folder.snapshot()).toEqual(before);
});

test("names with characters that mean something in addresses are names", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("led?ger#1 %41&mode=memory.db");
  openLedgerFile(path).db.close();
  expect(inspectLedgerFile(path)).toBe(FORMAT_VERSION);
  expect(readdirSync(folder.path)).toHaveLength(1);
});

test.runIf(process.platform === "linux")("looking at a ledger that this process has open does not drop its locks", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  using db = openLedgerFile(path).db;
  db.exec("INSERT INTO source (protocol, name) VALUES ('aep', 'local')");
  const { ino } = statSync(path);
  // A list changed while being read may contain duplicates.
  const locks = () => new Set(readFileSync("/proc/locks", "utf8").match(new RegExp(` ${process.pid} [0-9a-f:]+:${ino} .*`, "g")));
  expect(locks().size).toBe(1);
  expect(inspectLedgerFile(path)).toBe(FORMAT_VERSION);
  openLedgerFile(path, { readOnly: true }).db.close();
  expect(locks().size).toBe(1);
  closeSync(openSync(path, "r")); // the control: this is what must never be done
  expect(locks().size).toBe(0);
});
