import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";
import type { EngineHost, StartEngine } from "./engine-host.ts";
import { startEngineThread } from "./engine-thread.ts";
import { openSpeakingLedger, openViewsHere, said } from "./testing/open-ledger.ts";

/** Starts threads, and remembers them. */
function startsNoted(): { readonly start: StartEngine; readonly hosts: EngineHost[]; readonly end: () => void } {
  const hosts: EngineHost[] = [];
  let last = new AbortController();
  const start: StartEngine = (task, events) => {
    last = new AbortController();
    const host = startEngineThread(task, events, last.signal);
    hosts.push(host);
    return host;
  };
  return { start, hosts, end: () => last.abort() };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("the thread sees what was acknowledged, answers, and tells alerts", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  await using views = await openViewsHere(speaker, folder.file("views.db"), { start: startEngineThread });
  const told: string[] = [];
  views.onAlert(({ type, sessionId }) => told.push(`${type} ${sessionId}`));
  const fail = (sequence: number) =>
    said("s", sequence, "operation.tool_end", { tool_name: "t", tool_call_id: `c${sequence}`, success: false });
  await views.caughtUp(await speaker.say([said("s", 1, "session.started", { goal: "Go" }), fail(2), fail(3), fail(4)]));
  const [session] = await views.find("s");
  expect(session).toMatchObject({ goal: "Go", counts: { events: 4, calls: 3, failedCalls: 3 } });
  expect((await views.calls({ session: session?.key ?? 0, limit: 2 })).items).toHaveLength(2);
  await expect.poll(() => told).toContain("error_cascade s");
  await views.caughtUp(await speaker.say([said("s", 5, "session.ended", { outcome: "failed" })]));
  expect(await views.find("s")).toMatchObject([{ status: "failed" }]);
  // A problem comes back as one.
  await expect(views.search({ text: "", limit: 1 })).rejects.toMatchObject({ problem: { code: "WRONG_QUERY" } });
});

test("nothing is started while there is nothing to do, and what has nothing to do ends; nobody notices", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  const { start, hosts } = startsNoted();
  await using views = await openViewsHere(speaker, folder.file("views.db"), { start, idleMs: 50 });
  expect(hosts).toHaveLength(0);
  await views.caughtUp(await speaker.say([said("s", 1, "session.started")]));
  expect(hosts).toHaveLength(1);
  await hosts[0]?.gone;
  expect(views.position).toBe(1);
  await views.caughtUp(1); // known without a thread
  expect(hosts).toHaveLength(1);
  const answers = await Promise.all([views.find("s"), views.find("s"), views.sessions({ limit: 1 })]);
  expect(answers.map((answer) => ("items" in answer ? answer.items.length : answer.length))).toEqual([1, 1, 1]);
  await hosts[1]?.gone;
  await views.caughtUp(await speaker.say([said("s", 2, "session.ended")]));
  expect(await views.find("s")).toMatchObject([{ counts: { events: 2 } }]);
});

test("a thread that is lost is started again, and whoever asked is answered", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  const { start, hosts, end } = startsNoted();
  await using views = await openViewsHere(speaker, folder.file("views.db"), { start });
  await views.caughtUp(await speaker.say([said("s", 1, "session.started")]));
  const asked = views.find("s");
  end();
  expect(await asked).toHaveLength(1);
  await views.caughtUp(await speaker.say([said("s", 2, "session.ended")]));
  expect(await views.find("s")).toMatchObject([{ counts: { events: 2 } }]);
  expect(hosts.length).toBeGreaterThan(1);
});

test("a thread that cannot run is told of, and keeps nobody waiting nor from deleting", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  await speaker.say([said("s", 1, "session.started")]);
  const lines: string[] = [];
  const start: StartEngine = (task, events) => startEngineThread({ ...task, ledgerPath: folder.file("no-such.db") }, events);
  await using views = await openViewsHere(speaker, folder.file("views.db"), { start, log: (line) => lines.push(line) });
  await expect(views.find("s")).rejects.toMatchObject({ problem: { code: "VIEWS_UNAVAILABLE" } });
  await expect(views.caughtUp(1)).rejects.toMatchObject({ problem: { code: "VIEWS_UNAVAILABLE" } });
  expect(lines.join("\n")).toContain("failed");
  expect(await views.cut(await speaker.session("s"), "deleted")).toBe(1);
});

test.runIf(process.platform === "linux")("only the thread gives way to others", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  await using views = await openViewsHere(speaker, folder.file("views.db"), { start: startEngineThread });
  const before = priorities();
  await views.caughtUp(await speaker.say([said("s", 1, "session.started")]));
  const lowered = priorities().filter((priority) => priority === 10).length - before.filter((priority) => priority === 10).length;
  expect(lowered).toBe(1);
});

/** Of every thread of this process. */
function priorities(): readonly number[] {
  return readdirSync("/proc/self/task").map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}
