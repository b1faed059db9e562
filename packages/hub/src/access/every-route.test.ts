import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hubHomeOf } from "../home.ts";
import { startHub } from "../hub.ts";
import type { RunningHubHandle } from "../hub-options.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import type { RouteAccess } from "./roles.ts";
import { becomeAdmin, callJson, TestDevice, unlockWithPin } from "./testing/test-device.ts";

/** Routes come from the router, so that new ones are tested automatically. */
const folder = temporaryTestFolder();
const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
const agent = new Agent({ keepAlive: true });
let hub: RunningHubHandle;
let shown: Readonly<Record<Shown, Readonly<Record<string, string>>>>;
let inAddress: Readonly<Record<string, string>>;

type Shown = "nothing" | "a wrong token" | "another scheme" | "a token of addresses" | "an expired one" | "a revoked one" | Holder;
type Holder = "producer" | "viewer" | "approver" | "admin" | "a paired viewer" | "a paired approver" | "the PIN" | "a producer's token";

/** Written by hand, independently of the code under test. */
const GOOD: Readonly<Record<RouteAccess, readonly (Shown | "address of a viewer" | "address of an admin")[]>> = (() => {
  const admins = ["admin", "the PIN"] as const;
  const approvers = ["approver", "a paired approver", ...admins] as const;
  const viewers = ["viewer", "a paired viewer", ...approvers] as const;
  const producers = ["producer", "a producer's token"] as const;
  const all = ["nothing", ...producers, ...viewers] as const;
  const unlooked = [...all, "a wrong token", "another scheme", "a token of addresses", "an expired one", "a revoked one"] as const;
  return {
    anyone: [...unlooked, "address of a viewer", "address of an admin"],
    page: unlooked,
    speaker: all,
    producer: producers,
    viewer: [...viewers, "address of a viewer", "address of an admin"],
    approver: approvers,
    admin: admins,
    "aop-reader": [...viewers, "address of a viewer", "address of an admin"],
    "aop-remover": [...admins, "address of an admin"],
  };
})();

/** A body that would store, create or decide something if accepted. */
const BODY = JSON.stringify({
  spec: "aop/1.0",
  session_id: "s",
  agent_id: "a",
  sequence: 1,
  timestamp: "2026-01-02T03:04:05.000Z",
  type: "session.started",
  payload: { goal: "Come in." },
  name: "intruder",
  role: "viewer",
  owner: "nobody",
});

beforeAll(async () => {
  hub = await startHub({ home, version: "0.0.0", port: 0 });
  const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
  const file = (path: string) => bearer(readFileSync(path, "utf8").trim());
  const viewer = file(home.viewerToken);
  const admin = await becomeAdmin(hub.url, viewer);
  const create = (wish: object) => callJson(hub.url, "/api/tokens", { owner: "tests", ...wish }, admin);
  const revoked = await create({ name: "revoked", role: "admin" });
  await fetch(`${hub.url}/api/tokens/${String(revoked["id"])}`, { method: "DELETE", headers: admin });
  const expired = await create({ name: "expired", role: "admin", expiresInMs: 1 });
  const viewerAddress = await create({ name: "dashboard", role: "viewer", inAddress: true });
  const adminAddress = await create({ name: "dashboard that removes", role: "admin", inAddress: true });
  const pair = async (role: string) => {
    const { id, code } = await callJson(hub.url, "/api/pairings", { role }, viewer);
    const device = new TestDevice();
    const { match } = await callJson(hub.url, "/api/pair/claim", { code, key: device.key, name: `paired ${role}` });
    const confirmed = await callJson(hub.url, `/api/pairings/${String(id)}/confirm`, { match }, admin);
    return device.authorise(hub.url, (confirmed["device"] as { readonly id: string }).id);
  };
  shown = {
    nothing: {},
    "a wrong token": bearer("ear_wrong"),
    "another scheme": { authorization: admin["authorization"]?.replace("Bearer", "Basic") ?? "" },
    "a token of addresses": bearer(adminAddress["token"]),
    "an expired one": bearer(expired["token"]),
    "a revoked one": bearer(revoked["token"]),
    producer: file(home.producerToken),
    "a producer's token": bearer((await create({ name: "speaker", role: "producer" }))["token"]),
    viewer,
    "a paired viewer": await pair("viewer"),
    approver: bearer((await create({ name: "approver", role: "approver" }))["token"]),
    "a paired approver": await pair("approver"),
    admin,
    "the PIN": await unlockWithPin(hub.url, viewer),
  };
  inAddress = {
    "address of a viewer": `/k/${String(viewerAddress["token"])}`,
    "address of an admin": `/k/${String(adminAddress["token"])}`,
    "address with a token of headers": `/k/${admin["authorization"]?.slice(7) ?? ""}`,
    "address with a wrong token": "/k/ear_wrong",
    "address without a token": "/k/",
  };
});
afterAll(async () => {
  agent.destroy();
  await hub.close();
  folder[Symbol.dispose]();
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage["headers"];
}

/** Reads only the start, because streams do not end. */
function send(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const { hostname, port } = new URL(hub.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method, path, headers: { "content-type": "application/json", ...headers } },
      (response) => {
        let text = "";
        const done = () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", done);
        if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
          done();
          sent.destroy();
        }
      },
    );
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, text: "", headers: response.headers });
    });
    sent.on("error", reject);
    sent.end(method === "POST" || method === "PUT" || method === "PATCH" ? BODY : undefined);
  });
}

/** For an unknown session, because verifying the whole ledger starts a thread per call. */
const QUERIES: Readonly<Record<string, string>> = { "/api/verify": "?session=nothing" };
const pathOf = (url: string) => url.replaceAll(/:\w+/g, "nothing").replace("*", "nothing") + (QUERIES[url] ?? "");
const stateOf = async () => ({ head: await hub.ledger.head(), access: readFileSync(home.access, "utf8") });

/** Calls every route and expects that none returns or changes anything. */
async function expectClosed(
  headers: Readonly<Record<string, string>>,
  {
    prefix = "",
    routes = hub.routes,
    statuses = [401, 403],
  }: { prefix?: string; routes?: RunningHubHandle["routes"]; statuses?: readonly number[] },
): Promise<void> {
  const before = await stateOf();
  const open: string[] = [];
  for (const { method, url } of routes) {
    const { status, headers: answered } = await send(method, prefix + pathOf(url), headers);
    if (!statuses.includes(status) || answered["access-control-allow-origin"] !== undefined) open.push(`${method} ${url}: ${status}`);
  }
  expect(open).toEqual([]);
  expect(await stateOf()).toEqual(before);
}

const STRANGERS: Readonly<Record<string, () => Readonly<Record<string, string>>>> = Object.fromEntries(
  Object.entries({
    "a name that was rebound to this machine": (port: string) => ({ host: `evil.example:${port}` }),
    "a rebound name without a port": () => ({ host: "evil.example" }),
    "a name that begins like ours": (port: string) => ({ host: `localhost.evil.example:${port}` }),
    "a name that ends like ours": (port: string) => ({ host: `evil.localhost:${port}` }),
    "an address that begins like ours": (port: string) => ({ host: `127.0.0.1.evil.example:${port}` }),
    "all addresses": (port: string) => ({ host: `0.0.0.0:${port}` }),
    "such a name with the usual port": () => ({ host: "evil.example:4747" }),
    "another loopback address": (port: string) => ({ host: `127.0.0.2:${port}` }),
    "our name on another port": () => ({ host: "localhost:1" }),
    "our name without a port": () => ({ host: "localhost" }),
    "a name with somebody before it": (port: string) => ({ host: `evil@localhost:${port}` }),
    "two names": (port: string) => ({ host: `localhost:${port}, evil.example` }),
    "a page elsewhere": () => ({ origin: "http://evil.example" }),
    "a page on another port": () => ({ origin: "http://127.0.0.1:3000" }),
    "a page by our other name": (port: string) => ({ origin: `http://localhost:${port}` }),
    "a page over TLS": (port: string) => ({ origin: `https://127.0.0.1:${port}` }),
    "a page that hides": () => ({ origin: "null" }),
    "an empty origin": () => ({ origin: "" }),
    "another site": () => ({ "sec-fetch-site": "cross-site" }),
    "another port of this machine": () => ({ "sec-fetch-site": "same-site" }),
    "a site that nobody knows": () => ({ "sec-fetch-site": "nonsense" }),
    "a frame on another site": () => ({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }),
  }).map(([name, headers]) => [name, () => headers(new URL(hub.url).port)]),
);
const CONTENT_TYPES = [
  "",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "text/plain; application/json",
];

describe("every route", () => {
  it("is in the router's list, with who may call it", () => {
    expect(hub.routes.length).toBeGreaterThan(30);
    expect(hub.routes.map(({ method, url }) => `${method} ${url}`)).toEqual(
      expect.arrayContaining(["POST /events", "GET /api/live", "DELETE /sessions/:id", "HEAD /sessions"]),
    );
  });

  it("asks for a credential, but for those that somebody decided to leave open", () => {
    const open = hub.routes.filter(({ access, method }) => ["anyone", "page", "speaker"].includes(access) && method !== "HEAD");
    expect(
      open
        .map(({ method, url }) => `${method} ${url}`)
        .filter((route) => !route.startsWith("GET /ui/"))
        .sort(),
    ).toEqual([
      "GET /",
      "GET /.well-known/aaep-manifest.json",
      "GET /api/ticket",
      "GET /health",
      "GET /hooks/proof",
      "GET /openapi.json",
      "GET /ready",
      "GET /ui",
      "POST /aaep/v1/events",
      "POST /aep/v1/events",
      "POST /api/pair/admit",
      "POST /api/pair/claim",
      "POST /api/pair/start",
      "POST /api/pair/state",
      "POST /api/ticket",
      "POST /events",
      "POST /v1/events",
    ]);
  });

  it.each(Object.keys(STRANGERS))("is closed to %s, whatever credential it shows", async (stranger) => {
    const headers = STRANGERS[stranger]?.() ?? {};
    await expectClosed(headers, { statuses: [403] });
    await expectClosed({ ...shown.admin, ...headers }, { statuses: [403] });
    await expectClosed(
      { ...shown.producer, ...headers },
      { statuses: [403], routes: hub.routes.filter(({ access }) => access === "speaker") },
    );
  });

  it.each([
    "nothing",
    "a wrong token",
    "another scheme",
    "a token of addresses",
    "an expired one",
    "a revoked one",
    "producer",
    "a producer's token",
    "viewer",
    "a paired viewer",
    "approver",
    "a paired approver",
  ] as const)("that needs more is closed to who shows %s", async (what) => {
    await expectClosed(shown[what], { routes: hub.routes.filter(({ access }) => !GOOD[access].includes(what)) });
  });

  it.each([
    "address of a viewer",
    "address of an admin",
    "address with a token of headers",
    "address with a wrong token",
    "address without a token",
  ] as const)("that needs more is closed to an %s", async (what) => {
    const isGood = (access: RouteAccess, method: string) =>
      GOOD[access].some((good) => good === what) &&
      (access === "anyone" || access === "aop-remover" || method === "GET" || method === "HEAD");
    await expectClosed(
      {},
      { prefix: inAddress[what] ?? "", routes: hub.routes.filter(({ access, method }) => access !== "anyone" && !isGood(access, method)) },
    );
  });

  it.each(CONTENT_TYPES)("that takes a body refuses the content type %j, which a form or beacon could send", async (type) => {
    const routes = hub.routes.filter(({ method, access }) => ["POST", "PUT", "PATCH"].includes(method) && access !== "producer");
    await expectClosed(
      { ...shown.admin, "content-type": type },
      { statuses: [415, 403], routes: routes.filter(({ access }) => access !== "speaker") },
    );
    await expectClosed({ "content-type": type }, { statuses: [415], routes: routes.filter(({ access }) => access === "speaker") });
  });

  it("lets in who shows what it needs", async () => {
    const closed: string[] = [];
    for (const { method, url, access } of hub.routes.filter((route) => route.method === "GET" || route.method === "HEAD")) {
      for (const what of GOOD[access]) {
        const [prefix, headers] = what in inAddress ? [inAddress[what] ?? "", {}] : ["", shown[what as Shown]];
        const { status } = await send(method, prefix + pathOf(url), headers);
        if ([401, 403].includes(status)) closed.push(`${method} ${url} for ${what}: ${status}`);
      }
    }
    expect(closed).toEqual([]);
  });

  it("tells browsers to show, run, frame and keep nothing", async () => {
    for (const { method, url } of hub.routes.filter((route) => route.method === "GET")) {
      const { headers } = await send(method, pathOf(url), shown.admin);
      expect([
        url,
        headers["x-content-type-options"],
        headers["x-frame-options"],
        headers["referrer-policy"],
        headers["set-cookie"],
      ]).toEqual([url, "nosniff", "DENY", "no-referrer", undefined]);
      expect(headers["cache-control"]).toContain("no-store");
    }
  });
});

describe("the hub", () => {
  it("does not tell strangers that there is nothing at an address", async () => {
    for (const stranger of Object.values(STRANGERS)) expect((await send("GET", "/nothing-here", stranger())).status).toBe(403);
  });

  it("takes no credential that is shown in another way", async () => {
    const token = shown.viewer["authorization"]?.slice("Bearer ".length) ?? "";
    for (const authorization of ["", "Bearer", "Bearer ", "Bearer wrong", `Basic ${token}`, `Bearer ${token}x`, token]) {
      expect([authorization, (await send("GET", "/api/status", { authorization })).status]).toEqual([authorization, 401]);
    }
  });

  it("allows no page of another origin to ask beforehand", async () => {
    const asked = await send("OPTIONS", "/v1/events", { origin: "http://evil.example", "access-control-request-method": "POST" });
    expect(asked.status).toBe(403);
    expect(Object.keys(asked.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  it("hears programs of this machine by each of its names", async () => {
    const { port } = new URL(hub.url);
    for (const headers of [
      { host: `127.0.0.1:${port}` },
      { host: `localhost:${port}` },
      { host: `LOCALHOST:${port}` },
      { host: `[::1]:${port}` },
      { host: `localhost:${port}`, origin: `http://localhost:${port}`, "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
    ]) {
      expect([headers, (await send("POST", "/events", headers)).status]).toEqual([headers, 200]);
    }
  });
});

describe("the WebSocket", () => {
  it("refuses strangers, and is at one address only", async () => {
    const upgrade = {
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    for (const stranger of Object.values(STRANGERS)) {
      expect((await send("GET", "/aaep/v1/ws", { ...upgrade, ...shown.admin, ...stranger() })).status).toBe(403);
    }
    expect((await send("GET", "/api/live", { ...upgrade, ...shown.admin })).status).toBe(404);
  });
});
