import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { type Draft, openDraft } from "./draft.ts";
import { openLedgerFile } from "./open-file.ts";
import { Scribe } from "./scribe.ts";

/** One more entry of the only session. */
function draftOf(number: number, epoch: number, files: boolean): Draft {
  const draft = { ...openDraft(number, epoch), files };
  draft.entries.push(number, 1, 0, 0, 0, "t", "a", number, `i${number}`, null, null, "{}");
  return draft;
}

function positionsIn(db: DatabaseSync, register: string): readonly unknown[] {
  return db
    .prepare(`SELECT position FROM ${register} ORDER BY position`)
    .all()
    .map(({ position }) => position);
}

test("files a step at a time, and all of it again where a step was not committed", () => {
  using folder = temporaryFolder();
  const { db } = openLedgerFile(folder.file("ledger.db"));
  db.exec("INSERT INTO source (key, protocol, name) VALUES (1, 'aop', 'local'); INSERT INTO session (key, source, id) VALUES (1, 1, 's')");
  const scribe = new Scribe(db, () => {});
  const registers = ["entry_by_session", "entry_by_sequence", "entry_by_identity"];
  const found = () => [
    registers.map((register) => positionsIn(db, register).length),
    db.prepare("SELECT up_to FROM filed").get()?.["up_to"],
  ];
  // The first time all at once: another one may have begun something. Then a register with each draft.
  for (let number = 1; number <= 5; number++) scribe.write(draftOf(number, 1, number === 3 || number === 5));
  expect(found()).toEqual([[5, 3, 3], 3]);

  // What the next step does is refused when it is committed.
  db.exec("PRAGMA foreign_keys = ON");
  db.exec("CREATE TABLE spoilt (session INTEGER REFERENCES session (key) DEFERRABLE INITIALLY DEFERRED)");
  db.exec("CREATE TRIGGER spoil AFTER INSERT ON entry_by_sequence BEGIN INSERT INTO spoilt VALUES (99); END");
  expect(scribe.write(draftOf(6, 1, false))).toMatchObject({ ok: false });
  db.exec("DROP TRIGGER spoil; DROP TABLE spoilt");

  for (let number = 6; number <= 16; number++) {
    expect(scribe.write(draftOf(number, 2, number === 8 || number === 12))).toMatchObject({ ok: true });
    if (number === 8) expect(found()).toEqual([[8, 8, 8], 8]); // all at once, as at first
    const upTo = Number(found()[1]);
    for (const register of registers) {
      const filed = positionsIn(db, register).filter((position) => Number(position) <= upTo);
      expect(filed).toEqual(Array.from({ length: upTo }, (_, index) => index + 1));
    }
  }
  expect(found()).toEqual([[12, 12, 12], 12]);
  db.close();
});

test("a scribe who comes after another one does not take for filed what that one has begun", () => {
  using folder = temporaryFolder();
  const { db } = openLedgerFile(folder.file("ledger.db"));
  db.exec("INSERT INTO source (key, protocol, name) VALUES (1, 'aop', 'local'); INSERT INTO session (key, source, id) VALUES (1, 1, 's')");
  const first = new Scribe(db, () => {});
  for (let number = 1; number <= 4; number++) first.write(draftOf(number, 1, number % 2 === 0));
  expect(positionsIn(db, "entry_by_sequence")).toEqual([1, 2]);
  new Scribe(db, () => {}).write(draftOf(5, 1, true));
  expect(positionsIn(db, "entry_by_sequence")).toEqual([1, 2, 3, 4, 5]);
  db.close();
});
