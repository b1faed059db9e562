import { expect, test } from "vitest";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";
import { STALLED_AFTER_MS } from "./aop-session-row.ts";
import { openSpeakingLedger, said } from "./testing/open-ledger.ts";
import { openAopViews } from "./view-store.ts";

test("after sleep nobody has stalled before a whole limit in which they could have been heard", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  const clock = { now: 0, sleptUntil: undefined as number | undefined };
  const options = { path: folder.file("views.db"), ledger: speaker.ledger, log: () => {} };
  await using views = await openAopViews({ ...options, now: () => clock.now, sleptUntil: () => clock.sleptUntil });
  await views.caughtUp(await speaker.say([said("s", 1, "session.started")]));
  const [heard] = (await speaker.ledger.read({ after: 0, limit: 1 })).entries;
  const stalled = () => [views.find("s")[0]?.stalled, views.sessions({ order: "started", limit: 1 }).rows[0]?.stalled];

  clock.now = (heard?.receivedAt ?? 0) + 3_600_000;
  expect(stalled()).toEqual([true, true]); // awake all the time
  clock.sleptUntil = clock.now;
  expect(stalled()).toEqual([false, false]);
  clock.now += STALLED_AFTER_MS - 1;
  expect(stalled()).toEqual([false, false]);
  clock.now += 1;
  expect(stalled()).toEqual([true, true]);
});
