import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPublicSealKey } from "../ledger/seal-key.ts";
import { openLedgerFile } from "../ledger/sqlite/open-file.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { eraseOne, findErasable } from "./erase.ts";
import { KEPT_LEDGER_NOW_MS, type KeptLedger, openKeptLedger, openKeptViews } from "./testing/kept-ledger.ts";

const CANARY = "the yellow canary sings at 4711";

const filesWith = (folder: string, text: string) => readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));

const verify = ({ path, folder }: KeptLedger, session?: number) =>
  verifyLedger(path, {
    now: 0, // the entries are old, and not signed yet
    publicKey: readPublicSealKey(folder),
    sealFile: join(folder, "seals.jsonl"),
    ...(session === undefined ? {} : { session }),
  });

/** A session whose first event contains a secret that was copied to every place there is. */
async function tellSecret(kept: KeptLedger): Promise<number> {
  await kept.say({ session: "before", sequence: 1, ageDays: 0 });
  const position = await kept.say({
    session: "s",
    sequence: 1,
    ageDays: 0,
    payload: { goal: CANARY, metadata: { deep: [`${CANARY} twice`] } },
  });
  for (let sequence = 2; sequence < 8; sequence++) await kept.say({ session: "s", sequence, ageDays: 0 });
  kept.ledger.refuse([
    {
      receivedAt: KEPT_LEDGER_NOW_MS,
      source: "aop/local",
      problem: { code: "NOT_JSON", message: "Cut off." },
      text: `{"payload":{"goal":"${CANARY.slice(0, 26)}`,
      sizeBytes: 90,
    },
  ]);
  await kept.ledger.refused({ limit: 1 });
  await kept.views.caughtUp(await kept.ledger.head());
  return position;
}

test("what was erased is in no file any more, and the ledger verifies before and after the next seal", async () => {
  await using kept = await openKeptLedger();
  const position = await tellSecret(kept);
  expect((await kept.views.find("s"))[0]?.goal).toBe(CANARY);
  expect((await kept.views.aop.find("s"))[0]?.goal).toBe(CANARY);
  expect(filesWith(kept.folder, CANARY)).toContain("ledger.db-wal");
  expect(await eraseOne({ position }, kept)).toMatchObject({ position, session: "s", type: "session.started" });
  expect(filesWith(kept.folder, CANARY)).toEqual([]);
  expect(filesWith(kept.folder, CANARY.slice(0, 20))).toEqual([]);
  expect((await kept.views.find("s"))[0]?.goal).toBeUndefined();
  expect((await kept.views.aop.find("s"))[0]).toMatchObject({ goal: null });
  expect(await verify(kept)).toMatchObject({ ok: true, tombstones: 1 });
  await kept.say({ session: "s", sequence: 8, ageDays: 0 });
  const [session] = await kept.ledger.findSessions("s");
  expect(await verify(kept, session?.key)).toMatchObject({ ok: true });
  await kept.views.close();
  await kept.ledger.close();
  expect(filesWith(kept.folder, CANARY)).toEqual([]);
  expect(await verify(kept)).toMatchObject({ ok: true, tombstones: 1, unsealed: 0 });
});

test("an erased event is left out when reading, does not come back, and is judged as if it had been said", async () => {
  await using kept = await openKeptLedger();
  const position = await tellSecret(kept);
  await eraseOne({ position }, kept);
  const [session] = await kept.ledger.findSessions("s");
  if (session === undefined) throw new Error("The session is gone.");
  for (const limit of [1, 3, 100]) {
    const sequences: (number | null)[] = [];
    for (let page = await kept.ledger.readSession({ session, limit }); ; ) {
      sequences.push(...page.entries.map(({ sequence }) => sequence));
      if (page.next === undefined) break;
      page = await kept.ledger.readSession({ session, limit, after: page.next });
    }
    expect(sequences).toEqual([2, 3, 4, 5, 6, 7]);
  }
  const all = await kept.ledger.read({ after: 0, limit: 100 });
  expect(all.entries.map((entry) => entry.position)).not.toContain(position);
  const again = await kept.say({
    session: "s",
    sequence: 1,
    ageDays: 0,
    payload: { goal: CANARY, metadata: { deep: [`${CANARY} twice`] } },
  });
  expect(again).toBe(position);
  const next = await kept.say({ session: "s", sequence: 8, ageDays: 0 });
  expect((await kept.ledger.read({ after: next - 1, limit: 1 })).entries[0]?.flags).toEqual([]);
  await expect(eraseOne({ position }, kept)).rejects.toMatchObject({ problem: { code: "NOT_FOUND" } });
  expect(await kept.ledger.erase(position)).toBe(false);
  await expect(kept.ledger.erase(999)).rejects.toMatchObject({ problem: { code: "NOT_FOUND" } });
});

test("a hub that stops between the ledger and the views forgets the text when it starts again", async () => {
  await using kept = await openKeptLedger();
  const position = await tellSecret(kept);
  await kept.views.close();
  await kept.ledger.erase(position);
  expect(filesWith(kept.folder, CANARY)).toEqual(["views.db"]);
  await using views = await openKeptViews(kept);
  await views.caughtUp(await kept.ledger.head());
  expect((await views.aop.find("s"))[0]).toMatchObject({ goal: null });
  expect(filesWith(kept.folder, CANARY)).toEqual([]);
  expect((await kept.ledger.read({ after: 0, limit: 100 })).entries).toHaveLength(7);
});

test("an event is found by its id; a question that waits is not erased; what is cut later still verifies", async () => {
  await using kept = await openKeptLedger();
  for (const sequence of [1, 2, 3])
    await kept.say({ session: "a", sequence, ageDays: 2, protocol: "aep", ...(sequence === 2 ? { asks: "r" } : {}) });
  expect(await findErasable({ event: "a-2" }, kept.ledger)).toMatchObject([{ position: 2 }]);
  expect(await findErasable({ event: "a-2", session: "other" }, kept.ledger)).toEqual([]);
  await expect(eraseOne({ event: "a-2" }, kept)).rejects.toMatchObject({ problem: { code: "WRONG_QUERY" } });
  await eraseOne({ event: "a-1" }, kept);
  await eraseOne({ event: "a-3" }, kept);
  expect(await verify(kept)).toMatchObject({ ok: true, tombstones: 2 });
  const [session] = await kept.ledger.findSessions("a");
  if (session === undefined) throw new Error("The session is gone.");
  await kept.ledger.cut(session, "pruned", 1);
  expect(await verify(kept)).toMatchObject({ ok: true, tombstones: 3 });
  await kept.ledger.cut(session, "pruned", 3);
  await kept.say({ session: "a", sequence: 4, ageDays: 0, protocol: "aep" });
  expect(await verify(kept)).toMatchObject({ ok: true, tombstones: 4, entries: 1 });
});

test.for([
  ["a text put in its place", "UPDATE entry SET text = '{}' WHERE position = 2"],
  ["the type changed that is left", "UPDATE entry SET type = 'other' WHERE position = 2"],
  ["the digest changed", "UPDATE entry SET said = zeroblob(32) WHERE position = 2"],
  ["notes added", "UPDATE entry SET notes = '{}' WHERE position = 2"],
  ["the hash changed", "UPDATE entry SET hash = zeroblob(32) WHERE position = 2"],
  ["the erased entry removed", "DELETE FROM entry WHERE position = 2"],
  ["the tombstone removed", "DELETE FROM tombstone"],
  ["the tombstone moved", "UPDATE tombstone SET up_to = 2"],
  ["another text erased in the same way", "UPDATE entry SET text = '', notes = NULL, said = zeroblob(32) WHERE position = 3"],
  ["the one before changed", "UPDATE entry SET text = '{}' WHERE position = 1"],
] as const)("%s is found", async ([, edit]) => {
  await using kept = await openKeptLedger();
  for (const sequence of [1, 2, 3, 4]) await kept.say({ session: "s", sequence, ageDays: 0 });
  await eraseOne({ position: 2 }, kept);
  await kept.views.close();
  await kept.ledger.close();
  expect(await verify(kept)).toMatchObject({ ok: true });
  const { db } = openLedgerFile(kept.path);
  db.exec(edit);
  db.close();
  expect(await verify(kept)).toMatchObject({ ok: false });
});
