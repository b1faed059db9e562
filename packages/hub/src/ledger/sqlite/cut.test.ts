import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTombstone } from "../seal-line.ts";
import { SampleLedger } from "../testing/sample-ledger.ts";
import { relink } from "../testing/tamper.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { cutSession, resumeCuts } from "./cut.ts";

function count(ledger: SampleLedger, table: string, where = "1"): number {
  return Number(ledger.db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get()?.["n"]);
}

test("a session is cut up to a position: the tombstone is signed, and later entries are linked to it", async () => {
  using folder = temporaryFolder();
  using ledger = new SampleLedger(folder.path);
  const positions = Array.from({ length: 10 }, (_, index) => ledger.append(index % 2));
  ledger.seal();
  const upTo = positions[5] ?? 0;
  expect(ledger.cut(0, { upTo })).toBe(3);
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
  ledger.cut(0);
  expect(count(ledger, "entry", `session = ${ledger.keyOf(0)}`)).toBe(0);
  ledger.append(0);
  ledger.reopen();
  ledger.append(0);
  ledger.seal();
  expect(await ledger.verify()).toMatchObject({ ok: true, tombstones: 2, entries: 7 });
});

test("cutting what is not there, or was cut before, leaves no tombstone", () => {
  using folder = temporaryFolder();
  using ledger = new SampleLedger(folder.path);
  const position = ledger.append(0);
  expect(ledger.cut(1)).toBe(0);
  expect(ledger.cut(0, { upTo: position - 1 })).toBe(0);
  expect(ledger.cut(0)).toBe(1);
  expect(ledger.cut(0)).toBe(0);
  expect(count(ledger, "tombstone")).toBe(1);
});

test("a row that a register has of an entry that is not there does not keep a cut from ending", () => {
  using folder = temporaryFolder();
  using ledger = new SampleLedger(folder.path);
  while (ledger.append(0) % 5 !== 0);
  ledger.append(0);
  ledger.db.prepare("INSERT INTO entry_by_session VALUES (?, 2147483647)").run(ledger.keyOf(0));
  ledger.db.prepare("INSERT INTO entry_by_session VALUES (?, 0)").run(ledger.keyOf(0));
  const steps = (work: Iterator<number, number>) => {
    let count = 0;
    while (work.next().done !== true && count < 1000) count++;
    return count;
  };
  const cut = { session: ledger.keyOf(0), reason: "pruned", now: 0 } as const;
  expect(steps(cutSession(ledger.db, ledger.sealer, cut))).toBeLessThan(100);
  expect(count(ledger, "entry")).toBe(0);
  expect(steps(resumeCuts(ledger.db))).toBeLessThan(100);
});

test("what belongs to a session goes with the whole of it; open requests survive a partial cut", () => {
  using folder = temporaryFolder();
  using ledger = new SampleLedger(folder.path);
  const [first = 0, second = 0] = [ledger.append(0), ledger.append(0), ledger.append(1)];
  const key = ledger.keyOf(0);
  const ask = ledger.db.prepare("INSERT INTO request VALUES (?, 'confirmation', ?, ?, 0, NULL, ?, '{}', 'd', NULL)");
  ask.run("open", first, key, "open");
  ask.run("settled", first, key, "defaulted");
  ask.run("other", second + 1, ledger.keyOf(1), "open");
  ledger.db.prepare("INSERT INTO lifecycle VALUES (?, ?, '{}')").run(key, second);
  ledger.cut(0, { upTo: first });
  expect(ledger.db.prepare("SELECT id FROM request ORDER BY id").all()).toMatchObject([{ id: "open" }, { id: "other" }]);
  expect(count(ledger, "lifecycle")).toBe(1);
  ledger.cut(0);
  expect(ledger.db.prepare("SELECT id FROM request ORDER BY id").all()).toMatchObject([{ id: "other" }]);
  expect(count(ledger, "lifecycle")).toBe(0);
  expect(count(ledger, "session", `key = ${key}`)).toBe(1);
  expect(count(ledger, "answerable")).toBe(1);
});

test("a cut that was interrupted anywhere verifies as it is, goes on at the next start, and verifies again", async () => {
  using folder = temporaryFolder();
  using ledger = new SampleLedger(folder.path);
  for (let session = 0; session < 4; session++) {
    for (let turn = 0; turn < 1200; turn++) ledger.append(session, "{}");
    if (session < 2) ledger.seal();
    ledger.cut(session, { steps: session + 1 });
    expect(await ledger.verify()).toMatchObject({ ok: true });
    ledger.append(session);
    expect(await ledger.verify()).toMatchObject({ ok: true });
  }
  ledger.reopen({ resume: false });
  ledger.seal();
  const remains = count(ledger, "entry") - 4;
  expect(remains).toBeGreaterThan(1200);
  expect(await ledger.verify()).toMatchObject({ ok: true });
  let removed = 0;
  for (const _ of resumeCuts(ledger.db)) removed++;
  expect(removed).toBeGreaterThan(2);
  expect(count(ledger, "entry")).toBe(4);
  expect(count(ledger, "answerable")).toBe(4);
  expect(await ledger.verify()).toMatchObject({ ok: true, entries: 4, tombstones: 4 });
});

test("what remains of a cut cannot be rewritten where a seal names it, nor taken out of its middle", async () => {
  for (const edit of ["UPDATE entry SET text = '[]' WHERE position = ?", "DELETE FROM entry WHERE position = ?"]) {
    using folder = temporaryFolder();
    using ledger = new SampleLedger(folder.path);
    const positions: number[] = [];
    for (let turn = 0; turn < 30; turn++) {
      positions.push(ledger.append(0, "{}"));
      if (turn % 10 === 9) ledger.seal();
    }
    ledger.cut(0, { steps: 1 });
    const db = ledger.db;
    db.prepare("DELETE FROM entry WHERE position > ?").run(positions[25] ?? 0); // as far as the cut got
    expect(await ledger.verify()).toMatchObject({ ok: true });
    db.prepare(edit).run(positions[19] ?? 0);
    relink({ db }, ledger.keyOf(0));
    expect((await ledger.verify()).firstBreak).toMatchObject({ position: positions[19] });
  }
});

test("others may write between the steps", async () => {
  using folder = temporaryFolder();
  using ledger = new SampleLedger(folder.path);
  for (let turn = 0; turn < 1500; turn++) ledger.append(0, "{}");
  const steps = cutSession(ledger.db, ledger.sealer, { session: ledger.keyOf(0), reason: "deleted", now: 0 });
  let written = 0;
  for (let step = steps.next(); !step.done; step = steps.next()) {
    expect(ledger.db.isTransaction).toBe(false);
    ledger.append(0);
    ledger.seal();
    written++;
  }
  expect(count(ledger, "entry")).toBe(written);
  expect(await ledger.verify()).toMatchObject({ ok: true, unsealed: 0 });
});

test.for(["erased", "deleted"] as const)("what was %s is nowhere in the files any more", (reason) => {
  using folder = temporaryFolder();
  using ledger = new SampleLedger(folder.path);
  const secret = "a canary that sings";
  for (let turn = 0; turn < 400; turn++) {
    ledger.append(0, `{"small":"${secret}"}`);
    ledger.append(1, `{"other":"${"o".repeat(turn * 20)}"}`);
    ledger.append(0, `{"large":"${secret.repeat(turn)}"}`);
  }
  const files = () => [ledger.path, `${ledger.path}-wal`].filter(existsSync).filter((path) => readFileSync(path).includes(secret));
  expect(files()).not.toEqual([]);
  ledger.cut(0, { reason });
  expect(files()).toEqual([]);
  ledger.reopen();
  expect(files()).toEqual([]);
});
