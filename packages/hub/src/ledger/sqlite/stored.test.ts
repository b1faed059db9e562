import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openLedgerFile } from "./open-file.ts";
import { Stored } from "./stored.ts";

it("knows what reached the file without anybody saying so, once it starts over", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "ledger.db");
  const { db } = openLedgerFile(path);
  const stored = new Stored(db);
  // Until it is sure, without looking, that a new one is not in the file.
  for (let count = 0; count < 1000; count++) expect(stored.byIdentity(`1 new-${count}`)).toBeUndefined();
  const { db: other } = openLedgerFile(path);
  other
    .prepare(
      "INSERT INTO entry (position, session, received_at, kind, verified, type, agent, identity, text, hash) VALUES (1, 1, 0, 0, 0, 'session.start', 'claude', '1 said', '{}', x'00')",
    )
    .run();
  expect(stored.byIdentity("1 said")).toBeUndefined();
  stored.forgetUnderway();
  expect(stored.byIdentity("1 said")).toMatchObject({ position: 1, agent: "claude" });
  other.close();
  db.close();
});
