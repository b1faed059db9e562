import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { readPublicSealKey } from "../ledger/seal-key.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { type PruneLimits, type PruneResult, planPruning, pruneEntries } from "./prune.ts";
import { DAY_MS, KEPT_LEDGER_NOW_MS, type KeptLedger, openKeptLedger } from "./testing/kept-ledger.ts";

async function finish(steps: AsyncIterable<object>): Promise<PruneResult & { readonly givenBackBytes: number }> {
  let result: (PruneResult & { readonly givenBackBytes: number }) | undefined;
  for await (const step of steps) if ("result" in step) result = step.result as typeof result;
  if (result === undefined) throw new Error("Pruning told no result.");
  return result;
}

const older = (days: number): PruneLimits => ({ receivedBefore: KEPT_LEDGER_NOW_MS - days * DAY_MS });

async function left({ ledger }: KeptLedger): Promise<readonly string[]> {
  const { entries } = await ledger.read({ after: 0, limit: 1000 });
  return entries.map(({ session, sequence, type }) => `${session} ${sequence ?? type}`);
}

const verify = ({ path, folder }: KeptLedger) =>
  // The entries are old and not signed yet.
  verifyLedger(path, { publicKey: readPublicSealKey(folder), sealFile: `${folder}/seals.jsonl`, now: 0 });

test("what is older than the limit goes from the beginning of each session; what would go is said before", async () => {
  await using kept = await openKeptLedger();
  for (const [sequence, ageDays] of [
    [1, 40],
    [2, 35],
    [3, 20],
    [4, 1],
  ] as const)
    await kept.say({ session: "long", sequence, ageDays });
  await kept.say({ session: "gone", sequence: 1, ageDays: 0.5 });
  const limits = older(0.75);
  const plan = await finish(planPruning(limits, kept));
  expect(plan).toMatchObject({ entries: 4, sessions: 1, newest: KEPT_LEDGER_NOW_MS - DAY_MS });
  expect(await left(kept)).toHaveLength(5);
  expect(await finish(pruneEntries(older(30), kept))).toMatchObject({ entries: 2, sessions: 1, newest: KEPT_LEDGER_NOW_MS - 35 * DAY_MS });
  expect(await left(kept)).toEqual(["long 3", "long 4", "gone 1"]);
  expect(await verify(kept)).toMatchObject({ ok: true, tombstones: 1, entries: 3 });
  expect(await finish(pruneEntries(older(30), kept))).toMatchObject({ entries: 0, sessions: 0, newest: null });
});

test("all protocols are pruned, and the views show what is left", async () => {
  await using kept = await openKeptLedger();
  await kept.say({ session: "old", sequence: 1, ageDays: 50 });
  await kept.say({ session: "old-aep", sequence: 1, ageDays: 50, protocol: "aep" });
  await kept.say({ session: "both", sequence: 1, ageDays: 40 });
  await kept.say({ session: "both", sequence: 2, ageDays: 1 });
  await kept.views.caughtUp(await kept.ledger.head());
  await finish(pruneEntries(older(30), kept));
  expect(await left(kept)).toEqual(["both 2"]);
  expect(await kept.views.find("old")).toEqual([]);
  expect(await kept.views.find("old-aep")).toEqual([]);
  expect((await kept.views.find("both"))[0]?.goal).toBeUndefined();
  expect((await kept.views.aop.find("both"))[0]).toMatchObject({ goal: null });
});

test("a question that waits for its answer stays with everything after it; what is before it goes", async () => {
  await using kept = await openKeptLedger();
  await kept.say({ session: "asks", sequence: 1, ageDays: 50, protocol: "aep" });
  await kept.say({ session: "asks", sequence: 2, ageDays: 49, protocol: "aep", type: "model.delta", asks: "request-1" });
  await kept.say({ session: "asks", sequence: 3, ageDays: 48, protocol: "aep", type: "model.delta" });
  expect(await finish(planPruning(older(30), kept))).toMatchObject({ entries: 1, held: 2 });
  expect(await finish(pruneEntries(older(30), kept))).toMatchObject({ entries: 1, held: 2 });
  expect(await left(kept)).toHaveLength(2);
  const answer = { requestId: "request-1", state: "answered-by-person", digest: "d", by: "ana", answer: "yes" } as const;
  expect(await kept.ledger.settle(answer)).toMatchObject({ ok: true });
  await finish(pruneEntries(older(30), kept));
  expect((await kept.ledger.read({ after: 0, limit: 10 })).entries.map(({ kind }) => kind)).toEqual(["decision"]);
  expect(await verify(kept)).toMatchObject({ ok: true });
});

test("a session that is still being heard keeps what its next event is judged against", async () => {
  await using kept = await openKeptLedger();
  for (const session of ["live", "whole"]) {
    for (let sequence = 1; sequence <= 5; sequence++) await kept.say({ session, sequence, ageDays: 0 });
  }
  expect(await finish(pruneEntries({ receivedBefore: KEPT_LEDGER_NOW_MS + 1, session: "live" }, kept))).toMatchObject({ entries: 4 });
  const flagsOf = async (session: string) => {
    const position = await kept.say({ session, sequence: 7, ageDays: 0, type: "session.ended", payload: { outcome: "succeeded" } });
    const { entries } = await kept.ledger.read({ after: position - 1, limit: 1 });
    return entries[0]?.flags.map(({ rule, message }) => [rule, message]);
  };
  expect(await flagsOf("live")).toEqual(await flagsOf("whole"));
  expect(await left(kept)).toContain("live 5");
});

test("a session can be pruned alone", async () => {
  await using kept = await openKeptLedger();
  for (const session of ["one", "other"]) for (const sequence of [1, 2]) await kept.say({ session, sequence, ageDays: 0 });
  expect(await finish(pruneEntries({ session: "one" }, kept))).toMatchObject({ entries: 2, sessions: 1 });
  expect(await left(kept)).toEqual(["other 1", "other 2"]);
});

test("the oldest go until the ledger has its size, the file becomes smaller, and others write meanwhile", async () => {
  await using kept = await openKeptLedger();
  const content = "x".repeat(4000);
  const says: Promise<number>[] = [];
  for (let sequence = 1; sequence <= 3000; sequence++) {
    says.push(kept.say({ session: `s${sequence % 7}`, sequence, ageDays: 10 - sequence / 1000, payload: { content } }));
    if (sequence % 500 === 0) await Promise.all(says);
  }
  const before = await kept.ledger.space();
  expect(before.fileBytes).toBeGreaterThan(12_000_000);
  const keepBytes = 5_000_000;
  const pruning = finish(pruneEntries({ keepBytes }, kept));
  let said = 0;
  let done = false;
  const whenDone = pruning.then(() => {
    done = true;
  });
  while (!done) {
    await kept.say({ session: "meanwhile", sequence: ++said, ageDays: 0 });
  }
  await whenDone;
  const result = await pruning;
  expect(said).toBeGreaterThan(20);
  const after = await kept.ledger.space();
  expect(after.fileBytes - after.freeBytes).toBeLessThanOrEqual(keepBytes + 100_000);
  expect(after.fileBytes - after.freeBytes).toBeGreaterThan(keepBytes * 0.8);
  expect(result.givenBackBytes).toBeGreaterThan(5_000_000);
  await kept.views.close(); // the last close checkpoints the log
  await kept.ledger.close();
  expect(statSync(kept.path).size).toBeLessThan(8_000_000);
  expect(await verify(kept)).toMatchObject({ ok: true });
});
