import type { JsonObject, ProtocolName } from "@earshot/protocol";
import { describe, expect, test } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import type { StoryItem, StoryPage } from "./api.ts";
import type { OpenViews } from "./open-views.ts";
import { aaepEventOf, actionEvent, aepEvent } from "./testing/events.ts";
import { aopEventOf, openViewsHere, openViewsLedger } from "./testing/open-ledger.ts";

type Saying = readonly JsonObject[];

/** The views of these events in the given order. */
async function hear(said: Partial<Record<ProtocolName, Saying>>, look: (views: OpenViews) => Promise<void>): Promise<void> {
  using folder = temporaryTestFolder();
  await using speaker = openViewsLedger(folder.file("ledger.db"));
  await using views = await openViewsHere(speaker, folder.file("views.db"));
  for (const protocol of ["aaep", "aep", "aop"] as const) await speaker.say(said[protocol] ?? [], "local", protocol);
  expect(await speaker.ledger.head()).toBe(Object.values(said).flat().length); // none was refused
  await views.caughtUp(await speaker.ledger.head());
  await look(views);
}

const only = async (views: OpenViews, id: string) => {
  const [session] = await views.find(id);
  if (session === undefined) throw new Error(`No session ${id}.`);
  return session;
};

async function wholeStory(views: OpenViews, session: number, limit: number): Promise<readonly StoryItem[]> {
  const items = await readForwards(views, session, limit);
  expect(await readBackwards(views, session, limit)).toEqual(items);
  return items;
}

async function readBackwards(views: OpenViews, session: number, limit: number): Promise<readonly StoryItem[]> {
  let items: readonly StoryItem[] = [];
  for (let before: number | "end" | undefined = "end"; before !== undefined; ) {
    const page: StoryPage = await views.story({ session, limit, before });
    expect(page.items.length).toBeLessThanOrEqual(Math.max(limit, 2));
    items = [...page.items, ...items];
    before = page.earlier;
  }
  return items;
}

async function readForwards(views: OpenViews, session: number, limit: number): Promise<readonly StoryItem[]> {
  const items: StoryItem[] = [];
  for (let after: string | undefined; ; ) {
    const page = await views.story({ session, limit, ...(after === undefined ? {} : { after }) });
    expect(page.items.length).toBeLessThanOrEqual(Math.max(limit, 2));
    items.push(...page.items);
    after = page.next;
    if (after === undefined) return items;
  }
}

describe("a session", () => {
  test("whose end is heard first and whose start is heard last is right, and marked", async () => {
    const end = aopEventOf("s", 4, "session.ended", { outcome: "failed" });
    const start = aopEventOf("s", 1, "session.started", { goal: "Go" });
    await hear({ aop: [end, aopEventOf("s", 2, "cognition.thought", { content: "Hm." }), start] }, async (views) => {
      expect(await only(views, "s")).toMatchObject({ status: "failed", goal: "Go", marks: ["started-late", "gap"], durationMs: 3000 });
    });
    await hear({ aop: [start, end, aopEventOf("s", 9, "cognition.thought", { content: "Hm." })] }, async (views) => {
      expect((await only(views, "s")).marks).toEqual(["spoke-after-end", "gap"]);
    });
    await hear({ aop: [aopEventOf("s", 2, "cognition.thought", { content: "Hm." })] }, async (views) => {
      expect((await only(views, "s")).marks).toEqual(["never-started"]);
    });
  });

  test("that is resumed after its end goes on", async () => {
    const life = [
      aepEvent("s", 1, "session.start"),
      aepEvent("s", 2, "session.end"),
      aepEvent("s", 5, "session.start", { lifecycle: { source: "resume" } }),
    ];
    await hear({ aep: life }, async (views) => {
      const session = await only(views, "s");
      expect(session.status).not.toBe("ended");
      expect(session).not.toHaveProperty("endedAt");
    });
    // A late start does not reopen an ended session.
    await hear({ aep: [life[1] ?? {}, life[0] ?? {}] }, async (views) => {
      expect(await only(views, "s")).toMatchObject({ status: "ended", marks: ["started-late"] });
    });
  });

  test("waits while a question is open", async () => {
    const ask = aaepEventOf("sess_s", 2, "agent.awaiting.confirmation", {
      ...{ urgency: "critical", action: "Drop it.", consequence: "It is gone.", summary_normal: "May I?" },
      ...{ reply_token: "rpl_1", timeout_seconds: 60, default_decision: "reject" },
    });
    const start = aaepEventOf("sess_s", 1, "agent.session.started", { request_text: "Tidy up", summary_normal: "On it." });
    await hear({ aaep: [start, ask] }, async (views) => {
      expect(await only(views, "sess_s")).toMatchObject({ status: "waiting", goal: "Tidy up", counts: { openRequests: 1 } });
      expect((await views.sessions({ status: ["waiting"], limit: 9 })).items).toHaveLength(1);
      expect((await views.sessions({ status: ["running", "stalled", "failed"], limit: 9 })).items).toEqual([]);
    });
  });

  test("is idle between two turns", async () => {
    const turn = [
      aepEvent("s", 1, "session.start"),
      aepEvent("s", 2, "prompt.submitted", { content: [{ type: "prompt", text: "Go" }] }),
      aepEvent("s", 3, "agent.stop"),
    ];
    await hear({ aep: turn }, async (views) => expect(await only(views, "s")).toMatchObject({ status: "idle", counts: { prompts: 1 } }));
    const more = [...turn, aepEvent("s", 4, "prompt.submitted", { content: [{ type: "prompt", text: "On" }] })];
    await hear({ aep: more }, async (views) => expect(await only(views, "s")).toMatchObject({ status: "running" }));
  });

  test("is known by what it was asked first, in any order of arrival, where it names no goal", async () => {
    const prompts = [2, 3].map((second) =>
      aepEvent("s", second, "prompt.submitted", { content: [{ type: "prompt", text: `Ask ${second}` }] }),
    );
    for (const order of [prompts, prompts.toReversed()]) {
      await hear({ aep: order }, async (views) => expect(await only(views, "s")).toMatchObject({ goal: "Ask 2" }));
    }
  });
});

describe("calls", () => {
  test("are one row each, from request to outcome, in any order of arrival", async () => {
    const parts = [
      actionEvent("s", 1, "requested", "c1", { action: { input: { command: "ls" } } }),
      actionEvent("s", 2, "requested", "c2", { action: { input: { command: "rm" } } }),
      actionEvent("s", 4, "completed", "c1", { action: { status: "success", output: "a b" } }),
      actionEvent("s", 5, "failed", "c2", { action: { status: "failure", error: { message: "no" } } }),
    ];
    for (const order of [parts, parts.toReversed()]) {
      await hear({ aep: order }, async (views) => {
        const { key, counts } = await only(views, "s");
        const calls = (await views.calls({ session: key, limit: 10 })).items;
        const told = calls.map(({ callId, state, subject, durationMs, error }) => [callId, state, subject, durationMs, error]);
        expect(told.sort()).toEqual([
          ["c1", "succeeded", "ls", 3000, undefined],
          ["c2", "failed", "rm", 3000, "no"],
        ]);
        expect(counts).toMatchObject({ calls: 2, failedCalls: 1 });
      });
    }
  });

  test("come in pages", async () => {
    const parts = Array.from({ length: 5 }, (_, index) => actionEvent("s", index, "requested", `c${index}`));
    await hear({ aep: parts }, async (views) => {
      const { key } = await only(views, "s");
      const found: (string | undefined)[] = [];
      for (let after: string | undefined, more = true; more; more = after !== undefined) {
        const page = await views.calls({ session: key, limit: 2, ...(after === undefined ? {} : { after }) });
        found.push(...page.items.map(({ callId }) => callId));
        after = page.next;
      }
      expect(found).toEqual(["c0", "c1", "c2", "c3", "c4"]);
    });
  });
});

describe("the story", () => {
  const chunk = (second: number, text: string, position: number, last = false) =>
    aaepEventOf("sess_s", second, "agent.output.streaming", { chunk: text, output_id: "out_1", position, complete: last });

  test("tells a call once, and an output once, page by page, whatever the size of the page", async () => {
    const events = [
      aepEvent("s", 1, "session.start"),
      aepEvent("s", 2, "prompt.submitted", { content: [{ type: "prompt", text: "List." }] }),
      actionEvent("s", 3, "requested", "c1", { action: { input: { command: "ls" } } }),
      actionEvent("s", 4, "completed", "c1", { action: { status: "success", output: "a b" } }),
      aepEvent("s", 5, "session.end"),
    ];
    await hear({ aep: events }, async (views) => {
      const { key } = await only(views, "s");
      const whole = await wholeStory(views, key, 100);
      expect(whole.map(({ activity }) => activity.kind)).toEqual(["session.opened", "prompt", "tool.requested", "session.closed"]);
      expect(whole[2]?.call).toMatchObject({ state: "succeeded", result: "a b", subject: "ls" });
      for (const limit of [1, 2, 3]) expect(await wholeStory(views, key, limit)).toEqual(whole);
      const position = whole[2]?.position ?? 0;
      expect((await views.story({ session: key, limit: 1, from: position })).items).toEqual([whole[2]]);
      // The end of the call is part of it, so the story continues after it.
      expect((await views.story({ session: key, limit: 9, from: position + 1 })).items.map(({ activity }) => activity.kind)).toEqual([
        "session.closed",
      ]);
    });
    await hear({ aaep: [chunk(1, "Good ", 0), chunk(2, "morning.", 5, true)] }, async (views) => {
      const { key } = await only(views, "sess_s");
      expect(await wholeStory(views, key, 10)).toMatchObject([{ output: { text: "Good morning.", complete: true, gaps: false } }]);
    });
  });

  test("shows alerts and flags with the entry they are about, also where it belongs to a call", async () => {
    const start = (sequence: number) =>
      aopEventOf("s", sequence, "operation.tool_start", { tool_name: "t", tool_call_id: `c${sequence}`, input: {} });
    const end = (sequence: number) =>
      aopEventOf("s", sequence + 1, "operation.tool_end", { tool_name: "t", tool_call_id: `c${sequence}`, success: false });
    const events = [aopEventOf("s", 1, "session.started"), ...[2, 4, 6].flatMap((sequence) => [start(sequence), end(sequence)])];
    await hear({ aop: events }, async (views) => {
      const { key, counts } = await only(views, "s");
      const story = await wholeStory(views, key, 2);
      const alerts = story.flatMap((item) => item.alerts.map(({ type }) => [type, item.position, item.continues]));
      expect(alerts).toContainEqual(["error_cascade", 7, 6]);
      expect(counts.alerts).toBe(alerts.length);
    });
  });

  test("begins at a position, and has nothing from beyond its end, in every protocol", async () => {
    const thought = (sequence: number) => aopEventOf("s", sequence, "cognition.thought", { content: `Number ${sequence}.` });
    const spoken: readonly Partial<Record<ProtocolName, Saying>>[] = [
      { aop: [aopEventOf("s", 1, "session.started"), thought(2), thought(3)] },
      { aep: [1, 2, 3].map((second) => aepEvent("s", second, "prompt.submitted", { content: [{ type: "prompt", text: "Go on." }] })) },
    ];
    for (const one of spoken) {
      await hear(one, async (views) => {
        const { key } = await only(views, "s");
        const from = async (position: number) =>
          (await views.story({ session: key, limit: 9, from: position })).items.map((item) => item.position);
        expect(await Promise.all([0, 1, 2, 3, 4, 5, 1e9].map(from))).toEqual([[1, 2, 3], [1, 2, 3], [2, 3], [3], [], [], []]);
        const before = async (position: number) =>
          (await views.story({ session: key, limit: 9, before: position })).items.map((item) => item.position);
        expect(await Promise.all([0, 1, 2, 3, 4, 5, 1e9].map(before))).toEqual([[], [], [1], [1, 2], [1, 2, 3], [1, 2, 3], [1, 2, 3]]);
      });
    }
  });

  test("begins with its own session where another source has one of the same id", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViewsHere(speaker, folder.file("views.db"));
    const thought = (sequence: number) => aopEventOf("s", sequence, "cognition.thought", { content: "Hm." });
    await speaker.say([thought(1), thought(2)], "one", "aop");
    await speaker.say([thought(1), thought(2)], "other", "aop");
    await speaker.say([thought(3)], "one", "aop");
    await views.caughtUp(await speaker.ledger.head());
    const own = (await views.find("s")).find(({ source }) => source === "one");
    const from = async (position: number) =>
      (await views.story({ session: own?.key ?? 0, limit: 9, from: position })).items.map((item) => item.position);
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map(from))).toEqual([[1, 2, 5], [2, 5], [5], [5], [5], []]);
  });

  test("is read backwards in the session's own order, whatever order it arrived in", async () => {
    const thought = (sequence: number) => aopEventOf("s", sequence, "cognition.thought", { content: `Number ${sequence}.` });
    await hear({ aop: [3, 1, 5, 2, 4].map(thought) }, async (views) => {
      const { key } = await only(views, "s");
      expect((await readForwards(views, key, 3)).length).toBe(5);
      for (const limit of [1, 2, 3, 9]) await wholeStory(views, key, limit);
    });
  });

  test("ends a page of a long output without items, and goes on before it", async () => {
    const pieces = Array.from({ length: 2500 }, (_, index) => chunk(index, "x", index));
    await hear(
      { aaep: [aaepEventOf("sess_s", 0, "agent.session.started", { request_text: "Go", summary_normal: "On it." }), ...pieces] },
      async (views) => {
        const { key } = await only(views, "sess_s");
        expect((await readBackwards(views, key, 10)).map(({ position }) => position)).toEqual([1, 2]);
      },
    );
  });

  test("bounds what one thing says", async () => {
    const huge = { text: "x".repeat(200_000), list: Array.from({ length: 5000 }, (_, index) => index) };
    await hear({ aop: [aopEventOf("s", 1, "operation.tool_start", { tool_name: "t", tool_call_id: "c", input: huge })] }, async (views) => {
      const { key } = await only(views, "s");
      const page = await views.story({ session: key, limit: 10 });
      expect(JSON.stringify(page).length).toBeLessThan(60_000);
    });
  });
});

describe("costs", () => {
  const spent = (second: number, tokens: number, tool: string) =>
    aopEventOf("s", second, "operation.tool_end", {
      tool_name: tool,
      tool_call_id: `c${second}`,
      success: true,
      metadata: { token_spend_delta: tokens },
    });
  const ended = (second: number, session = "s") =>
    aopEventOf(session, second, "session.ended", { outcome: "completed", metadata: { total_cost_usd: 0.25 } });

  test("are what was supplied: parts are added, a total counts instead of them", async () => {
    await hear({ aop: [spent(1, 100, "a"), spent(2, 50, "b"), spent(3, 7, "a")] }, async (views) => {
      expect(await only(views, "s")).toMatchObject({ tokens: { total: 157 } });
      expect(await only(views, "s")).not.toHaveProperty("costUsd");
      const { lines, total } = await views.costs({ by: "tool", limit: 10 });
      expect(lines.map(({ name, tokens }) => [name, tokens?.total])).toEqual([
        ["a", 107],
        ["b", 50],
      ]);
      expect(total).toEqual({ tokens: { total: 157 }, events: 3 });
    });
    const told = aopEventOf("s", 9, "session.ended", { outcome: "completed", total_tokens: 200, metadata: { total_cost_usd: 0.25 } });
    await hear({ aop: [spent(1, 100, "a"), told, spent(2, 50, "b")] }, async (views) => {
      expect(await only(views, "s")).toMatchObject({ tokens: { total: 200 }, costUsd: 0.25 });
      expect((await views.costs({ by: "session", limit: 10 })).lines).toMatchObject([{ name: "s", costUsd: 0.25, tokens: { total: 200 } }]);
      expect((await views.costs({ by: "day", limit: 10 })).lines).toMatchObject([{ name: "2026-03-01", costUsd: 0.25 }]);
      expect((await views.costs({ by: "agent", limit: 10, from: "2026-03-01", to: "2026-03-01" })).lines).toMatchObject([
        { name: "agent" },
      ]);
      expect((await views.costs({ by: "agent", limit: 10, from: "2026-03-02" })).lines).toEqual([]);
    });
  });

  test("of a session that is removed go with it", async () => {
    using folder = temporaryTestFolder();
    await using speaker = openViewsLedger(folder.file("ledger.db"));
    await using views = await openViewsHere(speaker, folder.file("views.db"));
    await speaker.say([ended(1, "s"), ended(1, "t")]);
    await views.caughtUp(await speaker.ledger.head());
    expect((await views.costs({ by: "session", limit: 1 })).total.costUsd).toBe(0.5);
    expect((await views.costs({ by: "session", limit: 1 })).more).toBe(true);
    await views.cut(await speaker.session("s"), "deleted");
    expect(await views.costs({ by: "session", limit: 1 })).toMatchObject({
      lines: [{ name: "t" }],
      total: { costUsd: 0.25, events: 1 },
      more: false,
    });
  });
});

describe("the tree", () => {
  const child = (session: string, parent: string) => aopEventOf(session, 1, "session.started", {}, { parent_session_id: parent });

  test("is the same from each of its sessions, root first, each parent before its children", async () => {
    await hear({ aop: [child("c", "b"), child("b", "a"), aopEventOf("a", 1, "session.started"), child("d", "a")] }, async (views) => {
      for (const id of ["a", "b", "c", "d"]) {
        const { nodes, cut } = await views.tree((await only(views, id)).key);
        expect(nodes.map((node) => [node.id, node.depth, node.children])).toEqual([
          ["a", 0, 2],
          ["b", 1, 1],
          ["c", 2, 0],
          ["d", 1, 0],
        ]);
        expect(cut).toBe(false);
      }
      const roots = await views.sessions({ roots: true, limit: 9 });
      expect(roots.items.map(({ id }) => id)).toEqual(["a"]);
    });
  });

  test("has no circles, whatever is said", async () => {
    await hear({ aop: [child("a", "c"), child("b", "a"), child("c", "b"), child("self", "self")] }, async (views) => {
      for (const id of ["a", "b", "c"]) {
        expect((await views.tree((await only(views, id)).key)).nodes.map((node) => node.id)).toEqual(["a", "b", "c"]);
      }
      expect((await only(views, "self")).parent).toBeUndefined();
    });
  });

  test("knows AEP parents by their conversation, and AAEP parents by what extensions say", async () => {
    const events = {
      aep: [
        aepEvent("p", 1, "session.start", { session: { id: "p", conversation_id: "conv" } }),
        aepEvent("k", 2, "session.start", { session: { id: "k", parent: { conversation_id: "conv", relation: "fork" } } }),
      ],
      aaep: [
        aaepEventOf("sess_kid", 1, "agent.session.started", {
          request_text: "x",
          summary_normal: "On it.",
          "@context": ["https://aaep-protocol.org/context/v1", "https://acme.example/ops/v1"],
          extensions: { ops: { parent_session_id: "sess_mum" } },
        }),
        aaepEventOf("sess_mum", 2, "agent.session.started", { request_text: "y", summary_normal: "On it." }),
      ],
    };
    await hear(events, async (views) => {
      const parent = await only(views, "p");
      expect((await only(views, "k")).parent).toMatchObject({ id: "conv", key: parent.key, relation: "fork", inferred: false });
      expect((await only(views, "sess_kid")).parent).toMatchObject({ id: "sess_mum", key: (await only(views, "sess_mum")).key });
    });
  });
});

test("the list gives what is asked for, most recent first, in pages of any size", async () => {
  const aop = Array.from({ length: 12 }, (_, index) =>
    aopEventOf(`s${index}`, 1, index % 3 === 0 ? "session.ended" : "session.started", index % 3 === 0 ? { outcome: "completed" } : {}, {
      agent_id: `a${index % 2}`,
    }),
  );
  await hear({ aop, aep: [aepEvent("e", 1, "session.start")] }, async (views) => {
    const list = async (query: Omit<Parameters<OpenViews["sessions"]>[0], "limit">, limit: number) => {
      const found: string[] = [];
      for (let after: string | undefined, more = true; more; more = after !== undefined) {
        const page = await views.sessions({ ...query, limit, ...(after === undefined ? {} : { after }) });
        found.push(...page.items.map(({ id }) => id));
        after = page.next;
      }
      return found;
    };
    const all = ["s11", "s10", "s9", "s8", "s7", "s6", "s5", "s4", "s3", "s2", "s1", "s0", "e"];
    for (const limit of [1, 2, 5, 200]) {
      expect(await list({}, limit)).toEqual(all);
      expect(await list({ protocol: ["aep"] }, limit)).toEqual(["e"]);
      expect(await list({ protocol: ["aep", "aop"] }, limit)).toEqual(all);
      expect(await list({ status: ["completed"] }, limit)).toEqual(["s9", "s6", "s3", "s0"]);
      expect(await list({ agent: "a1" }, limit)).toEqual(["s11", "s9", "s7", "s5", "s3", "s1"]);
      expect(await list({ agent: "a1", status: ["completed"] }, limit)).toEqual(["s9", "s3"]);
      expect(await list({ status: ["completed", "running"], protocol: ["aop"] }, limit)).toEqual(all.slice(0, -1));
    }
  });
});

test("the grade counts each rule that was broken", async () => {
  await hear(
    { aop: [aopEventOf("s", 1, "session.heartbeat", { status: "odd" }), aopEventOf("s", 2, "session.heartbeat", { status: "odd" })] },
    async (views) => {
      const grade = await views.grade((await only(views, "s")).key);
      expect(grade?.events).toBe(2);
      expect(grade?.grade).not.toBe("A");
      expect(grade?.rules).toContainEqual(expect.objectContaining({ count: 2, firstPosition: 1, lastPosition: 2 }));
    },
  );
});
