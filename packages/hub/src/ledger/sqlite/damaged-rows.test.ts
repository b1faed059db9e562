import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { toLiveJson } from "../../live/frames.ts";
import { toAopText, toSubmission } from "../testing/submissions.ts";
import { temporaryTestFolder } from "../testing/temporary-folder.ts";
import { openSqliteLedger } from "./open-ledger.ts";

const lifecycle = createLifecycle({ strict: false });
const open = (path: string) => openSqliteLedger(path, { lifecycle, now: () => 0 });

const submission = (sequence: number) => toSubmission(toAopText({ sequence }));

describe("an entry that was damaged on disk", () => {
  it.each([
    ["notes that are no JSON", "UPDATE entry SET notes = '{brok' WHERE position = 2"],
    ["notes of another shape", `UPDATE entry SET notes = '{"flags":7}' WHERE position = 2`],
    ["a time that no date can hold", "UPDATE entry SET received_at = 9000000000000000 WHERE position = 2"],
  ])("is read all the same, and so are the ones around it: %s", async (_damage, sql) => {
    using folder = temporaryTestFolder();
    const path = folder.file("ledger.db");
    {
      await using ledger = open(path);
      await ledger.append([1, 2, 3].map(submission));
    }
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    await using ledger = open(path);
    const { entries } = await ledger.read({ after: 0, limit: 10 });
    expect(entries.map((entry) => JSON.parse(toLiveJson(entry)) as unknown)).toMatchObject([
      { position: 1 },
      { position: 2 },
      { position: 3 },
    ]);
    expect(await ledger.append([submission(4)])).toMatchObject([{ ok: true, position: 4 }]);
  });
});

it.each([
  ["its state is no JSON", "UPDATE session SET state = '{brok'"],
  ["its state is a number", "UPDATE session SET state = '7'"],
])("a session whose state was damaged is heard all the same: %s", async (_damage, sql) => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  {
    await using ledger = open(path);
    for (let batch = 0; batch < 120; batch++) await ledger.append([submission(batch + 1)]); // enough for a state to be stored
  }
  const db = new DatabaseSync(path);
  expect(db.prepare(sql).run().changes).toBe(1);
  db.close();
  await using ledger = open(path);
  expect(await ledger.append([submission(121)])).toMatchObject([{ ok: true, position: 121 }]);
});

it("a refusal that was damaged on disk does not hide the others", async () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  const refusal = { receivedAt: 1, source: "local", problem: { code: "NOT_JSON", message: "Not JSON." }, text: "x", sizeBytes: 1 } as const;
  {
    await using ledger = open(path);
    ledger.refuse([refusal, refusal]);
  }
  const db = new DatabaseSync(path);
  db.exec("UPDATE refused SET problem = '{brok' WHERE number = 1");
  db.close();
  await using ledger = open(path);
  expect(await ledger.refused({ limit: 10 })).toMatchObject([
    { ...refusal, number: 2 },
    { number: 1, problem: { code: "INTERNAL" } },
  ]);
});
