import { cpSync, mkdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testVolume } from "../../../../tools/test-volume.ts";
import { readPublicSealKey } from "./seal-key.ts";
import { arbitraryHistory, performOperation, performOperations } from "./testing/history.ts";
import { SampleLedger } from "./testing/sample-ledger.ts";
import { completeRecordOf, TAMPERINGS, type UndetectedTrace } from "./testing/tamper.ts";
import { type TemporaryFolder, temporaryTestFolder } from "./testing/temporary-folder.ts";
import { verifyLedger } from "./verify.ts";

const HISTORIES = testVolume({ fast: 40, short: 250, full: 2000 });
const EDIT_RUNS = testVolume({ fast: 150, short: 1000, full: 10_000 });
const LEDGERS = 25;

test("an honest ledger never raises an alarm, whatever it went through", async ({ annotate }) => {
  let verified = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryHistory, async (happenings) => {
      using folder = temporaryTestFolder();
      using ledger = await SampleLedger.open(folder.path);
      for (const [index, one] of happenings.entries()) {
        await performOperation(ledger, one);
        if (index % 2 === 1 && index < happenings.length - 1) continue;
        const found = await ledger.verify();
        expect(found.firstBreak).toBeUndefined();
        verified++;
      }
      const keys = ledger.db.prepare("SELECT key FROM session").all();
      for (const { key } of keys) expect((await ledger.verify({ session: Number(key) })).firstBreak).toBeUndefined();
      await ledger.reopen();
      await ledger.seal();
      expect(await ledger.verify()).toMatchObject({ ok: true, unsealed: 0, sealFileBehind: 0 });
      verified += keys.length + 1;
    }),
    { numRuns: HISTORIES },
  );
  await annotate(`${verified} verifications of ${HISTORIES} ledgers, no false alarm`);
});

/** Ledgers to manipulate, each in its own folder, closed and checkpointed. */
async function makeLedgers(folder: TemporaryFolder): Promise<readonly string[]> {
  const { seed = 1 } = fc.readConfigureGlobal();
  const paths: string[] = [];
  for (const histories of fc.sample(fc.array(arbitraryHistory, { minLength: 3, maxLength: 3 }), { seed, numRuns: LEDGERS })) {
    const index = paths.length;
    const path = folder.file(`ledger ${index}`);
    mkdirSync(path);
    using ledger = await SampleLedger.open(path);
    for (let session = 0; session < 3; session++) await performOperation(ledger, { what: "append", session, entries: 8 });
    for (const happenings of histories) await performOperations(ledger, [...happenings, { what: "seal" }]);
    for (let session = 0; session < index % 4; session++) await performOperation(ledger, { what: "append", session, entries: 2 });
    paths.push(path);
  }
  return paths;
}

test("every edit is found, save of what is newer than the last seal", async ({ annotate }) => {
  using folder = temporaryTestFolder();
  const ledgers = await makeLedgers(folder);
  const counts = { found: 0, unchanged: 0, remains: 0, newer: 0, "file behind": 0 };
  const kinds = new Map<string, number>();
  const choice = fc.record({
    ledger: fc.nat({ max: LEDGERS - 1 }),
    edit: fc.constantFrom(...Object.keys(TAMPERINGS)),
    picks: fc.infiniteStream(fc.nat()),
  });
  await fc.assert(
    fc.asyncProperty(choice, async ({ ledger, edit, picks }) => {
      const path = folder.file("edited");
      cpSync(ledgers[ledger] ?? "", path, { recursive: true, force: true });
      using _gone = { [Symbol.dispose]: () => folder.clear("edited") };
      const files = { path: `${path}/ledger.db`, sealFile: `${path}/seals.jsonl` };
      const before = completeRecordOf(files);
      const lasting = completeRecordOf(files, { remains: false });
      const trace = apply(edit, files, (limit) => picks.next().value % limit);
      fc.pre(trace !== undefined);
      const found = verifyLedger(files.path, {
        publicKey: readPublicSealKey(path),
        sealFile: files.sealFile,
        now: Date.UTC(2026, 0, 1),
      });
      if (!found.ok) {
        counts.found++;
        kinds.set(found.firstBreak?.what ?? "", (kinds.get(found.firstBreak?.what ?? "") ?? 0) + 1);
        return;
      }
      if (completeRecordOf(files) === before) counts.unchanged++;
      else if (completeRecordOf(files, { remains: false }) === lasting) counts.remains++;
      else if (trace === "newer" || trace === "file behind") counts[trace]++;
      else expect.fail(`${edit} was not found: ${JSON.stringify(found)}`);
    }),
    { numRuns: EDIT_RUNS },
  );
  expect(counts.found).toBeGreaterThan(EDIT_RUNS * 0.8);
  await annotate(`${JSON.stringify(counts)} of ${EDIT_RUNS} edits; named as ${JSON.stringify(Object.fromEntries(kinds))}`);
});

function apply(
  edit: string,
  files: { readonly path: string; readonly sealFile: string },
  pick: (limit: number) => number,
): UndetectedTrace {
  const db = new DatabaseSync(files.path, { enableForeignKeyConstraints: false });
  try {
    return TAMPERINGS[edit]?.({ ...files, db, pick });
  } finally {
    if (db.isOpen) db.close();
  }
}
