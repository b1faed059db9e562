import { expect, test } from "vitest";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";
import { ALERT_THRESHOLDS } from "./alerts/detector.ts";
import { dumpViews, openSpeakingLedger, openViewsHere, said } from "./testing/open-ledger.ts";
import type { Alert } from "./views.ts";

test("silence is told when it has lasted too long, once, and a rebuild raises the same alert", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  speaker.setClock(Date.now());
  const options = { now: Date.now, thresholds: { ...ALERT_THRESHOLDS, stallSeconds: 1 } };
  const told: Alert[] = [];
  {
    await using views = await openViewsHere(speaker, folder.file("views.db"), options);
    views.onAlert((alert) => told.push(alert));
    const heard = [said("s", 1, "session.started", { goal: "Go" }), said("s", 2, "session.heartbeat", { status: "running" })];
    await views.caughtUp(await speaker.say(heard));
    expect((await views.find("s"))[0]?.status).toBe("running");
    await expect.poll(() => told, { timeout: 20_000 }).toMatchObject([{ type: "stall", position: 2, sessionId: "s" }]);
    expect((await views.find("s"))[0]).toMatchObject({ status: "stalled", counts: { alerts: 1 } });
    expect((await views.alerts({ limit: 9 })).items).toEqual(told);
    // A sign of life, and it runs again; the alert stays, and nothing is told twice.
    speaker.setClock(Date.now());
    await views.caughtUp(await speaker.say([said("s", 3, "session.ended", { outcome: "completed" })]));
    expect(await views.find("s")).toMatchObject([{ status: "completed" }]);
  }
  await using rebuilt = await openViewsHere(speaker, folder.file("rebuilt.db"), options);
  await rebuilt.caughtUp(await speaker.ledger.head());
  await rebuilt.close();
  expect(dumpViews(folder.file("rebuilt.db"))).toEqual(dumpViews(folder.file("views.db")));
  expect(told).toHaveLength(1);
});
