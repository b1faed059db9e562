import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { readSubmission } from "../../intake/submission.ts";
import { type TemporaryFolder, temporaryTestFolder } from "../testing/temporary-folder.ts";
import { openSqliteLedger } from "./open-ledger.ts";

const TRANSACTIONS = 12;
const lifecycle = createLifecycle({ strict: false });

function event(sequence: number) {
  const said = { spec: "aop/1.0", session_id: "s", agent_id: "a", sequence, timestamp: "2026-01-02T03:04:05.000Z" };
  const text = JSON.stringify({ ...said, type: "cognition.thought", payload: {} });
  const read = readSubmission(text, text.length, { name: "local", verified: false }, { receivedAt: 1, redacts: () => true });
  if (!read.ok) throw new Error(read.problem.message);
  return read.submission;
}

/** A ledger as a killed hub leaves it: all transactions are in the WAL. */
async function killedLedger(folder: TemporaryFolder): Promise<void> {
  await using ledger = openSqliteLedger(folder.file("living.db"), { lifecycle, now: () => 1 });
  for (let sequence = 1; sequence <= TRANSACTIONS; sequence++) await ledger.append([event(sequence)]);
  for (const name of ["", "-wal"]) copyFileSync(`${folder.file("living.db")}${name}`, `${folder.file("killed.db")}${name}`);
}

async function openCopy(folder: TemporaryFolder, change: (log: string) => void) {
  const path = folder.file("copy.db");
  for (const name of readdirSync(folder.path)) if (name.startsWith("copy.db") || name === "seals.jsonl") folder.clear(name);
  for (const name of ["", "-wal"]) copyFileSync(`${folder.file("killed.db")}${name}`, `${path}${name}`);
  change(`${path}-wal`);
  const alarms: string[] = [];
  await using ledger = openSqliteLedger(path, { lifecycle, now: () => 1, onAlarm: (message) => alarms.push(message) });
  const { entries } = await ledger.read({ after: 0, limit: 100 });
  return { entries: entries.length, alarms, copies: readdirSync(folder.path).filter((name) => name.includes("damaged")) };
}

test("a byte that was changed anywhere in the log loses nothing without an alarm, and the log is kept", async () => {
  using folder = temporaryTestFolder();
  await killedLedger(folder);
  const log = readFileSync(folder.file("killed.db-wal"));
  // The last frame's salts mark it as part of this WAL rather than of an older one.
  const lastFrame = log.length - (24 + log.readUInt32BE(8));
  const isLastSalt = (at: number) => at >= lastFrame + 8 && at < lastFrame + 16;
  let lost = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: log.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
      fc.pre(!isLastSalt(at));
      const changed = Buffer.from(log);
      changed[at] = (changed[at] ?? 0) ^ mask;
      const { entries, alarms, copies } = await openCopy(folder, (path) => writeFileSync(path, changed));
      if (entries === TRANSACTIONS) return;
      lost++;
      expect(alarms).toEqual([expect.stringContaining("is damaged")]);
      expect(copies).toHaveLength(1);
      expect(readFileSync(folder.file(copies[0] ?? "")).equals(changed)).toBe(true);
    }),
    {
      numRuns: 60,
      examples: [
        [0, 1],
        [20, 1],
        [26, 1],
        [40, 1],
        [log.length - 1, 1],
      ],
    },
  );
  expect(lost).toBeGreaterThan(30);
});

test("a log that is whole, or ends early as after a kill, raises no alarm", async () => {
  using folder = temporaryTestFolder();
  await killedLedger(folder);
  expect(await openCopy(folder, () => {})).toMatchObject({ entries: TRANSACTIONS, alarms: [], copies: [] });
  const { length } = readFileSync(folder.file("killed.db-wal"));
  for (const size of [0, 10, 32, 5000, length - 1, length - 5000]) {
    const { alarms, copies } = await openCopy(folder, (path) => truncateSync(path, size));
    expect({ alarms, copies }).toEqual({ alarms: [], copies: [] });
  }
  expect(existsSync(folder.file("killed.db-wal"))).toBe(true);
});
