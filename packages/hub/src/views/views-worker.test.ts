import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { aopEventOf, openViewsHere, openViewsLedger } from "./testing/open-ledger.ts";
import { type StartViewsWorker, startViewsWorker } from "./views-worker.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("the thread sees what was acknowledged, answers, and tells alerts", async () => {
  using folder = temporaryTestFolder();
  await using speaker = openViewsLedger(folder.file("ledger.db"));
  await using views = await openViewsHere(speaker, folder.file("views.db"), { start: startViewsWorker });
  const told: string[] = [];
  views.onAlert(({ type, sessionId }) => told.push(`${type} ${sessionId}`));
  const fail = (sequence: number) =>
    aopEventOf("s", sequence, "operation.tool_end", { tool_name: "t", tool_call_id: `c${sequence}`, success: false });
  await views.caughtUp(await speaker.say([aopEventOf("s", 1, "session.started", { goal: "Go" }), fail(2), fail(3), fail(4)]));
  const [session] = await views.find("s");
  expect(session).toMatchObject({ goal: "Go", counts: { events: 4, calls: 3, failedCalls: 3 } });
  expect((await views.calls({ session: session?.key ?? 0, limit: 2 })).items).toHaveLength(2);
  await expect.poll(() => told).toContain("error_cascade s");
  await views.caughtUp(await speaker.say([aopEventOf("s", 5, "session.ended", { outcome: "failed" })]));
  expect(await views.find("s")).toMatchObject([{ status: "failed" }]);
  // A problem is returned as a problem.
  await expect(views.search({ text: "", limit: 1 })).rejects.toMatchObject({ problem: { code: "WRONG_QUERY" } });
});

test("a thread that ends by itself is started again, and goes on where it was", async () => {
  using folder = temporaryTestFolder();
  await using speaker = openViewsLedger(folder.file("ledger.db"));
  let last = new AbortController();
  let starts = 0;
  const start: StartViewsWorker = (task, events) => {
    starts++;
    last = new AbortController();
    return startViewsWorker(task, events, last.signal);
  };
  await using views = await openViewsHere(speaker, folder.file("views.db"), { start });
  await views.caughtUp(await speaker.say([aopEventOf("s", 1, "session.started")]));
  const asked = views.find("s");
  last.abort();
  await expect(asked).rejects.toMatchObject({ problem: { code: "VIEWS_UNAVAILABLE" } });
  expect(await views.cut(await speaker.session("s"), "deleted")).toBe(1); // nobody waits for the thread
  await views.caughtUp(await speaker.say([aopEventOf("s", 2, "session.ended")]));
  expect(await views.find("s")).toMatchObject([{ counts: { events: 1 } }]);
  expect(starts).toBe(2);
});

test("a thread that cannot run is told of, and keeps nobody waiting nor from deleting", async () => {
  using folder = temporaryTestFolder();
  await using speaker = openViewsLedger(folder.file("ledger.db"));
  await speaker.say([aopEventOf("s", 1, "session.started")]);
  const lines: string[] = [];
  const start: StartViewsWorker = (task, events) => startViewsWorker({ ...task, ledgerAt: folder.file("no-such.db") }, events);
  await using views = await openViewsHere(speaker, folder.file("views.db"), { start, log: (line) => lines.push(line) });
  await expect(views.find("s")).rejects.toMatchObject({ problem: { code: "VIEWS_UNAVAILABLE" } });
  await expect(views.caughtUp(1, AbortSignal.timeout(1500))).rejects.toThrow();
  expect(lines.filter((line) => line.includes("failed"))).toHaveLength(1); // told once, though it was started again
  expect(await views.cut(await speaker.session("s"), "deleted")).toBe(1);
});

test.runIf(process.platform === "linux")("only the thread gives way to others", async () => {
  using folder = temporaryTestFolder();
  await using speaker = openViewsLedger(folder.file("ledger.db"));
  await using views = await openViewsHere(speaker, folder.file("views.db"), { start: startViewsWorker });
  const before = priorities();
  await views.caughtUp(await speaker.say([aopEventOf("s", 1, "session.started")]));
  const lowered = priorities().filter((priority) => priority === 10).length - before.filter((priority) => priority === 10).length;
  expect(lowered).toBe(1);
});

/** Priorities of all threads of this process. */
function priorities(): readonly number[] {
  return readdirSync("/proc/self/task").map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}
