import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hubHomeOf } from "../home.ts";
import { createLifecycle } from "../intake/lifecycle.ts";
import { openLedgerFile } from "../ledger/sqlite/open-file.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { type BackupStep, backUp, verifyBackup } from "./backup.ts";
import { type KeptLedger, openKeptLedger } from "./testing/kept-ledger.ts";

async function last(steps: AsyncIterable<BackupStep>) {
  let result: unknown;
  for await (const step of steps) if ("result" in step) result = step.result;
  return result;
}

const homeAt = (folder: string) => hubHomeOf({ EARSHOT_HOME: folder });

async function fill(kept: KeptLedger, entries: number): Promise<void> {
  const content = "x".repeat(2000);
  const said = Array.from({ length: entries }, (_, index) =>
    kept.say({ session: `s${index % 5}`, sequence: index, ageDays: 0, payload: { content } }),
  );
  await Promise.all(said);
}

test("a copy is made while others write, verifies, and can be put back", async () => {
  using elsewhere = temporaryTestFolder();
  await using kept = await openKeptLedger();
  await fill(kept, 3000);
  const folder = elsewhere.file("copy");
  const before = await kept.ledger.head();
  let done = false;
  const copying = last(backUp(homeAt(kept.folder), folder)).finally(() => {
    done = true;
  });
  for (let sequence = 1; !done; sequence++) await kept.say({ session: "meanwhile", sequence, ageDays: 0 });
  expect(await copying).toMatchObject({ ok: true });
  expect(readdirSync(elsewhere.path)).toEqual(["copy"]);
  expect(readdirSync(folder).toSorted()).toEqual(["ledger.db", "seal-key.pub.pem", "seals.jsonl"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  const copied = (await last(verifyBackup(folder))) as { readonly entries: number };
  expect(copied.entries).toBeGreaterThanOrEqual(before);
  expect(readdirSync(folder)).toHaveLength(3);

  const head = await kept.ledger.head();
  await kept.views.close();
  await kept.ledger.close();
  for (const name of ["ledger.db-wal", "ledger.db-shm", "views.db", "views.db-wal", "views.db-shm"])
    rmSync(join(kept.folder, name), { force: true });
  for (const name of ["ledger.db", "seals.jsonl"]) copyFileSync(join(folder, name), join(kept.folder, name));
  const lifecycle = createLifecycle({ strict: false });
  const failures: unknown[] = [];
  await using restored = openSqliteLedger(kept.path, { lifecycle, now: Date.now, onFailure: (error) => failures.push(error) });
  expect(failures).toEqual([]);
  expect(await restored.head()).toBe(copied.entries);
  expect(copied.entries).toBeLessThanOrEqual(head);
});

test("nothing is overwritten, and where there is no ledger there is no backup", async () => {
  using elsewhere = temporaryTestFolder();
  await using kept = await openKeptLedger();
  mkdirSync(elsewhere.file("full"));
  writeFileSync(elsewhere.file("full/mine"), "");
  for (const name of ["full", "full/mine"]) {
    await expect(last(backUp(homeAt(kept.folder), elsewhere.file(name)))).rejects.toMatchObject({ problem: { code: "WRONG_USAGE" } });
  }
  await expect(last(backUp(homeAt(elsewhere.path), elsewhere.file("new")))).rejects.toMatchObject({ problem: { code: "NOT_FOUND" } });
  expect(readdirSync(elsewhere.path)).toEqual(["full"]);
  await expect(async () => last(verifyBackup(elsewhere.path))).rejects.toMatchObject({ problem: { code: "NOT_FOUND" } });
});

test("a ledger that does not verify makes no backup; with the key it can be restored anywhere", async () => {
  using elsewhere = temporaryTestFolder();
  await using kept = await openKeptLedger();
  await fill(kept, 10);
  expect(await last(backUp(homeAt(kept.folder), elsewhere.file("good"), { withKey: true }))).toMatchObject({ ok: true });
  expect(readdirSync(elsewhere.file("good"))).toContain("seal-key.pem");
  await kept.views.close();
  await kept.ledger.close();
  const { db } = openLedgerFile(kept.path);
  db.exec("UPDATE entry SET text = '{}' WHERE position = 3");
  db.close();
  expect(await last(backUp(homeAt(kept.folder), elsewhere.file("bad")))).toMatchObject({ ok: false });
  expect(readdirSync(elsewhere.path)).toEqual(["good"]);
});
