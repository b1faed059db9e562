import type { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openLedgerFile } from "./open-file.ts";
import { entriesBy, FILED_UP_TO, Filing, fileAll, type Register } from "./registers.ts";

interface Row {
  readonly session: number;
  readonly sequence: number | null;
  readonly identity: string | null;
}

/** A ledger that has these at positions 1, 3, 5 and so on, some of them filed; more have begun to be filed, in so many steps. */
function fill(db: DatabaseSync, rows: readonly Row[], { filed, begun, steps }: Record<"filed" | "begun" | "steps", number>): void {
  const filing = new Filing(db);
  filing.begin(); // the first time it goes all the way
  const insert = db.prepare(
    "INSERT INTO entry (position, session, received_at, kind, verified, type, agent, sequence, identity, text, hash) VALUES (?, ?, 0, 0, 0, 't', 'a', ?, ?, '{}', x'00')",
  );
  for (const [index, { session, sequence, identity }] of rows.entries()) {
    insert.run(index * 2 + 1, session, sequence, identity);
    if (index + 1 === filed) fileAll(db);
    if (index + 1 === begun) filing.begin();
    else if (index >= begun && index < begun + steps) filing.step();
  }
}

const ASKED: readonly (readonly [register: Register, where: string, order: string])[] = [
  ["entry_by_session", "session = ?1", "position"],
  ["entry_by_session", "session = ?1 AND position > ?2", "position"],
  ["entry_by_session", "session = ?1 AND position <= ?2", "position DESC"],
  ["entry_by_session", "session IN (?1, ?2) AND position > 3", "position"],
  ["entry_by_sequence", "session = ?1 AND sequence >= ?2 AND (sequence, position) > (?2, 3)", "sequence, position"],
  ["entry_by_sequence", "session = ?1 AND sequence = ?2 AND position < 9", "position"],
  ["entry_by_sequence", "session = ?1 AND sequence IS NOT NULL", "sequence DESC, position DESC"],
  ["entry_by_identity", "identity = 'i' || ?1", "position"],
];

const small = fc.integer({ min: 0, max: 4 });
const row = fc.record({
  session: small,
  sequence: fc.option(small),
  identity: fc.option(small.map((number) => `i${number}`)),
});

test("what is filed and what is not is found together, once and in order, whatever is taken away", () => {
  using folder = temporaryFolder();
  const { db } = openLedgerFile(folder.file("ledger.db"));
  db.exec("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF");
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 20 }),
      fc.record({ filed: fc.nat(20), begun: fc.nat(20), steps: fc.nat(5) }),
      fc.array(fc.nat(40), { maxLength: 4 }),
      small,
      small,
      (rows, places, gone, one, other) => {
        db.exec("DELETE FROM entry; UPDATE filed SET up_to = 0");
        fill(db, rows, places);
        for (const position of gone) db.prepare("DELETE FROM entry WHERE position = ?").run(position);
        for (const [register, where, order] of ASKED) {
          const ask = (sql: string) => {
            const values = where.includes("?2") ? [one, other] : [one];
            return db.prepare(`${sql} ORDER BY ${order}`).all(...values);
          };
          const columns = "position, session, sequence, identity";
          expect(ask(entriesBy(register, columns, where))).toEqual(ask(`SELECT ${columns} FROM entry NOT INDEXED WHERE ${where}`));
        }
        fileAll(db);
        const { unfiled } = db.prepare(`SELECT count(*) AS unfiled FROM entry WHERE position > ${FILED_UP_TO}`).get() ?? {};
        expect(unfiled).toBe(0);
        for (const register of ["entry_by_session", "entry_by_sequence", "entry_by_identity"]) {
          const column = { entry_by_session: "session", entry_by_sequence: "sequence", entry_by_identity: "identity" }[register];
          const found = db.prepare(`SELECT position FROM ${register} ORDER BY position`).all();
          expect(found).toEqual(db.prepare(`SELECT position FROM entry WHERE ${column} IS NOT NULL ORDER BY position`).all());
        }
      },
    ),
    { numRuns: 300 },
  );
  db.close();
});

test("nothing is read but what is asked for, and what is not filed", () => {
  using folder = temporaryFolder();
  const { db } = openLedgerFile(folder.file("ledger.db"));
  for (const [register, where, order] of ASKED) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${entriesBy(register, "position, text", where)} LIMIT 1`).all();
    const steps = plan.map(({ detail }) => String(detail));
    expect(steps.filter((step) => step.startsWith("SCAN"))).toEqual(["SCAN filed", "SCAN filed"]);
    expect(steps.find((step) => step.startsWith(`SEARCH ${register} USING PRIMARY KEY`))).toBeDefined();
    // By position, beginning where it is not filed any more: nothing else that is asked may take its place.
    expect(steps.filter((step) => step.startsWith("SEARCH entry USING INTEGER PRIMARY KEY"))).toEqual([
      "SEARCH entry USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH entry USING INTEGER PRIMARY KEY (rowid>?)",
    ]);
    if (where.includes(" IN ")) continue; // a few at a time, which have to be put in order
    const ordered = db
      .prepare(`EXPLAIN QUERY PLAN ${entriesBy(register, "position, sequence, text", where)} ORDER BY ${order} LIMIT 1`)
      .all();
    const left = ordered.findIndex(({ detail }) => detail === "RIGHT");
    expect(ordered.slice(0, left).filter(({ detail }) => String(detail).includes("TEMP B-TREE"))).toEqual([]);
  }
  db.close();
});
