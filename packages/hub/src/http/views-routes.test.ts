import type { JsonObject } from "@earshot/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gateFor } from "../access/testing/test-access.ts";
import { type TemporaryFolder, temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import type { SessionCourse, SessionLane, SessionView } from "../views/api.ts";
import { aepEvent } from "../views/testing/events.ts";
import { aopEventOf, openViewsHere, openViewsLedger } from "../views/testing/open-ledger.ts";
import { createApp } from "./app.ts";
import { openApiOf } from "./openapi.ts";
import { expectDescribed } from "./testing/described-answers.ts";
import { registerViews } from "./views-routes.ts";

const TOKEN = "a-viewer-of-the-views-in-tests";

async function openRoutes(folder: TemporaryFolder) {
  const open = new AsyncDisposableStack();
  const speaker = open.use(openViewsLedger(folder.file("ledger.db")));
  const { ledger } = speaker;
  const views = open.use(await openViewsHere(speaker, folder.file("views.db")));
  const app = createApp({ gate: gateFor(TOKEN), onFailure: (error) => expect(error).toBeUndefined() });
  registerViews(app, { ledger, views, isWaiting: ({ session }) => session === "asks" });
  open.defer(() => app.close());
  const get = async (url: string, token = TOKEN) => {
    const response = await app.inject({ method: "GET", url, headers: { authorization: `Bearer ${token}` } });
    expectDescribed(app.routeList, "GET", url, response.statusCode, response.json());
    return { ...(response.json() as Record<string, unknown>), http: response.statusCode };
  };
  return { app, speaker, get, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

const EVENTS: readonly JsonObject[] = [
  aopEventOf("s", 1, "session.started", { goal: "Find the cheapest shop" }),
  aopEventOf("s", 2, "operation.tool_start", { tool_name: "search", tool_call_id: "c1", input: { query: "shops" } }),
  aopEventOf("s", 3, "operation.tool_end", {
    tool_name: "search",
    tool_call_id: "c1",
    success: true,
    result_summary: "Two",
    duration_ms: 5,
  }),
  aopEventOf("s", 4, "session.ended", { outcome: "completed", metadata: { total_cost_usd: 0.5 } }),
];

test("a session whose hook waits for an approver is waiting in every list, and lanes show its calls", async () => {
  using folder = temporaryTestFolder();
  await using routes = await openRoutes(folder);
  await routes.speaker.say([...EVENTS, aopEventOf("asks", 1, "session.started", { goal: "Sell the shop" })]);
  const ids = async (query: string) =>
    ((await routes.get(`/api/sessions?${query}`)) as unknown as { items: SessionView[] }).items.map(({ id }) => id);
  expect(await ids("status=waiting")).toEqual(["asks"]);
  expect(await ids("status=running")).toEqual([]);
  expect(await ids("text=CHEAPEST")).toEqual(["s"]);
  expect(await ids("text=shop")).toEqual(["asks", "s"]);
  expect(await ids("text=elephant")).toEqual([]);
  const { items } = (await routes.get("/api/lanes?since=0")) as unknown as { items: SessionLane[] };
  expect(items.map(({ session, spans }) => [session.status, spans.map(({ state, tool }) => `${state} ${tool}`)])).toEqual([
    ["waiting", []],
    ["completed", ["tool search"]],
  ]);
  expect(await routes.get("/api/costs?by=project")).toMatchObject({ lines: [{ name: "", costUsd: 0.5 }] });
});

test("what was said is there at once, in every view", async () => {
  using folder = temporaryTestFolder();
  await using routes = await openRoutes(folder);
  await routes.speaker.say(EVENTS);
  await routes.speaker.say([aepEvent("other", 1, "session.start")], "local", "aep");
  expect(await routes.get("/api/sessions")).toMatchObject({ http: 200, items: [{ id: "other" }, { id: "s", status: "completed" }] });
  expect(await routes.get("/api/sessions?protocol=aop&status=completed,failed&agent=agent&roots=true&since=0&limit=1")).toMatchObject({
    items: [{ id: "s" }],
  });
  const found = (await routes.get("/api/sessions?id=s")) as unknown as { items: { key: number }[] };
  const key = found.items[0]?.key;
  expect(await routes.get(`/api/sessions/${key}`)).toMatchObject({ http: 200, id: "s", goal: "Find the cheapest shop", costUsd: 0.5 });
  expect(await routes.get(`/api/sessions/${key}/story`)).toMatchObject({
    items: [
      { activity: { kind: "session.opened" } },
      { call: { state: "succeeded", durationMs: 5 } },
      { activity: { kind: "session.closed" } },
    ],
  });
  expect(await routes.get(`/api/sessions/${key}/calls`)).toMatchObject({ items: [{ tool: "search", result: "Two" }] });
  const course = (await routes.get(`/api/sessions/${key}/course?buckets=4`)) as unknown as SessionCourse;
  expect(course.buckets.map(({ calls }) => calls).reduce((sum, count) => sum + count)).toBe(1);
  expect(await routes.get("/api/sessions/999/course")).toMatchObject({ http: 404 });
  expect(await routes.get(`/api/sessions/${key}/tree`)).toMatchObject({ nodes: [{ id: "s", depth: 0 }], cut: false });
  expect(await routes.get(`/api/sessions/${key}/grade`)).toMatchObject({ events: 4 });
  expect(await routes.get("/api/costs?by=day")).toMatchObject({ lines: [{ name: "2026-03-01", costUsd: 0.5 }], more: false });
  expect(await routes.get("/api/alerts?type=loop")).toMatchObject({ items: [] });
  expect(await routes.get("/api/search?text=cheapest%20shop")).toMatchObject({ items: [{ sessionId: "s", protocol: "aop" }] });
});

test("pages go on where the last one ended", async () => {
  using folder = temporaryTestFolder();
  await using routes = await openRoutes(folder);
  await routes.speaker.say(EVENTS);
  const first = (await routes.get("/api/sessions/1/story?limit=1")) as unknown as { items: object[]; next: string };
  expect(first.items).toHaveLength(1);
  expect(await routes.get(`/api/sessions/1/story?limit=9&after=${first.next}`)).toMatchObject({
    items: [{ position: 2 }, { position: 4 }],
  });
  expect(await routes.get("/api/sessions/1/story?from=4")).toMatchObject({ items: [{ position: 4 }] });
  expect(await routes.get("/api/sessions/1/story?last=2")).toMatchObject({ items: [{ position: 2 }, { position: 4 }], earlier: 2 });
  expect(await routes.get("/api/sessions/1/story?last=2&before=2")).toEqual({
    http: 200,
    items: [expect.objectContaining({ position: 1 })],
  });
  expect(await routes.get("/api/sessions/1/story?before=4&limit=1")).toMatchObject({ items: [{ position: 2 }], earlier: 2 });
});

test("a request that names a position is answered when the views include it", async () => {
  using folder = temporaryTestFolder();
  await using routes = await openRoutes(folder);
  const position = await routes.speaker.say(EVENTS);
  expect(await routes.get(`/api/sessions?wait=${position}`)).toMatchObject({ items: [{ counts: { events: 4 } }] });
  const late = routes.get("/api/sessions?wait=5");
  await routes.speaker.say([aopEventOf("t", 1, "session.started")]);
  expect(await late).toMatchObject({ http: 200, items: [{ id: "t" }, { id: "s" }] });
});

describe("a wrong query", () => {
  let folder: TemporaryFolder;
  let routes: Awaited<ReturnType<typeof openRoutes>>;
  beforeAll(async () => {
    folder = temporaryTestFolder();
    routes = await openRoutes(folder);
  });
  afterAll(async () => {
    await routes[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test.each([
    ["/api/sessions?limit=0", "limit"],
    ["/api/sessions?limit=ten", "limit"],
    ["/api/sessions?limit=1&limit=2", "limit"],
    ["/api/sessions?status=runing", "status"],
    ["/api/sessions?protocol=http", "protocol"],
    ["/api/sessions?since=yesterday", "since"],
    ["/api/sessions?roots=yes", "roots"],
    ["/api/sessions?after=x", "after"],
    ["/api/sessions?agnet=a", "agnet"],
    ["/api/sessions?id=", "id"],
    ["/api/sessions?wait=-1", "wait"],
    ["/api/sessions/1/story?from=a", "from"],
    ["/api/sessions/1/story?last=0", "last"],
    ["/api/sessions/1/story?last=2&from=1", "last"],
    ["/api/sessions/1/story?before=9&after=1_1", "before"],
    ["/api/sessions/1/calls?after=x", "after"],
    ["/api/costs?by=week", "by"],
    ["/api/costs?from=2026-13-01", "from"],
    ["/api/alerts?type=noise", "type"],
    ["/api/search", "text"],
    ["/api/search?text=a&order=best", "order"],
  ])("%s is refused, with a word on what is wrong and what to do", async (url, name) => {
    expect(await routes.get(url)).toMatchObject({
      http: 400,
      code: "WRONG_QUERY",
      message: expect.stringContaining(`\`${name}\``),
      hint: expect.stringMatching(/\S/),
    });
  });
});

test("a session that is not there is not found, and a key that is none is refused", async () => {
  using folder = temporaryTestFolder();
  await using routes = await openRoutes(folder);
  for (const rest of ["", "/story", "/calls", "/tree", "/grade"]) {
    expect(await routes.get(`/api/sessions/7${rest}`)).toMatchObject({ http: 404, code: "NOT_FOUND" });
    expect(await routes.get(`/api/sessions/x7${rest}`)).toMatchObject({ http: 400, code: "WRONG_QUERY" });
  }
  expect(await routes.get("/api/sessions?id=nobody")).toMatchObject({ http: 200, items: [] });
});

test("only viewers read, and the description names every route", async () => {
  using folder = temporaryTestFolder();
  await using routes = await openRoutes(folder);
  await routes.app.ready();
  const views = routes.app.routeList.filter(({ method }) => method === "GET");
  expect(views).toHaveLength(11);
  for (const { url } of views) expect((await routes.get(url.replace(":key", "1"), "a-stranger")).http).toBe(401);
  const { paths } = openApiOf(routes.app.routeList, "1") as { readonly paths: Record<string, { get: { summary: string } }> };
  expect(Object.values(paths).every(({ get }) => get.summary !== "")).toBe(true);
});
