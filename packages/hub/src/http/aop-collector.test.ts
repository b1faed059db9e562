import type { JsonObject } from "@earshot/protocol";
import { describe, expect, test } from "vitest";
import { adminOf, gateFor } from "../access/testing/test-access.ts";
import { IntakeAdmission } from "../intake/admission.ts";
import { type TemporaryFolder, temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import type { OpenViews } from "../views/open-views.ts";
import { aopEventOf, LEDGER_START_MS, openViewsHere, openViewsLedger } from "../views/testing/open-ledger.ts";
import { registerAopCollector } from "./aop-collector.ts";
import { createApp } from "./app.ts";
import { EVENT_LIMITS, registerEvents } from "./events.ts";

const TOKEN = "a-viewer-of-the-collector-in-tests";
const READER = { authorization: `Bearer ${TOKEN}` };
const REMOVER = { authorization: `Bearer ${adminOf(TOKEN)}` };

/** Views that have not read anything yet and are too slow to wait for. */
function lateViews(views: OpenViews): OpenViews {
  const late = { position: { value: 0 }, caughtUp: { value: () => Promise.reject(new Error("Too late.")) } };
  return Object.create(views, { ...late, aop: { value: { ...views.aop, find: async () => [] } } }) as OpenViews;
}

async function openCollector(folder: TemporaryFolder, seen: (views: OpenViews) => OpenViews = (views) => views) {
  const open = new AsyncDisposableStack();
  const speaker = open.use(openViewsLedger(folder.file("ledger.db")));
  const { ledger } = speaker;
  const views = open.use(await openViewsHere(speaker, folder.file("views.db")));
  const app = createApp({ gate: gateFor(TOKEN), onFailure: (error) => expect(error).toBeUndefined() });
  registerEvents(app, { ledger, admission: new IntakeAdmission(), now: () => LEDGER_START_MS, redacts: () => false, limits: EVENT_LIMITS });
  registerAopCollector(app, { ledger, views: seen(views) });
  open.defer(() => app.close());
  const get = async (url: string) => {
    const response = await app.inject({ method: "GET", url, headers: READER });
    return { status: response.statusCode, type: response.headers["content-type"], ...(response.json() as Record<string, never>) };
  };
  const post = (event: JsonObject) =>
    app.inject({ method: "POST", url: "/events", headers: { "content-type": "application/json" }, payload: JSON.stringify(event) });
  return { app, speaker, get, post, views, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** Ids that could break a URL, a header, a file name or SQL. */
const IDS = [
  "a/b",
  "../../etc/passwd",
  "a b",
  "ä€😀",
  "q\"uo'te",
  "50%",
  "%2F",
  "a?b#c",
  "x".repeat(128),
  "😀".repeat(64),
  "/".repeat(128),
  "a;b=c",
  "s*t",
  "__proto__",
];

test("a session that is stored and not in the views yet is not said to be unknown", async () => {
  using folder = temporaryTestFolder();
  await using collector = await openCollector(folder, lateViews);
  await collector.post(aopEventOf("new", 1, "session.started"));
  expect(await collector.get("/sessions/new")).toMatchObject({ status: 503, code: "VIEWS_UNAVAILABLE" });
  expect(await collector.get("/sessions/nobody")).toMatchObject({ status: 404 });
});

describe("GET /sessions", () => {
  test("shows what was posted before, newest start first", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    for (const [id, sequence] of [
      ["old", 1],
      ["new", 5],
      ["middle", 3],
    ] as const) {
      expect((await collector.post(aopEventOf(id, sequence, "session.started", { goal: id }))).json()).toMatchObject({ ok: true });
    }
    const answer = await collector.get("/sessions");
    expect(answer).toMatchObject({ status: 200, type: "application/json; charset=utf-8", next: null });
    expect(answer).toMatchObject({ sessions: [{ id: "new" }, { id: "middle" }, { id: "old" }] });
  });

  test("gives 100 unless asked for more, and pages", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    const ids = Array.from({ length: 250 }, (_, index) => `s${index}`);
    await collector.speaker.say(ids.map((id, index) => aopEventOf(id, index + 1, "session.started")));
    const list = async (query: string) =>
      (await collector.get(`/sessions${query}`)) as unknown as { sessions: { id: string }[]; next: string | null };
    const newestFirst = [...ids].reverse();
    expect((await list("")).sessions.map(({ id }) => id)).toEqual(newestFirst.slice(0, 100));
    expect((await list("?limit=1000")).sessions.map(({ id }) => id)).toEqual(newestFirst);
    for (const order of ["started", "activity"]) {
      const found: string[] = [];
      for (let next: string | null = ""; next !== null; ) {
        const page = await list(`?limit=70&order=${order}${next === "" ? "" : `&before=${next}`}`);
        found.push(...page.sessions.map(({ id }) => id));
        next = page.next;
      }
      expect(found).toEqual(newestFirst);
    }
  });

  test("refuses wrong queries", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    for (const query of ["limit=0", "limit=x", "limit=-1", "limit=1&limit=2", "order=size", "before=x", "before=1"]) {
      const answer = await collector.get(`/sessions?${query}`);
      expect({ query, ...answer }).toMatchObject({ query, status: 400, code: "WRONG_QUERY", error: expect.any(String) });
    }
  });
});

describe("GET /sessions/:id", () => {
  test("gives the session, its events by sequence, and its newest alerts", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    const ends = Array.from({ length: 90 }, (_, index) =>
      aopEventOf("s", index + 2, "operation.tool_end", { tool_name: "t", tool_call_id: `c${index}`, success: index % 4 === 3 }),
    );
    const started = aopEventOf("s", 1, "session.started", { goal: "Go" }, { x_trace: 7 });
    await collector.speaker.say([...ends, started]);
    const answer = (await collector.get("/sessions/s")) as unknown as { events: JsonObject[]; alerts: JsonObject[]; session: JsonObject };
    expect(answer).toMatchObject({
      status: 200,
      session: { id: "s", goal: "Go", events: 91, stalled: false },
      sources: ["local"],
      next: null,
    });
    expect(answer.events.map((event) => event["sequence"])).toEqual(Array.from({ length: 91 }, (_, index) => index + 1));
    expect(Object.entries(answer.events[0] ?? {})).toEqual([
      ["spec", "aop/1.0"],
      ["session_id", "s"],
      ["parent_session_id", null],
      ["agent_id", "agent"],
      ["agent_version", null],
      ["sequence", 1],
      ["timestamp", started["timestamp"]],
      ["type", "session.started"],
      ["payload", { goal: "Go" }],
      ["x_trace", 7],
    ]);
    const ids = answer.alerts.map((alert) => alert["id"]);
    expect(new Set(ids).size).toBe(20);
    expect(ids).toEqual(ids.toSorted((left, right) => Number(right) - Number(left)));
    expect(answer.alerts[0]).toMatchObject({
      session_id: "s",
      type: "error_cascade",
      severity: "critical",
      created_at: expect.stringMatching(/Z$/),
    });
  });

  test("pages when asked to", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    await collector.speaker.say(
      Array.from({ length: 250 }, (_, index) => aopEventOf("s", 250 - index, "cognition.thought", { content: "Hm." })),
    );
    for (const limit of [1, 100, 101, 249, 250, 251]) {
      const found: unknown[] = [];
      let pages = 0;
      for (let next: string | null = ""; next !== null && pages < 5; pages++) {
        const answer = await collector.get(`/sessions/s?limit=${limit}${next === "" ? "" : `&after=${next}`}`);
        const page = answer as unknown as { events: { sequence: number }[]; next: string | null };
        expect(page.events.length).toBeLessThanOrEqual(limit);
        found.push(...page.events.map(({ sequence }) => sequence));
        next = page.next;
      }
      expect(found).toEqual(Array.from({ length: Math.min(limit * 5, 250) }, (_, index) => index + 1));
    }
  });

  test("answers 404 with an error for an unknown id", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    expect(await collector.get("/sessions/nobody")).toMatchObject({ status: 404, code: "NOT_FOUND", error: expect.any(String) });
  });

  test("names the sources where several have the id, and shows the one that is asked for", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    await collector.speaker.say([aopEventOf("s", 1, "session.started", { goal: "one" })], "first");
    await collector.speaker.say([aopEventOf("s", 1, "session.started", { goal: "two" })], "second");
    expect(await collector.get("/sessions/s")).toMatchObject({ status: 400, error: expect.stringContaining("second (aop), first (aop)") });
    const first = await collector.get("/sessions/s?source=first");
    expect(first).toMatchObject({ session: { goal: "one" }, events: [{ payload: { goal: "one" } }] });
    expect(await collector.get("/sessions/s?source=third")).toMatchObject({ status: 404 });
  });
});

describe("GET /sessions/:id/export", () => {
  test("gives one event per line, without a line break at the end", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    await collector.speaker.say(
      Array.from({ length: 150 }, (_, index) => aopEventOf("s", 150 - index, "cognition.thought", { content: "a\nb" })),
    );
    const response = await collector.app.inject({ url: "/sessions/s/export", headers: READER });
    expect(response.headers).toMatchObject({
      "content-type": "application/x-ndjson",
      "content-disposition": 'attachment; filename="session-s.jsonl"',
    });
    const lines = response.body.split("\n").map((line) => JSON.parse(line) as { sequence: number });
    expect(lines.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
  });

  test("is empty for an unknown id", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    const response = await collector.app.inject({ url: "/sessions/nobody/export", headers: READER });
    expect([response.statusCode, response.body]).toEqual([200, ""]);
  });
});

describe("DELETE /sessions/:id", () => {
  test("removes the session, its events and its alerts; also answers ok for an unknown id", async () => {
    using folder = temporaryTestFolder();
    await using collector = await openCollector(folder);
    await collector.speaker.say(
      [1, 2, 3].map((sequence) => aopEventOf("s", sequence, "operation.tool_end", { tool_call_id: `${sequence}`, success: false })),
    );
    await collector.speaker.say([aopEventOf("s", 1, "session.started"), aopEventOf("t", 1, "session.started")], "other");
    const remove = async (url: string) => (await collector.app.inject({ method: "DELETE", url, headers: REMOVER })).json() as unknown;
    expect(await remove("/sessions/s?source=local")).toEqual({ ok: true, removed: 3 });
    expect(await collector.get("/sessions/s")).toMatchObject({ sources: ["other"], alerts: [] });
    expect(await remove("/sessions/s")).toEqual({ ok: true, removed: 1 });
    expect(await remove("/sessions/s")).toEqual({ ok: true, removed: 0 });
    expect(await remove("/sessions/nobody")).toEqual({ ok: true, removed: 0 });
    expect(await collector.get("/sessions/s")).toMatchObject({ status: 404 });
    expect(await collector.get("/sessions")).toMatchObject({ sessions: [{ id: "t" }] });
    expect((await collector.app.inject({ url: "/sessions/s/export", headers: READER })).body).toBe("");
  });
});

test("ids of any characters work everywhere", async () => {
  using folder = temporaryTestFolder();
  await using collector = await openCollector(folder);
  await collector.speaker.say([aopEventOf("another", 1, "session.started")]);
  for (const id of IDS) {
    expect((await collector.post(aopEventOf(id, 1, "session.started"))).statusCode).toBe(200);
    const url = `/sessions/${encodeURIComponent(id)}`;
    expect(await collector.get(url)).toMatchObject({ status: 200, session: { id }, events: [{ session_id: id }] });
    const exported = await collector.app.inject({ url: `${url}/export`, headers: READER });
    expect(JSON.parse(exported.body)).toMatchObject({ session_id: id });
    expect(exported.headers["content-disposition"]).toMatch(
      /^attachment; filename="session-[A-Za-z0-9_.-]+\.jsonl"(; filename\*=UTF-8''session-[A-Za-z0-9_.!~%-]+\.jsonl)?$/,
    );
    expect((await collector.app.inject({ method: "DELETE", url, headers: REMOVER })).json()).toEqual({ ok: true, removed: 1 });
    expect(await collector.get("/sessions")).toMatchObject({ sessions: [{ id: "another" }] });
  }
});

test("HEAD reads nothing", async () => {
  using folder = temporaryTestFolder();
  await using collector = await openCollector(folder);
  await collector.speaker.say([aopEventOf("s", 1, "session.started")]);
  for (const url of ["/sessions", "/sessions/s", "/sessions/s/export"]) {
    expect((await collector.app.inject({ method: "HEAD", url, headers: READER })).statusCode).toBe(200);
  }
});
