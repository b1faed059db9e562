import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSealKey, readPublicSealKey } from "./seal-key.ts";
import { openLedgerFile } from "./sqlite/open-file.ts";
import { createOlderLedger } from "./sqlite/testing/older-versions.ts";
import { startChildProgram } from "./testing/child.ts";
import { SampleLedger } from "./testing/sample-ledger.ts";
import { temporaryTestFolder } from "./testing/temporary-folder.ts";
import { verifyLedger } from "./verify.ts";

/** When the sample entries were received: recent enough that unsigned ones are not late. */
const THEN = Date.UTC(2026, 0, 1);

test("an empty ledger verifies", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  expect(await ledger.verify()).toEqual({
    ok: true,
    entries: 0,
    sessions: 0,
    seals: 0,
    tombstones: 0,
    unsealed: 0,
    headPosition: 0,
    sealFileBehind: 0,
    notProven: [expect.stringContaining("seal-key.pem")],
  });
});

test("what was written, sealed, cut and written again verifies, and the newest entries are counted as not sealed", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  for (let turn = 0; turn < 30; turn++) ledger.append(turn % 4);
  await ledger.seal();
  await ledger.cut(1);
  await ledger.cut(2, { upTo: 12 });
  for (let turn = 0; turn < 10; turn++) ledger.append(turn % 4);
  await ledger.seal();
  const head = [ledger.append(1), ledger.append(9)].at(-1);
  const found = await ledger.verify();
  expect(found).toMatchObject({ ok: true, seals: 2, tombstones: 2, unsealed: 2, headPosition: head, sessions: 5 });
  expect(found.entries).toBe(Number(ledger.db.prepare("SELECT count(*) AS n FROM entry").get()?.["n"]));
  for (const session of [0, 1, 2, 3]) expect(await ledger.verify({ session: ledger.keyOf(session) })).toMatchObject({ ok: true });
  expect(await ledger.verify({ session: ledger.keyOf(1) })).toMatchObject({ unsealed: 1 });
});

test("a change is named by its position and session", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  const positions = Array.from({ length: 20 }, (_, index) => ledger.append(index % 3));
  await ledger.seal();
  const position = positions[10] ?? 0;
  ledger.db.prepare("UPDATE entry SET text = '{}' WHERE position = ?").run(position);
  for (const session of [undefined, ledger.keyOf(10 % 3)]) {
    const found = await ledger.verify(session === undefined ? {} : { session });
    expect(found.ok).toBe(false);
    expect(found.firstBreak).toMatchObject({
      what: "entry-changed",
      position,
      session: { key: ledger.keyOf(1), protocol: "aop", source: "local", id: "session 1" },
    });
    expect(found.firstBreak?.message).toContain(`position ${position} of session "session 1" (aop, local)`);
  }
  expect(await ledger.verify({ session: ledger.keyOf(0) })).toMatchObject({ ok: true });
});

test("the first break counts, whatever else is broken", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  const positions = Array.from({ length: 20 }, () => ledger.append(0));
  await ledger.seal();
  for (let turn = 0; turn < 5; turn++) ledger.append(1);
  await ledger.seal();
  await ledger.cut(1);
  ledger.db.exec("UPDATE tombstone SET up_to = up_to + 1; UPDATE seal SET line = 'x' WHERE number = 2; UPDATE entry SET agent = 'y'");
  expect((await ledger.verify()).firstBreak).toMatchObject({ position: positions[0] });
});

test("a ledger that is written, sealed and cut while it is verified raises no alarm", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  for (let turn = 0; turn < 3000; turn++) ledger.append(turn % 20, "{}");
  await ledger.seal();
  let calls = 0;
  const writing: Promise<unknown>[] = [];
  const found = await ledger.verify({
    onProgress: ({ headPosition }) => {
      for (let turn = 0; turn < 5; turn++) ledger.append(turn);
      // Each begins synchronously, like SQLite.
      writing.push(ledger.cut(calls++ % 20, calls % 3 === 0 ? { upTo: headPosition / 2 } : {}), ledger.seal());
    },
  });
  await Promise.all(writing);
  expect(found).toMatchObject({ ok: true, entries: 3000, tombstones: 0 });
  expect(calls).toBeGreaterThan(3);
  expect(await ledger.verify()).toMatchObject({ ok: true });
});

test("the file of seals may lack the newest seal, or a part of it, and no other", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  for (let turn = 0; turn < 3; turn++) {
    ledger.append(turn);
    await ledger.seal();
  }
  const text = readFileSync(ledger.sealFile, "utf8");
  const lines = text.split("\n");
  const twoLines = `${lines.slice(0, 2).join("\n")}\n`;
  for (const kept of [twoLines, `${twoLines}{"seal"`, text.slice(0, -1)]) {
    writeFileSync(ledger.sealFile, kept);
    expect(await ledger.verify()).toMatchObject({ ok: true, sealFileBehind: kept === text.slice(0, -1) ? 0 : 1 });
  }
  for (const kept of [
    "",
    lines[0] ?? "",
    twoLines.slice(0, -1),
    `${lines[1]}\n${lines[0]}\n${lines[2]}\n`,
    `${text}{"seal":4`,
    `${text}\n`,
    twoLines.replace("9", "8"),
  ]) {
    writeFileSync(ledger.sealFile, kept);
    expect((await ledger.verify()).firstBreak).toMatchObject({ what: "seal-file" });
  }
});

test("a file that is no ledger is reported, one that is not there is an error", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  const options = { publicKey: ledger.key.publicKey, sealFile: ledger.sealFile };
  writeFileSync(folder.file("text.db"), "text");
  expect(verifyLedger(folder.file("text.db"), options).firstBreak).toMatchObject({ what: "unreadable" });
  expect(() => verifyLedger(folder.file("ghost.db"), options)).toThrow("no such file");
});

test("a file cut anywhere is reported, never a crash", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  for (let turn = 0; turn < 300; turn++) ledger.append(turn % 5);
  await ledger.seal();
  ledger.db.close();
  const options = { publicKey: ledger.key.publicKey, sealFile: ledger.sealFile };
  const { length } = readFileSync(ledger.path);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: length - 1 }), async (size) => {
      const path = folder.file("cut.db");
      for (const rest of ["-wal", "-shm"]) writeFileSync(path + rest, "");
      copyFileSync(ledger.path, path);
      truncateSync(path, size);
      expect(verifyLedger(path, options)).toMatchObject({ ok: false });
    }),
    { numRuns: 100 },
  );
});

test("a ledger whose process was killed while writing, sealing and cutting verifies as it is, and after the next start", async () => {
  using folder = temporaryTestFolder();
  for (let turn = 0; turn < 6; turn++) {
    await using child = await startChildProgram("busy-ledger.ts", folder.path);
    await setTimeout(10 + turn * 37);
    await child.kill();
    const options = { publicKey: readPublicSealKey(folder.path), sealFile: folder.file("seals.jsonl"), now: THEN };
    expect(verifyLedger(folder.file("ledger.db"), options).firstBreak).toBeUndefined();
    using ledger = await SampleLedger.open(folder.path);
    expect(ledger.checkpoints.fault).toBeUndefined();
    await ledger.reopen();
    await ledger.seal();
    expect(await ledger.verify()).toMatchObject({ ok: true, unsealed: 0, sealFileBehind: 0 });
  }
});

test("it takes the seals to notice that a whole session is gone: without any, nobody would", async () => {
  for (const sealed of [true, false]) {
    using folder = temporaryTestFolder();
    using ledger = await SampleLedger.open(folder.path);
    for (let turn = 0; turn < 20; turn++) ledger.append(turn % 2);
    if (sealed) await ledger.seal();
    const key = ledger.keyOf(1);
    for (const table of ["entry", "answerable"]) ledger.db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(key);
    ledger.db.prepare("DELETE FROM session WHERE key = ?").run(key);
    const found = await ledger.verify();
    expect(found.ok).toBe(!sealed);
    if (sealed) expect(found.firstBreak).toMatchObject({ what: "entry-missing" });
  }
});

test("a trigger, a view or a missing index is reported", async () => {
  for (const sql of [
    "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END",
    "DROP INDEX session_id",
    "ALTER TABLE entry RENAME TO real; CREATE VIEW entry AS SELECT * FROM real",
  ]) {
    using folder = temporaryTestFolder();
    using ledger = await SampleLedger.open(folder.path);
    ledger.append(0);
    ledger.db.exec(sql);
    expect((await ledger.verify()).firstBreak).toMatchObject({ what: "schema" });
  }
});

test("an index that does not find an entry is reported", async () => {
  for (const index of ["entry_session", "entry_sequence", "entry_identity"]) {
    using folder = temporaryTestFolder();
    using ledger = await SampleLedger.open(folder.path);
    for (let session = 0; session < 3; session++) ledger.append(session);
    const { sql = "" } = ledger.db.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").get(index) ?? {};
    // The index is emptied and claims to be complete.
    ledger.db.exec(`DROP INDEX ${index}; ${String(sql).replace(/(?: WHERE .*)?$/, " WHERE position < 0")}`);
    ledger.db.enableDefensive(false);
    ledger.db.exec("PRAGMA writable_schema = ON");
    ledger.db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = ?").run(String(sql), index);
    ledger.db.exec("PRAGMA writable_schema = RESET");
    expect((await ledger.verify()).firstBreak).toMatchObject({ what: "index" });
  }
});

test.for([1, 2, 3])("a ledger of version %i is not read as it is, and verifies once it is migrated", async (version) => {
  using folder = temporaryTestFolder();
  const { publicKey } = openSealKey(folder.path);
  const path = folder.file("old.db");
  createOlderLedger(path, version);
  const options = { publicKey, sealFile: folder.file("seals.jsonl"), now: THEN };
  const found = verifyLedger(path, options);
  expect(found.firstBreak).toMatchObject({ what: "unreadable", message: expect.stringContaining("older Earshot") as string });
  openLedgerFile(path).db.close();
  for (const session of [undefined, 1]) {
    expect(verifyLedger(path, { ...options, ...(session === undefined ? {} : { session }) })).toMatchObject({ ok: true, entries: 2 });
  }
  {
    using migrated = new DatabaseSync(path);
    migrated.exec("UPDATE entry SET text = '{}' WHERE position = 1");
  }
  expect(verifyLedger(path, { ...options, session: 1 })).toMatchObject({ ok: false });
});

test("values that no hub writes are reported", async () => {
  for (const sql of [
    "UPDATE entry SET received_at = 9223372036854775807 WHERE position = 2",
    "UPDATE entry SET position = -5 WHERE position = 2",
    "UPDATE entry SET hash = x'00' WHERE position = 2",
    "UPDATE seal SET number = -1",
  ]) {
    using folder = temporaryTestFolder();
    using ledger = await SampleLedger.open(folder.path);
    for (let turn = 0; turn < 3; turn++) ledger.append(0);
    await ledger.seal();
    ledger.db.exec(sql);
    expect(await ledger.verify()).toMatchObject({ ok: false });
  }
});
