import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryTestFolder } from "../../ledger/testing/temporary-folder.ts";
import { openIndex, searchDocument, type TestIndex } from "./testing/open-index.ts";

const SECURELY = { upTo: Number.MAX_SAFE_INTEGER, securely: true };

/** Words that occur nowhere else and share no prefix. */
const secret = (index: number) => `${((index * 2_654_435_761) % 4_294_967_296).toString(36).padStart(7, "q")}zq${index}`;

function fill(search: TestIndex, sessions: number, each: number): void {
  let position = 0;
  for (let round = 0; round < each; round++) {
    const documents = Array.from({ length: sessions }, (_, session) =>
      searchDocument(++position, `the usual words and ${secret(position)}`, { session }),
    );
    search.add(...documents);
  }
}

/** Counts the secrets found anywhere in the files. */
function inFiles(path: string, search: TestIndex, positions: readonly number[]): number {
  search.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const bytes = ["", "-wal"].map((suffix) => readFileSync(path + suffix, "latin1")).join("\n");
  return positions.filter((position) => bytes.includes(secret(position).slice(-7)) || bytes.includes(secret(position).slice(1, 8))).length;
}

test("a session is removed in steps, up to a position, and the others stay", async () => {
  using search = openIndex();
  fill(search, 3, 100);
  const steps: boolean[] = [];
  for (let more = true; more; steps.push(more))
    more = search.transaction(() => search.index.removeSession(1, 40, { upTo: 152, securely: false }));
  expect(steps).toEqual([true, false]);
  expect(await search.positions({ text: "usual", session: 1, limit: 500 })).toEqual(
    Array.from({ length: 49 }, (_, index) => 299 - index * 3),
  );
  expect(await search.positions({ text: "usual", limit: 500 })).toHaveLength(249);
  expect(await search.positions(secret(2))).toEqual([]);
  expect(await search.positions(secret(3))).toEqual([3]);
  search.db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
});

test("what is said anew at a position takes the place of what was there", async () => {
  using search = openIndex();
  search.add(searchDocument(1, "old words"), searchDocument(2, "old words"));
  search.add(searchDocument(1, "new words"));
  expect(await search.positions("old")).toEqual([2]);
  expect(await search.positions("words")).toEqual([2, 1]);
  search.db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
});

test("one entry that is removed leaves nothing in the file", async () => {
  using folder = temporaryTestFolder();
  const path = join(folder.path, "views.db");
  using search = openIndex(path);
  fill(search, 4, 500);
  const gone = Array.from({ length: 50 }, (_, index) => index * 37 + 5);
  expect(inFiles(path, search, gone)).toBe(50);
  for (const position of gone) search.transaction(() => search.index.removePosition(position));
  expect(inFiles(path, search, gone)).toBe(0);
  expect(inFiles(path, search, [4, 6])).toBe(2);
  expect(await search.positions(secret(42))).toEqual([]);
  search.transaction(() => search.index.removePosition(1_000_000)); // never was there
  search.db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
});

test("a session that is removed securely leaves nothing in the file", async () => {
  using folder = temporaryTestFolder();
  const path = join(folder.path, "views.db");
  using search = openIndex(path);
  fill(search, 4, 100);
  const gone = Array.from({ length: 100 }, (_, index) => index * 4 + 2);
  expect(inFiles(path, search, gone)).toBe(100);
  for (let more = true; more; ) more = search.transaction(() => search.index.removeSession(1, 40, SECURELY));
  expect(inFiles(path, search, gone)).toBe(0);
  expect(await search.positions({ text: "usual", limit: 500 })).toHaveLength(300);
  search.db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
});

test("removing is finished by somebody who begins anew after a crash", async () => {
  using search = openIndex();
  fill(search, 2, 50);
  search.db.exec("BEGIN");
  search.index.removeSession(0, 20, SECURELY);
  search.db.exec("ROLLBACK");
  expect(await search.positions({ text: "usual", session: 0, limit: 500 })).toHaveLength(50);
  for (let more = true; more; ) more = search.transaction(() => search.index.removeSession(0, 20, SECURELY));
  expect(await search.positions({ text: "usual", session: 0, limit: 500 })).toEqual([]);
});
