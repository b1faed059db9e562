import { expect, test } from "vitest";
import { RETENTION, RetentionRunner } from "./retention.ts";
import { openKeptLedger } from "./testing/kept-ledger.ts";

test("what is past its time is removed by itself, and said", async () => {
  await using kept = await openKeptLedger();
  await kept.say({ session: "old", sequence: 1, ageDays: 31 });
  await kept.say({ session: "new", sequence: 1, ageDays: 29 });
  const told = Promise.withResolvers<string>();
  await using _keeper = new RetentionRunner({ retention: RETENTION, store: kept, log: told.resolve, firstAfterMs: 1 });
  expect(await told.promise).toBe("Past its time and removed: 1 entry of 1 session.");
  const { entries } = await kept.ledger.read({ after: 0, limit: 10 });
  expect(entries.map(({ session }) => session)).toEqual(["new"]);
});

test("without limits nothing goes; with a size, the oldest", async () => {
  await using kept = await openKeptLedger();
  const content = "x".repeat(10_000);
  for (let sequence = 1; sequence <= 100; sequence++) await kept.say({ session: "s", sequence, ageDays: 400, payload: { content } });
  await using off = new RetentionRunner({ retention: { days: 0, bytes: 0 }, store: kept, log: () => {} });
  expect(await off.run()).toBeUndefined();
  await using small = new RetentionRunner({ retention: { days: 0, bytes: 600_000 }, store: kept, log: () => {} });
  const result = await small.run();
  expect(result?.entries).toBeGreaterThan(40);
  expect((await kept.ledger.read({ after: 0, limit: 200 })).entries.at(-1)?.sequence).toBe(100);
  expect(await small.run()).toBeUndefined();
});
