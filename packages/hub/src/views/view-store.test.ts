import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aopRecordings } from "../../../protocol/testing/aop.ts";
import type { Recording } from "../../../protocol/testing/defect.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";
import type { AopViews } from "./aop-views.ts";
import { AT, dumpViews, openSpeakingLedger, said } from "./testing/open-ledger.ts";
import { openAopViews } from "./view-store.ts";
import type { RaisedAlert } from "./view-tables.ts";

function openViews(ledger: Ledger, path: string, log: (line: string) => void = () => {}): Promise<AopViews> {
  return openAopViews({ path, ledger, now: () => AT, log });
}

const failures = (session: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    said(session, from + index, "operation.tool_end", { tool_name: "t", tool_call_id: `c${from + index}`, success: false }),
  );

describe("reading", () => {
  test("sees what was acknowledged, as soon as it has caught up", async () => {
    using folder = temporaryFolder();
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker.ledger, folder.file("views.db"));
    for (let round = 1; round <= 20; round++) {
      await views.caughtUp(await speaker.say([said("s", round, "cognition.thought", { content: "Hm." })]));
      expect(views.find("s")[0]?.events).toBe(round);
    }
  });

  test("sessions come newest first, by start or by activity, page by page", async () => {
    using folder = temporaryFolder();
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker.ledger, folder.file("views.db"));
    // Two of them start in the same moment.
    const starts = [3, 1, 5, 5, 2].map((second, index) => said(`s${index}`, second, "session.started"));
    await speaker.say(starts);
    await views.caughtUp(await speaker.say([said("s1", 9, "session.heartbeat", { status: "idle" })]));
    const ids = (order: "started" | "activity", limit: number) => {
      const found: string[] = [];
      let before: ReturnType<AopViews["sessions"]>["next"];
      do {
        const list = views.sessions({ order, limit, ...(before === undefined ? {} : { before }) });
        found.push(...list.rows.map(({ id }) => id));
        before = list.next;
      } while (before !== undefined);
      return found;
    };
    for (const limit of [1, 2, 5, 100]) {
      expect(ids("started", limit)).toEqual(["s3", "s2", "s0", "s4", "s1"]);
      expect(ids("activity", limit)).toEqual(["s1", "s4", "s3", "s2", "s0"]);
    }
  });

  test("two sources may use one id; the one heard last comes first", async () => {
    using folder = temporaryFolder();
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker.ledger, folder.file("views.db"));
    await speaker.say([said("s", 1, "session.started", { goal: "one" })], "first");
    await speaker.say([said("s", 1, "session.started", { goal: "two" })], "second");
    await views.caughtUp(await speaker.say([said("s", 2, "session.heartbeat", { status: "idle" })], "first"));
    expect(views.find("s").map(({ goal, source }) => [goal, source])).toEqual([
      ["one", "first"],
      ["two", "second"],
    ]);
    expect(views.find("s", "second").map(({ goal }) => goal)).toEqual(["two"]);
  });

  test("a spawn names the parent of a child that names none, whether it is heard before or after", async () => {
    using folder = temporaryFolder();
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker.ledger, folder.file("views.db"));
    const spawn = (sequence: number, child: string) =>
      said("parent", sequence, "operation.agent_spawn", { child_session_id: child, child_agent_id: "a" });
    const own = said("own", 1, "session.started", {}, { parent_session_id: "another" });
    await views.caughtUp(
      await speaker.say([
        spawn(1, "late"),
        said("late", 1, "session.started"),
        said("early", 1, "session.started"),
        spawn(2, "early"),
        own,
        spawn(3, "own"),
      ]),
    );
    const parents = ["late", "early", "own", "parent"].map((id) => views.find(id)[0]?.parent_session_id);
    expect(parents).toEqual(["parent", "parent", "another", null]);
  });

  test("waiting ends when nobody waits any more, and when the views are closed", async () => {
    using folder = temporaryFolder();
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    const views = await openViews(speaker.ledger, folder.file("views.db"));
    const stop = new AbortController();
    const given = views.caughtUp(1000, stop.signal);
    stop.abort(new Error("gone"));
    await expect(given).rejects.toThrow("gone");
    const waiting = views.caughtUp(1000);
    waiting.catch(() => {}); // looked at below
    await views.close();
    await expect(waiting).rejects.toThrow("stopping");
    await expect(views.caughtUp(1000)).rejects.toThrow("stopping");
    expect(() => views.find("s")).toThrow("cannot be read");
  });
});

describe("alerts", () => {
  test("are told once, in order, and only for what is heard from now on", async () => {
    using folder = temporaryFolder();
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    await speaker.say(failures("old", 1, 3));
    const told: RaisedAlert[] = [];
    await using views = await openViews(speaker.ledger, folder.file("views.db"));
    const stop = views.onAlert((raised) => told.push(raised));
    await views.caughtUp(await speaker.say(failures("new", 1, 6)));
    expect(told.map(({ position, alert }) => [position, alert.session_id, alert.type])).toEqual([
      [6, "new", "error_cascade"],
      [9, "new", "error_cascade"],
    ]);
    expect(views.alertsBetween(0, 6, 10).map(({ position }) => position)).toEqual([3, 6]);
    expect(views.alerts({ source: "local", id: "new" }, 1).map(({ position }) => position)).toEqual([9]);
    stop();
    await views.caughtUp(await speaker.say(failures("new", 10, 3)));
    expect(told).toHaveLength(2);
  });

  test("need as much after a restart as they would have needed without", async () => {
    using folder = temporaryFolder();
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    {
      await using views = await openViews(speaker.ledger, folder.file("views.db"));
      await views.caughtUp(await speaker.say(failures("s", 1, 2)));
    }
    await using views = await openViews(speaker.ledger, folder.file("views.db"));
    await views.caughtUp(await speaker.say(failures("s", 3, 1)));
    expect(views.alerts({ source: "local", id: "s" }, 9)).toHaveLength(1);
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
    "lacks what it needs to begin": (path) => exec(path, "DROP TABLE cutting"),
    "does not say how far it goes": (path) => exec(path, "DELETE FROM watermark"),
    "has nonsense in a row": (path) => exec(path, "UPDATE session SET fold = '{', row = '{'"),
    "has seen more than there is": (path) => exec(path, "UPDATE watermark SET position = 1000"),
    "has seen another ledger": (path) => exec(path, "UPDATE watermark SET received_at = 5; DELETE FROM session"),
    "is a link": (path) => {
      copyFileSync(path, `${path}.target`);
      rmSync(path);
      symlinkSync(`${path}.target`, path);
    },
  };
  test.each(Object.entries(damage))("that %s is built anew", async (name, harm) => {
    using folder = temporaryFolder();
    const path = folder.file("views.db");
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    {
      await using views = await openViews(speaker.ledger, path);
      await views.caughtUp(await speaker.say([said("s", 1, "session.started", { goal: "Go on" }), ...failures("s", 2, 3)]));
    }
    harm(path);
    const lines: string[] = [];
    await using views = await openViews(speaker.ledger, path, (line) => lines.push(line));
    await views.caughtUp(await speaker.say([said("s", 9, "session.ended", { outcome: "failed" })]));
    // Some damage shows only when a table is used; that reading fails then, and the next one is right.
    try {
      views.find("s");
      views.alerts({ source: "local", id: "s" }, 9);
    } catch {
      await views.caughtUp(await speaker.ledger.head());
    }
    expect(views.find("s")).toMatchObject([{ goal: "Go on", status: "failed", events: 5 }]);
    expect(views.alerts({ source: "local", id: "s" }, 9)).toHaveLength(1);
    if (name !== "is gone") expect(lines.join("\n")).toContain("built anew");
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    if (name === "is a link") expect(existsSync(`${path}.target`)).toBe(true);
  });

  test("that cannot be had at all leaves the views in memory", async () => {
    using folder = temporaryFolder();
    const path = folder.file("views.db");
    mkdirSync(path);
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    const lines: string[] = [];
    await using views = await openViews(speaker.ledger, path, (line) => lines.push(line));
    await views.caughtUp(await speaker.say([said("s", 1, "session.started")]));
    expect(views.find("s")).toHaveLength(1);
    expect(lines.join("\n")).toContain("in memory");
  });

  test("is written again when that was not possible for a while", async () => {
    using folder = temporaryFolder();
    const path = folder.file("views.db");
    await using speaker = openSpeakingLedger(folder.file("ledger.db"));
    const lines: string[] = [];
    await using views = await openViews(speaker.ledger, path, (line) => lines.push(line));
    await views.caughtUp(await speaker.say([said("s", 1, "session.started")]));
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const position = await speaker.say([said("s", 2, "session.ended")]);
    await expect(views.caughtUp(position, AbortSignal.timeout(200))).rejects.toThrow();
    expect(views.find("s")).toMatchObject([{ status: "running" }]);
    expect(lines).toHaveLength(1);
    other.exec("ROLLBACK");
    other.close();
    await views.caughtUp(position);
    expect(views.find("s")).toMatchObject([{ status: "completed", events: 2 }]);
  });
});

test("more sessions than are kept at hand are taken up again where they were", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  await using views = await openViews(speaker.ledger, folder.file("views.db"));
  const ids = Array.from({ length: 1200 }, (_, index) => `s${index}`);
  await speaker.say(ids.map((id) => said(id, 1, "session.started", { goal: id })));
  await views.caughtUp(await speaker.say(ids.map((id) => said(id, 2, "session.ended"))));
  for (const id of ["s0", "s600", "s1199"]) expect(views.find(id)).toMatchObject([{ goal: id, status: "completed", events: 2 }]);
});

type Step =
  | { readonly does: "say"; readonly recording: Recording }
  | { readonly does: "restart" | "forget" | "remember"; readonly after: number };

test("after any history the views are what a rebuild makes of the ledger", async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: aopRecordings.map((recording): Step => ({ does: "say", recording })) },
    { weight: 3, arbitrary: fc.record({ does: fc.constantFrom("restart", "forget", "remember"), after: fc.nat(40) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      using folder = temporaryFolder();
      const path = folder.file("views.db");
      await using speaker = openSpeakingLedger(folder.file("ledger.db"));
      const lines: string[] = [];
      const log = (line: string) => lines.push(line);
      let views = await openViews(speaker.ledger, path, log);
      for (const one of steps) {
        if (one.does === "say") await speaker.say(one.recording);
        else {
          // Stops somewhere on the way. A power cut may take the last moments: then an older file is found.
          for (let turns = one.after; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
          await views.close();
          if (one.does === "remember") copyFileSync(path, folder.file("older.db"));
          if (one.does === "forget" && existsSync(folder.file("older.db"))) copyFileSync(folder.file("older.db"), path);
          views = await openViews(speaker.ledger, path, log);
        }
      }
      await views.caughtUp(await speaker.ledger.head());
      await views.close();
      const rebuilt = await openViews(speaker.ledger, folder.file("rebuilt.db"));
      await rebuilt.caughtUp(await speaker.ledger.head());
      await rebuilt.close();
      expect(dumpViews(path)).toEqual(dumpViews(folder.file("rebuilt.db")));
      expect(lines).toEqual([]); // nothing was mended behind our back
    }),
    { numRuns: 60 },
  );
});

function exec(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

test("a ledger that cannot be read is tried again with a pause, and told of once", async () => {
  using folder = temporaryFolder();
  await using speaker = openSpeakingLedger(folder.file("ledger.db"));
  const broken: Ledger = Object.assign(Object.create(speaker.ledger) as Ledger, {
    head: async () => 1,
    follow: () => () => {},
    read: async () => JSON.parse("{brok") as never,
  });
  const lines: string[] = [];
  await using views = await openViews(broken, folder.file("views.db"), (line) => lines.push(line));
  await expect(views.caughtUp(1, AbortSignal.timeout(700))).rejects.toThrow();
  expect(lines.length).toBeLessThanOrEqual(5);
});
