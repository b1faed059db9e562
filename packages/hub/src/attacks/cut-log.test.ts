import { cpSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLifecycle } from "../intake/lifecycle.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { openViews } from "../views/open-views.ts";
import { aopEventOf, openViewsHere, openViewsLedger } from "../views/testing/open-ledger.ts";
import { startWorkerHere } from "../views/testing/worker-here.ts";

const FILES = ["ledger.db", "ledger.db-wal", "views.db", "views.db-wal"];
const lifecycle = createLifecycle({ strict: false });
const now = () => Date.UTC(2026, 2, 1, 10);

async function open(folder: string) {
  const alarms: string[] = [];
  const ledgerAt = join(folder, "ledger.db");
  const path = join(folder, "views.db");
  const onLoss = (why: string) => alarms.push(why);
  const ledger = openSqliteLedger(ledgerAt, { lifecycle, now, onAlarm: onLoss });
  const views = await openViews({ path, ledgerAt, ledger, now, onLoss, log: () => {}, start: startWorkerHere() });
  await views.caughtUp(await ledger.head());
  await views.close();
  await ledger.close();
  return alarms;
}

describe("held: a program kills the hub and cuts its write-ahead log", () => {
  it("within the seconds that have no signature yet: the views have seen more, and the next start raises an alarm", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViewsHere(speaker, folder.file("views.db"));
    for (let sequence = 1; sequence <= 9; sequence++)
      await views.caughtUp(await speaker.say([aopEventOf("s", sequence, "session.started")]));
    const killed = folder.file("killed");
    const cut = folder.file("cut");
    for (const copy of [killed, cut]) for (const name of FILES) cpSync(folder.file(name), join(copy, name));
    const log = join(cut, "ledger.db-wal");
    truncateSync(log, statSync(log).size - 1);
    expect(await open(killed)).toEqual([]);
    expect(await open(cut)).toEqual(["it has seen entries up to 9, and the ledger ends at 8"]);
  });
});
