import { expect, it } from "vitest";
import { hubSubmission } from "../own-entries.ts";
import { confirmationRequested, openBench, submissionOf } from "../requests/testing/engine-bench.ts";
import { refuseEventsWhenFull } from "./open-record.ts";

const FULL = expect.objectContaining({ problem: expect.objectContaining({ code: "STORAGE_FULL" }) });

it("with little room on the disk, events are refused, and decisions and what people set are stored", async () => {
  await using bench = await openBench();
  const disk = { free: 100, now: 0 };
  const ledger = refuseEventsWhenFull(bench.ledger, "", { freeBytes: () => disk.free, minFreeBytes: 50, monotonic: () => disk.now });
  await bench.say([confirmationRequested()]);
  const [request] = await bench.engine.list({ limit: 1 });
  if (request === undefined) throw new Error("There is no request.");
  disk.free = 49;
  disk.now += 100;
  await expect(ledger.append([submissionOf(confirmationRequested(), bench.clock.now)])).rejects.toEqual(FULL);
  const answer = { requestId: request.id, state: "answered-by-person", digest: request.digest, by: "ann", answer: "{}" } as const;
  expect(await ledger.settle(answer)).toMatchObject({ ok: true });
  expect(await ledger.append([hubSubmission("control.paused", "ann", { type: "control.paused" }, bench.clock.now)])).toMatchObject([
    { ok: true },
  ]);
  disk.free = 50;
  disk.now += 100;
  expect(await ledger.append([submissionOf(confirmationRequested(), bench.clock.now)])).toMatchObject([{ ok: true }]);
});

it("looks at the disk of the folder", async () => {
  await using bench = await openBench();
  const full = refuseEventsWhenFull(bench.ledger, ".", { minFreeBytes: 2 ** 60 });
  await expect(full.append([submissionOf(confirmationRequested(), bench.clock.now)])).rejects.toEqual(FULL);
});
