import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTombstone } from "../seal-line.ts";
import { SampleLedger } from "../testing/sample-ledger.ts";
import { temporaryTestFolder } from "../testing/temporary-folder.ts";

function count(ledger: SampleLedger, table: string, where = "1"): number {
  return Number(ledger.db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get()?.["n"]);
}

test("a session is cut up to a position: the tombstone is signed, and later entries are linked to it", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  const positions = Array.from({ length: 10 }, (_, index) => ledger.append(index % 2));
  await ledger.seal();
  const upTo = positions[5] ?? 0;
  expect(await ledger.cut(0, { upTo })).toBe(3);
  const { line } = ledger.db.prepare("SELECT line FROM tombstone").get() ?? {};
  expect(readTombstone(String(line), ledger.key.publicKey)).toMatchObject({
    tombstone: 1,
    session: { key: ledger.keyOf(0), protocol: "aep", source: "local", id: "session 0" },
    after: 0,
    upTo: positions[4],
    entries: 3,
    reason: "pruned",
  });
  expect(count(ledger, "entry", `session = ${ledger.keyOf(0)}`)).toBe(2);
  expect(count(ledger, "answerable", `session = ${ledger.keyOf(0)}`)).toBe(2);
  ledger.append(0);
  await ledger.cut(0);
  expect(count(ledger, "entry", `session = ${ledger.keyOf(0)}`)).toBe(0);
  ledger.append(0);
  await ledger.reopen();
  ledger.append(0);
  await ledger.seal();
  expect(await ledger.verify()).toMatchObject({ ok: true, tombstones: 2, entries: 7 });
});

test("cutting what is not there, or was cut before, leaves no tombstone", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  const position = ledger.append(0);
  expect(await ledger.cut(1)).toBe(0);
  expect(await ledger.cut(0, { upTo: position - 1 })).toBe(0);
  expect(await ledger.cut(0)).toBe(1);
  expect(await ledger.cut(0)).toBe(0);
  expect(count(ledger, "tombstone")).toBe(1);
});

test("what belongs to a session goes with the whole of it; open requests survive a partial cut", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  const [first = 0, second = 0] = [ledger.append(0), ledger.append(0), ledger.append(1)];
  const key = ledger.keyOf(0);
  const ask = ledger.db.prepare("INSERT INTO request VALUES (?, 'confirmation', ?, ?, 0, NULL, ?, '{}', 'd', NULL)");
  ask.run("open", first, key, "open");
  ask.run("settled", first, key, "defaulted");
  ask.run("other", second + 1, ledger.keyOf(1), "open");
  const states = () => count(ledger, "session", "state IS NOT NULL");
  ledger.db.prepare("UPDATE session SET state = '{}', state_at = ? WHERE key = ?").run(second, key);
  await ledger.cut(0, { upTo: first });
  expect(ledger.db.prepare("SELECT id FROM request ORDER BY id").all()).toMatchObject([{ id: "open" }, { id: "other" }]);
  expect(states()).toBe(1);
  await ledger.cut(0);
  expect(ledger.db.prepare("SELECT id FROM request ORDER BY id").all()).toMatchObject([{ id: "other" }]);
  expect(states()).toBe(0);
  expect(count(ledger, "session", `key = ${key}`)).toBe(1);
  expect(count(ledger, "answerable")).toBe(1);
});

test("a cut that was interrupted anywhere verifies as it is, goes on at the next start, and verifies again", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  for (let session = 0; session < 4; session++) {
    for (let turn = 0; turn < 1200; turn++) ledger.append(session, "{}");
    if (session < 2) await ledger.seal();
    await ledger.cut(session, { steps: session + 1 });
    expect(await ledger.verify()).toMatchObject({ ok: true });
    ledger.append(session);
    expect(await ledger.verify()).toMatchObject({ ok: true });
  }
  await ledger.reopen({ resume: false });
  await ledger.seal();
  const remains = count(ledger, "entry") - 4;
  expect(remains).toBeGreaterThan(1200);
  expect(await ledger.verify()).toMatchObject({ ok: true });
  expect(await ledger.resume()).toBeGreaterThan(2);
  expect(count(ledger, "entry")).toBe(4);
  expect(count(ledger, "answerable")).toBe(4);
  expect(await ledger.verify()).toMatchObject({ ok: true, entries: 4, tombstones: 4 });
});

test.for(["erased", "deleted"] as const)("what was %s is nowhere in the files any more", async (reason) => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  const secret = "a canary that sings";
  for (let turn = 0; turn < 400; turn++) {
    ledger.append(0, `{"small":"${secret}"}`);
    ledger.append(1, `{"other":"${"o".repeat(turn * 20)}"}`);
    ledger.append(0, `{"large":"${secret.repeat(turn)}"}`);
  }
  const files = () => [ledger.path, `${ledger.path}-wal`].filter(existsSync).filter((path) => readFileSync(path).includes(secret));
  expect(files()).not.toEqual([]);
  await ledger.cut(0, { reason });
  expect(files()).toEqual([]);
  await ledger.reopen();
  expect(files()).toEqual([]);
});
