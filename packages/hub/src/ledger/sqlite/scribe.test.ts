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
  for (let number = 1; number <= 3; number++) scribe.write(draftOf(number, 1, number === 3));
  expect(found()).toEqual([[3, 0, 0], 0]);

  // What the next step does is refused when it is committed.
  db.exec("PRAGMA foreign_keys = ON");
  db.exec("CREATE TABLE spoilt (session INTEGER REFERENCES session (key) DEFERRABLE INITIALLY DEFERRED)");
  db.exec("CREATE TRIGGER spoil AFTER INSERT ON entry_by_sequence BEGIN INSERT INTO spoilt VALUES (99); END");
  expect(scribe.write(draftOf(4, 1, false))).toMatchObject({ ok: false });
  db.exec("DROP TRIGGER spoil; DROP TABLE spoilt");

  for (let number = 4; number <= 12; number++) {
    expect(scribe.write(draftOf(number, 2, number === 6))).toMatchObject({ ok: true });
    const upTo = Number(found()[1]);
    for (const register of registers) {
      const filed = positionsIn(db, register).filter((position) => Number(position) <= upTo);
      expect(filed).toEqual(Array.from({ length: upTo }, (_, index) => index + 1));
    }
  }
  expect(found()).toEqual([[6, 6, 6], 6]);
  db.close();
});
