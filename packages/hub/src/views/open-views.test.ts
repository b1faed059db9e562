import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { ALERT_THRESHOLDS } from "./alerts/detector.ts";
import type { Alert } from "./api.ts";
import { type ListCursor, STALLED_AFTER_MS } from "./collector-rows.ts";
import type { LedgerReading } from "./ledger-reading.ts";
import type { OpenViews } from "./open-views.ts";
import { aopEventOf, dumpViews, openViewsHere, openViewsLedger, type ViewsLedger } from "./testing/open-ledger.ts";

const openViews = (speaker: ViewsLedger, path: string, log: (line: string) => void = () => {}) => openViewsHere(speaker, path, { log });

const failures = (session: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    aopEventOf(session, from + index, "operation.tool_end", { tool_name: "t", tool_call_id: `c${from + index}`, success: false }),
  );

const well = (session: string, sequence: number) =>
  aopEventOf(session, sequence, "operation.tool_end", { tool_name: "t", tool_call_id: `c${sequence}`, success: true });

const cascadesOf = async (views: OpenViews, id: string) =>
  (await views.aop.alerts({ source: "local", id }, 99)).filter(({ type }) => type === "error_cascade");

describe("reading", () => {
  test("sees what was acknowledged, as soon as it has caught up", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker, folder.file("views.db"));
    for (let round = 1; round <= 20; round++) {
      await views.caughtUp(await speaker.say([aopEventOf("s", round, "cognition.thought", { content: "Hm." })]));
      expect((await views.aop.find("s"))[0]?.events).toBe(round);
    }
  });

  test("sessions come newest first, by start or by activity, page by page", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker, folder.file("views.db"));
    // Two of them start at the same time.
    const starts = [3, 1, 5, 5, 2].map((second, index) => aopEventOf(`s${index}`, second, "session.started"));
    await speaker.say(starts);
    await views.caughtUp(await speaker.say([aopEventOf("s1", 9, "session.heartbeat", { status: "idle" })]));
    const ids = async (order: "started" | "activity", limit: number) => {
      const found: string[] = [];
      let before: ListCursor | undefined;
      do {
        const list = await views.aop.sessions({ order, limit, ...(before === undefined ? {} : { before }) });
        found.push(...list.rows.map(({ id }) => id));
        before = list.next;
      } while (before !== undefined);
      return found;
    };
    for (const limit of [1, 2, 5, 100]) {
      expect(await ids("started", limit)).toEqual(["s3", "s2", "s0", "s4", "s1"]);
      expect(await ids("activity", limit)).toEqual(["s1", "s4", "s3", "s2", "s0"]);
    }
  });

  test("two sources may use one id; the one heard last comes first", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker, folder.file("views.db"));
    await speaker.say([aopEventOf("s", 1, "session.started", { goal: "one" })], "first");
    await speaker.say([aopEventOf("s", 1, "session.started", { goal: "two" })], "second");
    await views.caughtUp(await speaker.say([aopEventOf("s", 2, "session.heartbeat", { status: "idle" })], "first"));
    expect((await views.aop.find("s")).map(({ goal, source }) => [goal, source])).toEqual([
      ["one", "first"],
      ["two", "second"],
    ]);
  });

  test("a spawn names the parent of a child that names none, whether it is heard before or after", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker, folder.file("views.db"));
    const spawn = (sequence: number, child: string) =>
      aopEventOf("parent", sequence, "operation.agent_spawn", { child_session_id: child, child_agent_id: "a" });
    const own = aopEventOf("own", 1, "session.started", {}, { parent_session_id: "another" });
    await views.caughtUp(
      await speaker.say([
        spawn(1, "late"),
        aopEventOf("late", 1, "session.started"),
        aopEventOf("early", 1, "session.started"),
        spawn(2, "early"),
        own,
        spawn(3, "own"),
      ]),
    );
    const ids = ["late", "early", "own", "parent"];
    const rows = await Promise.all(ids.map((id) => views.aop.find(id)));
    expect(rows.map(([row]) => row?.parent_session_id)).toEqual(["parent", "parent", "another", null]);
    const found = await Promise.all(ids.map((id) => views.find(id)));
    expect(found.map(([session]) => [session?.parent?.id, session?.parent?.inferred])).toEqual([
      ["parent", true],
      ["parent", true],
      ["another", false],
      [undefined, undefined],
    ]);
  });

  test("waiting ends when nobody waits any more, and when the views are closed", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    const views = await openViews(speaker, folder.file("views.db"));
    const stop = new AbortController();
    const given = views.caughtUp(1000, stop.signal);
    stop.abort(new Error("gone"));
    await expect(given).rejects.toThrow("gone");
    const waiting = views.caughtUp(1000);
    waiting.catch(() => {}); // looked at below
    await views.close();
    await expect(waiting).rejects.toThrow("stopping");
    await expect(views.caughtUp(1000)).rejects.toThrow("stopping");
    await expect(views.find("s")).rejects.toThrow("cannot be read");
  });
});

describe("alerts", () => {
  test("are told once, in order, and only for what is heard from now on", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await speaker.say(failures("old", 1, 3));
    const told: Alert[] = [];
    await using views = await openViews(speaker, folder.file("views.db"));
    const stop = views.onAlert((raised) => told.push(raised));
    await speaker.say([...failures("new", 1, 3), well("new", 4), ...failures("new", 5, 5)]);
    await views.caughtUp(await speaker.ledger.head());
    await expect.poll(() => told).toHaveLength(2);
    expect(told.map(({ position, sessionId, type }) => [position, sessionId, type])).toEqual([
      [6, "new", "error_cascade"],
      [10, "new", "error_cascade"],
    ]);
    const cascades = await views.alerts({ type: ["error_cascade"], limit: 2 });
    expect(cascades.items.map(({ position }) => position)).toEqual([10, 6]);
    const rest = await views.alerts({
      type: ["error_cascade"],
      limit: 2,
      ...(cascades.next === undefined ? {} : { after: cascades.next }),
    });
    expect(rest).toEqual({ items: [expect.objectContaining({ position: 3, sessionId: "old" })] });
    stop();
    await views.caughtUp(await speaker.say([well("new", 10), ...failures("new", 11, 3)]));
    expect((await views.alerts({ type: ["error_cascade"], limit: 9 })).items).toHaveLength(4);
    expect(told).toHaveLength(2);
  });
});

describe("the file", () => {
  const damage: Readonly<Record<string, (path: string) => void>> = {
    "is gone": (path) => rmSync(path),
    "is empty": (path) => writeFileSync(path, ""),
    "is no database": (path) => writeFileSync(path, "what is this? ".repeat(1000)),
    "is older": (path) => exec(path, "PRAGMA user_version = 0"),
    "is newer": (path) => exec(path, "PRAGMA user_version = 99"),
    "is another program's": (path) => exec(path, "PRAGMA application_id = 7"),
    "lacks a table": (path) => exec(path, "DROP TABLE alert"),
    "lacks what it needs to begin": (path) => exec(path, "DROP TABLE watermark"),
    "does not say how far it goes": (path) => exec(path, "DELETE FROM watermark"),
    "has nonsense in a row": (path) => exec(path, "UPDATE session SET state = '{'"),
    "has seen more than there is": (path) => exec(path, "UPDATE watermark SET position = 1000"),
    "has seen another ledger": (path) => exec(path, "UPDATE watermark SET received_at = 5; DELETE FROM session"),
    "is a link": (path) => {
      copyFileSync(path, `${path}.target`);
      rmSync(path);
      symlinkSync(`${path}.target`, path);
    },
  };
  test.each(Object.entries(damage))("that %s is built anew", async (name, harm) => {
    using folder = temporaryTestFolder();
    const path = folder.file("views.db");
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    {
      await using views = await openViews(speaker, path);
      await views.caughtUp(await speaker.say([aopEventOf("s", 1, "session.started", { goal: "Go on" }), ...failures("s", 2, 3)]));
    }
    harm(path);
    const lines: string[] = [];
    await using views = await openViews(speaker, path, (line) => lines.push(line));
    await views.caughtUp(await speaker.say([aopEventOf("s", 9, "session.ended", { outcome: "failed" })]));
    // Some damage shows only when a table is used: that read fails, and the next one succeeds.
    try {
      await views.find("s");
      await views.aop.find("s");
      await cascadesOf(views, "s");
    } catch {
      await views.caughtUp(await speaker.ledger.head());
    }
    expect(await views.aop.find("s")).toMatchObject([{ goal: "Go on", status: "failed", events: 5 }]);
    expect(await views.find("s")).toMatchObject([{ goal: "Go on", status: "failed", counts: { events: 5, calls: 3, failedCalls: 3 } }]);
    expect(await cascadesOf(views, "s")).toHaveLength(1);
    if (name !== "is gone") expect(lines.join("\n")).toContain("built anew");
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    if (name === "is a link") expect(existsSync(`${path}.target`)).toBe(true);
  });

  test("that cannot be had is told of once, and made when that is possible", async () => {
    using folder = temporaryTestFolder();
    const path = folder.file("views.db");
    mkdirSync(path);
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    const lines: string[] = [];
    await using views = await openViews(speaker, path, (line) => lines.push(line));
    const position = await speaker.say([aopEventOf("s", 1, "session.started")]);
    await expect(views.find("s")).rejects.toMatchObject({ problem: { code: "VIEWS_UNAVAILABLE" } });
    rmSync(path, { recursive: true });
    await views.caughtUp(position);
    expect(await views.find("s")).toHaveLength(1);
    expect(lines).toHaveLength(2);
  });

  test("is written again when that was not possible for a while", async () => {
    using folder = temporaryTestFolder();
    const path = folder.file("views.db");
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    const lines: string[] = [];
    await using views = await openViews(speaker, path, (line) => lines.push(line));
    await views.caughtUp(await speaker.say([aopEventOf("s", 1, "session.started")]));
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const position = await speaker.say([aopEventOf("s", 2, "session.ended")]);
    await expect(views.caughtUp(position, AbortSignal.timeout(200))).rejects.toThrow();
    expect(await views.find("s")).toMatchObject([{ status: "running" }]);
    expect(lines).toHaveLength(1);
    other.exec("ROLLBACK");
    other.close();
    await views.caughtUp(position);
    expect(await views.find("s")).toMatchObject([{ status: "ended", counts: { events: 2 } }]);
  });
});

test("more sessions than are kept at hand are taken up again where they were", async () => {
  using folder = temporaryTestFolder();
  await using speaker = openViewsLedger(folder.file("ledger.db"));
  await using views = await openViews(speaker, folder.file("views.db"));
  const ids = Array.from({ length: 1200 }, (_, index) => `s${index}`);
  await speaker.say(ids.map((id) => aopEventOf(id, 1, "session.started", { goal: id })));
  await views.caughtUp(await speaker.say(ids.map((id) => aopEventOf(id, 2, "session.ended"))));
  for (const id of ["s0", "s600", "s1199"])
    expect(await views.find(id)).toMatchObject([{ goal: id, status: "ended", counts: { events: 2 } }]);
});

function exec(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

test("a ledger that cannot be read is tried again with a pause, and told of once", async () => {
  using folder = temporaryTestFolder();
  await using speaker = openViewsLedger(folder.file("ledger.db"));
  await speaker.say([aopEventOf("s", 1, "session.started")]);
  const { ledger } = speaker;
  const broken: LedgerReading = {
    head: () => ledger.head(),
    read: async () => JSON.parse("{brok") as never,
    readSession: (query) => ledger.readSession(query),
    removals: (query) => ledger.removals(query),
  };
  const lines: string[] = [];
  await using views = await openViewsHere(speaker, folder.file("views.db"), { log: (line) => lines.push(line), reading: broken });
  await expect(views.caughtUp(1, AbortSignal.timeout(700))).rejects.toThrow();
  expect(lines).toHaveLength(1);
});

test("silence is told when it has lasted too long, once, and a rebuild raises the same alert", async () => {
  using folder = temporaryTestFolder();
  await using speaker = openViewsLedger(folder.file("ledger.db"));
  speaker.setClock(Date.now());
  const options = { now: Date.now, thresholds: { ...ALERT_THRESHOLDS, stallSeconds: 1 } };
  const told: Alert[] = [];
  {
    await using views = await openViewsHere(speaker, folder.file("views.db"), options);
    views.onAlert((alert) => told.push(alert));
    const heard = [aopEventOf("s", 1, "session.started", { goal: "Go" }), aopEventOf("s", 2, "session.heartbeat", { status: "running" })];
    await views.caughtUp(await speaker.say(heard));
    expect((await views.find("s"))[0]?.status).toBe("running");
    await expect.poll(() => told, { timeout: 20_000 }).toMatchObject([{ type: "stall", position: 2, sessionId: "s" }]);
    expect((await views.find("s"))[0]).toMatchObject({ status: "stalled", counts: { alerts: 1 } });
    expect((await views.alerts({ limit: 9 })).items).toEqual(told);
    // A heartbeat makes it running again; the alert stays and is not repeated.
    speaker.setClock(Date.now());
    await views.caughtUp(await speaker.say([aopEventOf("s", 3, "session.ended", { outcome: "completed" })]));
    expect(await views.find("s")).toMatchObject([{ status: "completed" }]);
  }
  await using rebuilt = await openViewsHere(speaker, folder.file("rebuilt.db"), options);
  await rebuilt.caughtUp(await speaker.ledger.head());
  await rebuilt.close();
  expect(dumpViews(folder.file("rebuilt.db"))).toEqual(dumpViews(folder.file("views.db")));
  expect(told).toHaveLength(1);
});

test("after sleep nobody has stalled before a whole limit in which they could have been heard", async () => {
  using folder = temporaryTestFolder();
  await using speaker = openViewsLedger(folder.file("ledger.db"));
  const clock = { now: 0, sleptUntil: undefined as number | undefined };
  const clocks = { now: () => clock.now, sleptUntil: () => clock.sleptUntil };
  await using views = await openViewsHere(speaker, folder.file("views.db"), clocks);
  await views.caughtUp(
    await speaker.say([
      aopEventOf("s", 1, "session.started", { goal: "Go" }),
      aopEventOf("s", 2, "session.heartbeat", { status: "running" }),
    ]),
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
