import { expect, test } from "vitest";
import { adminOf, gateFor } from "../access/testing/test-access.ts";
import { RETENTION } from "../keeping/retention.ts";
import { KEPT_LEDGER_NOW_MS, openKeptLedger } from "../keeping/testing/kept-ledger.ts";
import { createApp } from "./app.ts";
import { registerKeeping } from "./keeping-routes.ts";

const VIEWER = "a-viewer-of-tests-who-may-read-all-of-it";
const HEADERS = { host: "127.0.0.1" };
const AS_VIEWER = { ...HEADERS, authorization: `Bearer ${VIEWER}` };
const AS_ADMIN = { ...HEADERS, authorization: `Bearer ${adminOf(VIEWER)}` };

async function openRoutes() {
  const kept = await openKeptLedger();
  const app = createApp({ gate: gateFor(VIEWER), onFailure: () => {} });
  const { ledger, views } = kept;
  registerKeeping(app, { ledger, views, now: () => KEPT_LEDGER_NOW_MS, retention: RETENTION });
  await app.ready();
  return { kept, app, [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() };
}

const lastLine = (body: string): unknown => JSON.parse(body.trim().split("\n").at(-1) ?? "");

test("a viewer sees what would go, and only an admin makes it go", async () => {
  await using routes = await openRoutes();
  const { app, kept } = routes;
  await kept.say({ session: "old", sequence: 1, ageDays: 31 });
  await kept.say({ session: "new", sequence: 1, ageDays: 1 });
  for (const [method, url] of [
    ["POST", "/api/prune"],
    ["POST", "/api/erase"],
  ] as const) {
    expect((await app.inject({ method, url, headers: HEADERS, payload: {} })).statusCode).toBe(401);
    expect((await app.inject({ method, url, headers: AS_VIEWER, payload: { position: 1 } })).statusCode).toBe(403);
  }
  const plan = await app.inject({ url: "/api/prune", headers: AS_VIEWER });
  expect(lastLine(plan.body)).toMatchObject({ result: { entries: 1, sessions: 1 } });
  expect(await kept.ledger.read({ after: 0, limit: 10 })).toMatchObject({ entries: [{}, {}] });
  const pruned = await app.inject({ method: "POST", url: "/api/prune", headers: AS_ADMIN, payload: {} });
  expect(lastLine(pruned.body)).toMatchObject({ result: { entries: 1, sessions: 1 } });
  expect(await kept.ledger.removals({ after: 0, limit: 9 })).toHaveLength(1);
  const found = await app.inject({ url: "/api/erase?position=2", headers: AS_VIEWER });
  expect(found.json()).toMatchObject({ entries: [{ position: 2, session: "new" }] });
  expect(found.body).not.toContain("Say so.");
  const erased = await app.inject({ method: "POST", url: "/api/erase", headers: AS_ADMIN, payload: { position: 2 } });
  expect(erased.json()).toMatchObject({ erased: { position: 2 } });
  expect(await kept.ledger.removals({ after: 0, limit: 9 })).toHaveLength(2);
  expect((await kept.ledger.read({ after: 0, limit: 10 })).entries).toEqual([]);
});

test("what is asked for wrongly removes nothing", async () => {
  await using routes = await openRoutes();
  const { app, kept } = routes;
  await kept.say({ session: "old", sequence: 1, ageDays: 31 });
  for (const payload of [
    { olderThanMs: -1 },
    { olderThanMs: "soon" },
    { keepBytes: 1.5 },
    { keepBytes: null },
    { session: "" },
    { session: ["a"] },
  ]) {
    expect((await app.inject({ method: "POST", url: "/api/prune", headers: AS_ADMIN, payload })).statusCode).toBe(400);
  }
  for (const payload of [{}, { position: 1, event: "a" }, { event: "" }, { position: "1a" }]) {
    expect((await app.inject({ method: "POST", url: "/api/erase", headers: AS_ADMIN, payload })).statusCode).toBe(400);
  }
  const none = await app.inject({ method: "POST", url: "/api/erase", headers: AS_ADMIN, payload: { position: 9 } });
  expect(none.json()).toMatchObject({ code: "NOT_FOUND" });
  expect((await kept.ledger.read({ after: 0, limit: 10 })).entries).toHaveLength(1);
});
