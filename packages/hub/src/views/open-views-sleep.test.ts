import { expect, test } from "vitest";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";
import { STALLED_AFTER_MS } from "./collector-rows.ts";
import { openSpeakingLedger, openViewsHere, said } from "./testing/open-ledger.ts";

test("after sleep nobody has stalled before a whole limit in which they could have been heard", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  const clock = { now: 0, sleptUntil: undefined as number | undefined };
  const clocks = { now: () => clock.now, sleptUntil: () => clock.sleptUntil };
  await using views = await openViewsHere(speaker, folder.file("views.db"), clocks);
  await views.caughtUp(
    await speaker.say([said("s", 1, "session.started", { goal: "Go" }), said("s", 2, "session.heartbeat", { status: "running" })]),
  );
  const [heard] = (await speaker.ledger.read({ after: 1, limit: 1 })).entries;
  const stalled = async () => {
    const listed = await views.aop.sessions({ order: "started", limit: 1 });
    const [found] = await views.find("s");
    const byStatus = await views.sessions({ status: ["stalled"], limit: 9 });
    const running = await views.sessions({ status: ["running"], limit: 9 });
    expect(byStatus.items.length + running.items.length).toBe(1);
    return [(await views.aop.find("s"))[0]?.stalled, listed.rows[0]?.stalled, found?.status === "stalled", byStatus.items.length === 1];
  };

  clock.now = (heard?.receivedAt ?? 0) + 3_600_000;
  expect(await stalled()).toEqual([true, true, true, true]); // awake all the time
  clock.sleptUntil = clock.now;
  expect(await stalled()).toEqual([false, false, false, false]);
  clock.now += STALLED_AFTER_MS - 1;
  expect(await stalled()).toEqual([false, false, false, false]);
  clock.now += 1;
  expect(await stalled()).toEqual([true, true, true, true]);
});
