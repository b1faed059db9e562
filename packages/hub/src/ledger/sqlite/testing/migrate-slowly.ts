import { writeSync } from "node:fs";
import { openLedgerFile } from "../open-file.ts";

/** A process that stops before it commits the creation or migration of a ledger, reports it, and waits to be killed. */
const [path = ""] = process.argv.slice(2);
openLedgerFile(path, {
  beforeCommit: (db) => {
    db.exec("PRAGMA cache_spill = 1; PRAGMA cache_size = 1; CREATE TABLE ballast (x); INSERT INTO ballast VALUES (randomblob(200000))");
    writeSync(1, "half done\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
