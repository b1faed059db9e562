import { describe, expect, test } from "vitest";
import type { Ledger } from "../ledger/ledger.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import type { OpenViews } from "./open-views.ts";
import { aopEventOf, dumpViews, openViewsHere as openViews, openViewsLedger, type ViewsLedger } from "./testing/open-ledger.ts";

const end = (sequence: number) =>
  aopEventOf("s", sequence, "operation.tool_end", { tool_name: "t", tool_call_id: `c${sequence}`, success: false });

const cascades = async (views: OpenViews, source: string) =>
  (await views.aop.alerts({ source, id: "s" }, 99)).filter(({ type }) => type === "error_cascade");

async function expectRebuilt(speaker: ViewsLedger, path: string): Promise<void> {
  const rebuilt = await openViews(speaker, `${path}.rebuilt`);
  await rebuilt.caughtUp(await speaker.ledger.head());
  await rebuilt.close();
  expect(dumpViews(path)).toEqual(dumpViews(`${path}.rebuilt`));
}

/** Replaces the method until disposed. */
function replaceCut(ledger: Ledger, cut: Ledger["cut"]): Disposable {
  const original = ledger.cut;
  ledger.cut = cut;
  return {
    [Symbol.dispose]() {
      ledger.cut = original;
    },
  };
}

describe("cutting a session", () => {
  test("removes its row, its alerts and what it spawned; another source's session of that id stays", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker, folder.file("views.db"));
    const spawn = aopEventOf("s", 9, "operation.agent_spawn", { child_session_id: "child", child_agent_id: "a" });
    await speaker.say([end(1), end(2), end(3), spawn, aopEventOf("child", 1, "session.started")]);
    await speaker.say([end(1), end(2), end(3)], "other");
    await views.caughtUp(await speaker.ledger.head());
    const session = await speaker.session("s");
    expect(await views.cut(session, "deleted")).toBe(4);
    expect((await views.aop.find("s")).map(({ source }) => source)).toEqual(["other"]);
    expect(await cascades(views, "local")).toEqual([]);
    expect(await cascades(views, "other")).toHaveLength(1);
    expect((await views.aop.find("child"))[0]?.parent_session_id).toBeNull();
    expect((await views.find("child"))[0]?.parent).toBeUndefined();
  });

  test("does not wait until the views have followed all that was said meanwhile", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await speaker.say([end(1), end(2)]);
    const much = Array.from({ length: 10_000 }, (_, index) =>
      aopEventOf(`much-${index % 5}`, index + 1, "cognition.thought", { content: "So." }),
    );
    await speaker.say(much);
    await using views = await openViews(speaker, folder.file("views.db"));
    expect(await views.cut(await speaker.session("s"), "deleted")).toBe(2);
    expect(views.position).toBeLessThan(await speaker.ledger.head());
    await views.caughtUp(await speaker.ledger.head());
    expect(await views.aop.find("much-1")).toMatchObject([{ events: 2000 }]);
  });

  test("of which the beginning is cut is folded anew from the rest", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker, folder.file("views.db"));
    await speaker.say([aopEventOf("s", 1, "session.started", { goal: "Go" }), end(2), end(3), end(4), end(5), end(6)]);
    const session = await speaker.session("s");
    await views.cut(session, "pruned", 3);
    await views.caughtUp(await speaker.say([end(7)]));
    expect(await views.aop.find("s")).toMatchObject([{ goal: null, events: 4, first_position: 4 }]);
    expect((await cascades(views, "local")).map(({ position }) => position)).toEqual([6]);
  });

  test("goes on after events that were cut from the very end", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await speaker.say([aopEventOf("other", 1, "session.started"), end(1), end(2)]);
    const session = await speaker.session("s");
    await speaker.ledger.cut(session, "deleted");
    await using views = await openViews(speaker, folder.file("views.db"));
    await views.caughtUp(await speaker.ledger.head());
    expect(await views.find("s")).toEqual([]);
    await views.caughtUp(await speaker.say([end(8)]));
    expect(await views.aop.find("s")).toMatchObject([{ events: 1 }]);
  });

  test("that the ledger was told of directly is followed all the same, while the views run and at their next start", async () => {
    using folder = temporaryTestFolder();
    const path = folder.file("views.db");
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    const views = await openViews(speaker, path);
    await views.caughtUp(await speaker.say([end(1), end(2), aopEventOf("other", 1, "session.started", { goal: "Elephants" })]));
    await speaker.ledger.cut(await speaker.session("s"), "deleted");
    await expect.poll(() => views.find("s")).toEqual([]);
    await views.close();
    await speaker.ledger.erase(3);
    await using again = await openViews(speaker, path);
    await again.caughtUp(await speaker.ledger.head());
    expect((await again.search({ text: "elephants", limit: 1 })).items).toEqual([]);
    await again.close();
    await expectRebuilt(speaker, path);
  });

  test("that fails says so, and the views show what is there", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViews(speaker, folder.file("views.db"));
    await views.caughtUp(await speaker.say([end(1), end(2), end(3)]));
    const session = await speaker.session("s");
    using _ = replaceCut(speaker.ledger, () => Promise.reject(new Error("disk full")));
    await expect(views.cut(session, "deleted")).rejects.toThrow("disk full");
    expect(await views.aop.find("s")).toMatchObject([{ events: 3 }]);
    expect(await cascades(views, "local")).toHaveLength(1);
  });
});
