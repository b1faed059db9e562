import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { hubHomeOf } from "../../packages/hub/src/home.ts";
import { startHub } from "../../packages/hub/src/hub.ts";
import type { HubOptions } from "../../packages/hub/src/hub-options.ts";
import { EngineLedger, type LedgerOptions } from "../../packages/hub/src/ledger/engine-ledger.ts";
import type { Ledger } from "../../packages/hub/src/ledger/ledger.ts";
import { openSealKey } from "../../packages/hub/src/ledger/seal-key.ts";
import { openLedgerFile } from "../../packages/hub/src/ledger/sqlite/open-file.ts";
import { openSqliteLedger, SEAL_FILE } from "../../packages/hub/src/ledger/sqlite/open-ledger.ts";
import { SqliteEngine } from "../../packages/hub/src/ledger/sqlite/sqlite-engine.ts";
import type { Verdict } from "../../packages/hub/src/verdict.ts";
import { intercept, POINTS, type Point, standStill, trap } from "./trap.ts";

/**
 * A hub assembled from its own parts with one defect, as a negative control for the tests. The product has no such switch.
 *
 * node broken-hub.ts start --port N --no-open --fault NAME
 */
type OpenLedger = NonNullable<HubOptions["openLedger"]>;

const EARLY_MS = 60;

const FAULTS: Readonly<Record<string, OpenLedger>> = {
  /** Acknowledges before writing. */
  "answers early": (path, options) => answersEarly(openSqliteLedger(path, options)),
  /** Does not recognize redelivered events. */
  "forgets ids": (path, options) => forgetsIds(openSqliteLedger(path, options)),
  /** Sends listeners something other than the stored entry. */
  misquotes: (path, options) => misquotes(openSqliteLedger(path, options)),
  /** Commits without a sync to disk. */
  "does not sync": (path, options) => openOn(path, options, doNotSync),
  ...Object.fromEntries(POINTS.filter((point) => point !== "in a migration").map((point) => [point, stopsAt(point)])),
  /** A migration is one transaction, which is larger than the page cache. */
  "in a migration": (path) => {
    const { db } = openLedgerFile(path);
    db.exec("PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN IMMEDIATE; ALTER TABLE entry ADD COLUMN colour TEXT");
    db.exec("UPDATE entry SET text = 'spoilt'");
    standStill("in a migration");
    throw new Error("Nobody gets here.");
  },
};

function doNotSync(db: DatabaseSync): DatabaseSync {
  db.exec("PRAGMA synchronous = OFF");
  return db;
}

function stopsAt(point: Exclude<Point, "in a migration">): OpenLedger {
  return (path, options) => openOn(path, { ...options, checkpointMs: 100 }, (db) => trap(db, point));
}

function openOn(path: string, options: LedgerOptions, change: (db: DatabaseSync) => DatabaseSync): Ledger {
  const folder = dirname(path);
  const engine = new SqliteEngine(change(openLedgerFile(path).db));
  return new EngineLedger(engine, { key: openSealKey(folder), file: join(folder, SEAL_FILE) }, options);
}

function answersEarly(ledger: Ledger): Ledger {
  // The free-space check would refuse events on a full disk before they could be acknowledged.
  fs.statfsSync = (() => ({ bavail: 1_000_000, bsize: 4096 })) as unknown as typeof fs.statfsSync;
  syncBuiltinESMExports();
  let promised: number | undefined;
  return intercept<Ledger>(ledger, {
    async append(batch) {
      promised ??= await ledger.head();
      setTimeout(() => void ledger.append(batch).catch(() => {}), EARLY_MS); // nobody is there to be told
      return batch.map((): Verdict => {
        promised = (promised ?? 0) + 1;
        return { ok: true, position: promised, duplicate: false, flags: [], redactions: 0 };
      });
    },
  });
}

function forgetsIds(ledger: Ledger): Ledger {
  let count = 0;
  const strange = (identity: string | null) => (identity === null ? null : `${identity} ${process.pid}.${count++}`);
  return intercept<Ledger>(ledger, {
    append: (batch) => ledger.append(batch.map((submission) => ({ ...submission, identity: strange(submission.identity) }))),
  });
}

function misquotes(ledger: Ledger): Ledger {
  return intercept<Ledger>(ledger, {
    async read(query) {
      const page = await ledger.read(query);
      const [first] = page.entries;
      return first === undefined ? page : { ...page, entries: page.entries.map((entry) => ({ ...entry, text: first.text })) };
    },
  });
}

const { values } = parseArgs({
  options: { port: { type: "string" }, open: { type: "boolean" }, notify: { type: "boolean" }, fault: { type: "string" } },
  allowPositionals: true,
  allowNegative: true,
});
const openLedger = FAULTS[values.fault ?? ""];
if (openLedger === undefined)
  throw new Error(`There is no fault ${JSON.stringify(values.fault)}; there are ${Object.keys(FAULTS).join(", ")}.`);
const log = (message: string) => void process.stderr.write(`${message}\n`);
await startHub({ home: hubHomeOf(process.env), version: "broken", port: Number(values.port), log, openLedger });
