import { writeSync } from "node:fs";
import { openLedgerFile } from "../open-file.ts";
import { THREE_VERSIONS } from "./artificial-migrations.ts";

/** A process that stops inside the named version's migration, reports it, and waits to be killed. */
const [path = "", stopAt = ""] = process.argv.slice(2);
const migrations = THREE_VERSIONS.map((migration) => ({
  version: migration.version,
  apply: (db: Parameters<typeof migration.apply>[0]) => {
    migration.apply(db);
    if (migration.version !== Number(stopAt)) return;
    db.exec("PRAGMA cache_spill = 1; PRAGMA cache_size = 1; CREATE TABLE ballast (x); INSERT INTO ballast VALUES (randomblob(200000))");
    writeSync(1, "half done\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
}));
openLedgerFile(path, { migrations });
