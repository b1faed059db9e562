import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { aaepEvent, BENCH_SECRET, confirmationRequested, type EngineBench, openBench } from "../requests/testing/engine-bench.ts";
import type { SessionView } from "../views/api.ts";
import { HubFeed } from "./hub-feed.ts";
import { ServedEntries } from "./served-entries.ts";
import { RunningSessions } from "./sessions-now.ts";

async function openFeed({ ledger }: Pick<EngineBench, "ledger">, items: readonly SessionView[] = []): Promise<HubFeed> {
  const served = new ServedEntries(ledger, BENCH_SECRET);
  const views = { sessions: async () => ({ items }), caughtUp: async () => {} };
  return HubFeed.open({ ledger, served, sessions: new RunningSessions(ledger, views, served), secret: BENCH_SECRET });
}

async function readAll(feed: HubFeed, after = 0): Promise<readonly JsonObject[]> {
  return (await feed.read(after, 1000)).heard.map(({ event }) => event);
}

const EARSHOT = (event: JsonObject | undefined) => (event?.["extensions"] as { earshot: JsonObject } | undefined)?.earshot;

describe("the feed of the hub", () => {
  it("serves what came in AAEP as it was stored, without numbers, and nothing else", async () => {
    await using bench = await openBench();
    const started = aaepEvent("session.started", { summary_normal: "Begins.", sequence_number: 0, "x-own": { deep: [1] } });
    await bench.say([
      started,
      {
        spec: "aop/1.0",
        session_id: "s",
        agent_id: "a",
        sequence: 1,
        timestamp: "2026-01-02T03:04:05.000Z",
        type: "session.started",
        payload: { goal: "g" },
      },
    ]);
    const { sequence_number: _number, ...served } = started;
    using feed = await openFeed(bench);
    const page = await feed.read(0, 10);
    expect(page.heard.map(({ event }) => event)).toEqual([served]);
    expect(page).toMatchObject({ upTo: 2, missed: false });
    expect(page.heard[0]?.text).toBe(JSON.stringify(served));
  });

  it("does not serve what was imported: it is no news, also after a restart", async () => {
    await using bench = await openBench();
    await bench.say(
      [aaepEvent("session.started", { summary_normal: "Long ago.", session_id: "sess_old" }), confirmationRequested()],
      "importer",
      true,
    );
    await bench.say([aaepEvent("session.started", { summary_normal: "Now." })]);
    for (const isAgain of [false, true]) {
      if (isAgain) await bench.restart();
      using feed = await openFeed(bench);
      expect(await feed.read(0, 10)).toMatchObject({ upTo: 3, heard: [{ position: 3, event: { summary_normal: "Now." } }] });
    }
    const running: SessionView[] = [];
    for (const { id, key } of [...(await bench.ledger.findSessions("sess_old")), ...(await bench.ledger.findSessions("sess_1"))]) {
      // The members of a view that are used here.
      running.push({ id, key, agent: "query-doctor", status: "running", lastPosition: 3 } as SessionView);
    }
    expect(running).toHaveLength(3);
    using feed = await openFeed(bench, running);
    expect((await feed.running()).map(({ session }) => session)).toEqual(["sess_1"]);
  });

  it("puts a token of its own in place of the agent's, the same after a restart and another for each question", async () => {
    await using bench = await openBench();
    await bench.say([
      confirmationRequested({ reply_token: "rpl_1" }),
      confirmationRequested({ reply_token: "rpl_1", session_id: "sess_2" }),
    ]);
    using feed = await openFeed(bench);
    const [first, second] = await readAll(feed);
    expect(first?.["reply_token"]).toMatch(/^rpl_[\da-f]{32}$/);
    expect(second?.["reply_token"]).not.toBe(first?.["reply_token"]);
    await bench.restart();
    using again = await openFeed(bench);
    expect(await readAll(again)).toEqual([first, second]);
  });

  it("leaves the token of a question that waits for nobody here", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested({ reply_token: "rpl_own" })], "local");
    using feed = await openFeed(bench);
    expect((await readAll(feed))[0]?.["reply_token"]).toBe("rpl_own");
  });

  it("tells how a question ended, once and always in the same words, by the agent's clock", async () => {
    await using bench = await openBench();
    await bench.say([
      aaepEvent("session.started", { summary_normal: "Begins." }),
      confirmationRequested({ timestamp: "2026-07-01T08:59:00.000Z" }),
    ]);
    const [open] = await bench.ledger.requests({ limit: 1 });
    bench.clock.now += 1500;
    await bench.engine.answer(open?.id ?? "", { by: "Ana's phone", answer: { word: "accept" }, digest: open?.digest ?? "" });
    using feed = await openFeed(bench);
    const [, asked, resolved, ...rest] = await readAll(feed);
    expect(rest).toEqual([]);
    expect(resolved).toMatchObject({
      "@context": ["https://aaep-protocol.org/context/v1", "urn:earshot:aaep:v1"],
      type: "aaep:agent.state.changed",
      session_id: "sess_1",
      producer: { agent_id: "query-doctor" },
      timestamp: "2026-07-01T08:59:01.500Z",
      urgency: "critical",
      from_state: "awaiting_input",
      to_state: "awaiting_input",
      summary_normal: "Allowed by Ana's phone.",
    });
    expect(EARSHOT(resolved)).toEqual({ resolved: asked?.["reply_token"], question: asked?.["event_id"], outcome: "accepted" });
    await bench.restart();
    using again = await openFeed(bench);
    expect((await readAll(again)).at(2)).toEqual(resolved);
  });

  it("tells of silence as silence", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()]);
    await bench.pass(300_000);
    using feed = await openFeed(bench);
    const resolved = (await readAll(feed)).at(-1);
    expect(resolved?.["summary_normal"]).toBe("No answer in time: refused.");
    expect(EARSHOT(resolved)?.["outcome"]).toBe("unanswered");
  });

  it("keeps the chain of states legal, and says nothing where the agent has gone on by itself", async () => {
    await using bench = await openBench();
    const change = (from: string, to: string) => aaepEvent("state.changed", { from_state: from, to_state: to });
    await bench.say([aaepEvent("session.started", { summary_normal: "Begins." }), change("idle", "thinking"), confirmationRequested()]);
    const [open] = await bench.ledger.requests({ limit: 1 });
    await bench.engine.answer(open?.id ?? "", { by: "Ana", answer: { word: "reject" }, digest: open?.digest ?? "" });
    await bench.say([
      confirmationRequested({ session_id: "sess_2" }),
      aaepEvent("state.changed", { session_id: "sess_2", from_state: "awaiting_input", to_state: "deciding" }),
    ]);
    await bench.settled();
    using feed = await openFeed(bench);
    const states = (await readAll(feed)).filter(({ type }) => type === "aaep:agent.state.changed");
    expect(states.map(({ session_id, from_state, to_state }) => [session_id, from_state, to_state])).toEqual([
      ["sess_1", "idle", "thinking"],
      ["sess_1", "thinking", "thinking"],
      ["sess_2", "awaiting_input", "deciding"],
    ]);
  });

  it("finds events by their ids, its own too, and the first of several", async () => {
    await using bench = await openBench();
    const twice = aaepEvent("state.changed", { from_state: "idle", to_state: "thinking", event_id: "evt_twice" });
    await bench.say([twice, confirmationRequested()]);
    await bench.say([twice], "other");
    const [open] = await bench.ledger.requests({ limit: 1 });
    await bench.engine.answer(open?.id ?? "", { by: "Ana", answer: { word: "accept" }, digest: open?.digest ?? "" });
    using feed = await openFeed(bench);
    const heard = (await feed.read(0, 100)).heard;
    expect(heard).toHaveLength(4);
    for (const { eventId, position } of heard.slice(1)) if (eventId !== "evt_twice") expect(await feed.find(eventId)).toBe(position);
    expect(await feed.find("evt_twice")).toBe(1);
    for (const unknown of ["evt_nobody", "", "evt_earshot4x00000000000000000000000000000000"])
      expect(await feed.find(unknown)).toBeUndefined();
    await bench.say([aaepEvent("state.changed", { from_state: "thinking", to_state: "deciding", event_id: "evt_later" })]);
    expect(await feed.find("evt_later")).toBe(feed.head());
  });

  it("wakes, and says what is not kept any more", async () => {
    await using bench = await openBench();
    using feed = await openFeed(bench);
    let woken = 0;
    const stop = feed.onMore(() => {
      woken++;
    });
    await bench.say([aaepEvent("session.started", { summary_normal: "Begins." })]);
    expect(woken).toBeGreaterThan(0);
    stop();
    await bench.say([aaepEvent("session.started", { summary_normal: "Begins.", session_id: "sess_2" })]);
    const before = woken;
    const [first] = await bench.ledger.findSessions("sess_1");
    if (first === undefined) throw new Error("The session was not heard.");
    expect((await feed.read(0, 10)).missed).toBe(false);
    await bench.ledger.cut(first, "pruned");
    expect(await feed.read(0, 10)).toMatchObject({ missed: true });
    expect(await feed.read(1, 10)).toMatchObject({ missed: false, upTo: 2 });
    expect(woken).toBe(before);
  });
});
