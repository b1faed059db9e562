import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { hubHomeOf } from "../home.ts";
import { validEventText } from "../http/testing/valid-event.ts";
import { startHub } from "../hub.ts";
import type { HubOptions, RunningHubHandle } from "../hub-options.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { callJson, prepareAdmin } from "./testing/test-device.ts";

type Headers = Readonly<Record<string, string>>;

async function open(options: Partial<HubOptions> = {}) {
  const folder = temporaryTestFolder();
  const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
  const admin = await prepareAdmin(home);
  const hub = await startHub({ home, version: "0.0.0", port: 0, ...options });
  const file = (path: string): Headers => ({ authorization: `Bearer ${readFileSync(path, "utf8").trim()}` });
  const viewer = file(home.viewerToken);
  const create = async (wish: object) => String((await callJson(hub.url, "/api/tokens", { owner: "tests", ...wish }, admin))["token"]);
  return {
    hub,
    viewer,
    admin,
    producer: file(home.producerToken),
    create,
    async [Symbol.asyncDispose]() {
      await hub.close();
      folder[Symbol.dispose]();
    },
  };
}

function send(hub: RunningHubHandle, method: string, path: string, headers: Headers = {}, { body = "", host = "127.0.0.1" } = {}) {
  const { port } = new URL(hub.url);
  return new Promise<{ status: number; body: string; headers: IncomingMessage["headers"] }>((resolve, reject) => {
    const sent = request(
      { host, port, method, path, headers: { ...(body === "" ? {} : { "content-type": "application/json" }), ...headers } },
      (response) => {
        let text = "";
        const done = () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers });
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
    sent.on("error", reject);
    sent.end(body);
  });
}

async function sourceOf(hub: RunningHubHandle): Promise<unknown> {
  const { entries } = await hub.ledger.read({ after: (await hub.ledger.head()) - 1, limit: 1 });
  return entries.map(({ source, verified }) => ({ name: source, verified }))[0];
}

describe("a hub that is open to readers", () => {
  it("shows any program on this machine what is stored, and lets nobody decide, administer or read from another site", async () => {
    await using closed = await open();
    expect((await send(closed.hub, "GET", "/sessions")).status).toBe(401);
    await using opened = await open({ isOpenToReaders: true, allowOrigins: ["https://app.example"] });
    const status = async (method: string, path: string, headers: Headers = {}, body = "") =>
      (await send(opened.hub, method, path, headers, { body })).status;
    for (const path of ["/sessions", "/api/sessions", "/stream", "/aaep/v1/events"])
      expect([path, await status("GET", path)]).toEqual([path, 200]);
    expect(await status("POST", "/api/pause", {}, "{}")).toBe(401);
    expect(await status("POST", "/api/tokens", {}, "{}")).toBe(401);
    expect(await status("GET", "/sessions", { origin: "https://evil.example" })).toBe(403);
    expect(await status("GET", "/sessions", { origin: "https://app.example" })).toBe(200);
    expect(await status("GET", "/sessions", { "x-forwarded-for": "10.0.0.1" })).toBe(401);
  });
});

describe("who speaks", () => {
  it("is local and unverified without a credential, and has the name of a producer's; nobody else's word counts", async () => {
    await using opened = await open();
    const { hub, producer, viewer, admin, create } = opened;
    const named = { authorization: `Bearer ${await create({ name: "ci", role: "producer" })}` };
    for (const [headers, source] of [
      [{}, { name: "local", verified: false }],
      [producer, { name: "producer", verified: true }],
      [named, { name: "ci", verified: true }],
      [viewer, { name: "local", verified: false }],
      [admin, { name: "local", verified: false }],
    ] as const) {
      expect((await send(hub, "POST", "/events", headers, { body: validEventText("aop") })).status).toBe(200);
      expect(await sourceOf(hub)).toMatchObject(source);
    }
  });
});

describe("a base address with a token in it", () => {
  it("reads as a collector's client does, deletes only as an admin, and is good for nothing else", async () => {
    await using opened = await open();
    const { hub, create } = opened;
    await send(hub, "POST", "/events", {}, { body: validEventText("aop") });
    const reader = `/k/${await create({ name: "reader", role: "viewer", inAddress: true })}`;
    const remover = `/k/${await create({ name: "remover", role: "admin", inAddress: true })}`;
    for (const path of ["/sessions", "/sessions/x/export", "/stream", "/api/live", "/health", "/api/me"]) {
      expect([path, (await send(hub, "GET", reader + path)).status]).toEqual([path, 200]);
    }
    expect((await send(hub, "DELETE", `${reader}/sessions/x`)).status).toBe(403);
    expect((await send(hub, "DELETE", `${remover}/sessions/x`)).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/api/tokens"],
      ["GET", "/api/tokens"],
      ["POST", "/api/pairings"],
      ["POST", "/events"],
      ["POST", "/api/start-code"],
    ] as const) {
      expect([path, (await send(hub, method, remover + path, {}, { body: method === "POST" ? "{}" : "" })).status]).toEqual([path, 403]);
    }
    expect((await send(hub, "GET", `${reader.slice(0, -1)}/sessions`)).status).toBe(401);
    const told = await send(hub, "GET", `${reader}/nowhere?secret=1`);
    expect(told.status).toBe(404);
    expect(told.body).not.toContain(reader.slice(3));
    const socket = new WebSocket(`${hub.url.replace("http", "ws")}${reader}/aaep/v1/ws`, "aaep.v1");
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    socket.terminate();
  });
});

describe("a web application of another origin", () => {
  it("is let in by a token that was made for it, from its own pages only", async () => {
    await using opened = await open();
    const { hub, create, viewer } = opened;
    const origin = "https://app.example";
    const token = { authorization: `Bearer ${await create({ name: "app", role: "viewer", origin })}` };
    const site = { "sec-fetch-site": "cross-site" };
    const asking = { "access-control-request-method": "GET", "access-control-request-headers": "authorization" };
    const preflight = await send(hub, "OPTIONS", "/api/live", { origin, ...site, ...asking });
    expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, origin]);
    for (const path of ["/sessions", "/stream", "/api/live"]) {
      const answer = await send(hub, "GET", path, { ...token, origin, ...site });
      expect([path, answer.status, answer.headers["access-control-allow-origin"]]).toEqual([path, 200, origin]);
    }
    expect((await send(hub, "GET", "/sessions", token)).status).toBe(200);
    for (const wrong of [{ ...viewer, origin }, { ...token, origin: "https://evil.example" }, { origin }, { ...token, ...site }]) {
      const answer = await send(hub, "GET", "/sessions", { ...wrong });
      expect([answer.status >= 400, answer.headers["access-control-allow-origin"]]).toEqual([true, undefined]);
    }
    expect((await send(hub, "OPTIONS", "/sessions", { origin: "https://evil.example", ...site, ...asking })).status).toBe(403);
    expect((await send(hub, "POST", "/events", { origin, ...site }, { body: validEventText("aop") })).status).toBe(403);
    await expect(create({ name: "admin app", role: "admin", origin })).rejects.toThrow("cannot be admin");
  });
});

describe("a web application that was allowed by hand", () => {
  const origin = "https://reader.example";
  const site = { "sec-fetch-site": "cross-site" };

  it("acts for a paired person or a token, and reads the answers", async () => {
    await using opened = await open({ allowOrigins: [origin] });
    const { hub, viewer, admin, producer } = opened;
    const asking = { "access-control-request-method": "POST", "access-control-request-headers": "authorization, cache-control" };
    const preflight = await send(hub, "OPTIONS", "/api/live", { origin, ...site, ...asking });
    expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, origin]);
    expect(preflight.headers["access-control-allow-headers"]).toContain("cache-control");
    for (const [path, shown] of [
      ["/sessions", viewer],
      ["/api/live", viewer],
      ["/api/requests", admin],
      ["/health", {}],
    ] as const) {
      const answer = await send(hub, "GET", path, { ...shown, origin, ...site });
      expect([path, answer.status, answer.headers["access-control-allow-origin"]]).toEqual([path, 200, origin]);
    }
    for (const [method, path, shown] of [
      ["GET", "/sessions", {}],
      ["GET", "/sessions", producer],
      ["POST", "/v1/events", {}],
      ["POST", "/v1/events", producer],
      ["POST", "/api/tokens", admin],
      ["GET", "/", {}],
    ] as const) {
      const answer = await send(hub, method, path, { ...shown, origin, ...site }, { body: method === "POST" ? validEventText("aop") : "" });
      expect([path, answer.status >= 400, answer.headers["access-control-allow-origin"]]).toEqual([path, true, undefined]);
    }
  });

  it("subscribes to AAEP, and reads the stream", async () => {
    await using opened = await open({ allowOrigins: [origin] });
    const { hub, viewer } = opened;
    const body = JSON.stringify({ type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "page", capabilities: {} });
    const asking = { "access-control-request-method": "POST", "access-control-request-headers": "authorization, content-type" };
    expect((await send(hub, "OPTIONS", "/aaep/v1/subscriptions", { origin, ...site, ...asking })).status).toBe(204);
    const made = await send(hub, "POST", "/aaep/v1/subscriptions", { ...viewer, origin, ...site }, { body });
    expect([made.status, made.headers["access-control-allow-origin"]]).toEqual([201, origin]);
    expect(made.headers["access-control-expose-headers"]).toContain("location");
    const stream = await send(hub, "GET", String(made.headers.location), { ...viewer, origin, ...site });
    expect([stream.status, stream.headers["access-control-allow-origin"]]).toEqual([200, origin]);
    const evil = await send(hub, "POST", "/aaep/v1/subscriptions", { ...viewer, origin: "https://evil.example", ...site }, { body });
    expect([evil.status, evil.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
  });

  it("lets in no other page, and nobody with a token that belongs to another", async () => {
    await using opened = await open({ allowOrigins: [origin] });
    const { hub, viewer, create } = opened;
    const other = { authorization: `Bearer ${await create({ name: "app", role: "viewer", origin: "https://app.example" })}` };
    expect((await send(hub, "GET", "/sessions", { ...other, origin, ...site })).status).toBe(403);
    for (const stranger of ["https://evil.example", "http://reader.example", "https://reader.example:8443", "null", "*"]) {
      const answer = await send(hub, "GET", "/sessions", { ...viewer, origin: stranger, ...site });
      expect([stranger, answer.status, answer.headers["access-control-allow-origin"]]).toEqual([stranger, 403, undefined]);
    }
    expect((await send(hub, "GET", "/sessions", { ...viewer, ...site })).status).toBe(403);
  });

  it.each(["*", "https://*.example", "reader.example", "https://reader.example/"])("cannot be named as %s", async (wrong) => {
    await expect(open({ allowOrigins: [wrong] })).rejects.toThrow("An origin looks like");
  });
});

describe("revoking", () => {
  it("ends the streams that were opened with it, and no others", async () => {
    await using opened = await open();
    const { hub, admin, create, viewer } = opened;
    const token = await create({ name: "listener", role: "viewer" });
    const stream = await fetch(`${hub.url}/api/live`, { headers: { authorization: `Bearer ${token}` } });
    const other = await fetch(`${hub.url}/api/live`, { headers: viewer });
    const socket = new WebSocket(`${hub.url.replace("http", "ws")}/aaep/v1/ws`, ["aaep.v1", `ticket.${token}`]);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const ended = Promise.allSettled([stream.text(), new Promise((resolve) => socket.once("close", resolve))]);
    const { tokens } = (await callJson(hub.url, "/api/tokens", undefined, admin)) as unknown as { tokens: { id: string; name: string }[] };
    const id = tokens.find(({ name }) => name === "listener")?.id ?? "";
    expect((await send(hub, "DELETE", `/api/tokens/${id}`, admin)).status).toBe(200);
    await ended;
    expect((await send(hub, "GET", "/sessions", { authorization: `Bearer ${token}` })).status).toBe(401);
    const reader = other.body?.getReader();
    await hub.ledger.head();
    await send(hub, "POST", "/events", {}, { body: validEventText("aop") });
    let heard = "";
    while (!heard.includes("aop/1.0")) heard += Buffer.from((await reader?.read())?.value ?? []).toString();
    await reader?.cancel();
  });
});

describe("with a public address", () => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open({ publicUrl: new URL("https://hub.example") });
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  it("answers to exactly that name and origin, besides its own", async () => {
    const { hub, viewer } = opened;
    const status = async (headers: Headers) => (await send(hub, "GET", "/api/me", { ...viewer, ...headers })).status;
    expect(await status({ host: "hub.example" })).toBe(200);
    expect(await status({ host: "hub.example", origin: "https://hub.example" })).toBe(200);
    expect(await status({})).toBe(200);
    for (const headers of [
      { host: "hub.example:4747" },
      { host: "hub.example", origin: "http://hub.example" },
      { host: "hub.example", origin: "https://hub.example:8443" },
      { host: "evil.hub.example" },
      { host: "hub.example.evil.example" },
      { origin: "https://hub.example" },
    ]) {
      expect([headers, await status(headers)]).toEqual([headers, 403]);
    }
  });

  it("takes events through it from producers only, and from nobody that came through a proxy", async () => {
    const { hub, producer, viewer } = opened;
    const status = async (headers: Headers) => (await send(hub, "POST", "/events", headers, { body: validEventText("aop") })).status;
    expect(await status({ host: "hub.example" })).toBe(401);
    expect(await status({ host: "hub.example", ...viewer })).toBe(403);
    expect(await status({ host: "hub.example", ...producer })).toBe(200);
    for (const header of ["x-forwarded-for", "forwarded", "via", "x-real-ip"])
      expect([header, await status({ [header]: "10.0.0.1" })]).toEqual([header, 401]);
    expect(await status({})).toBe(200);
  });

  it("pairs devices under it", async () => {
    const { hub, viewer } = opened;
    expect(String((await callJson(hub.url, "/api/pairings", {}, viewer))["link"])).toMatch(/^https:\/\/hub\.example\/ui\/#pair=/);
  });
});

describe("beyond loopback", () => {
  const [outside] = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);

  it.skipIf(outside === undefined)("nothing listens by default; otherwise nothing is taken or given without a credential", async () => {
    const address = outside ?? "";
    await using closed = await open();
    await expect(send(closed.hub, "GET", "/health", {}, { host: address })).rejects.toThrow("ECONNREFUSED");
    await using opened = await open({ dangerousAddress: "0.0.0.0" });
    const { hub, viewer, producer } = opened;
    const from = { host: address };
    expect((await send(hub, "GET", "/health", {}, from)).status).toBe(200);
    expect((await send(hub, "GET", "/api/me", {}, from)).status).toBe(401);
    expect((await send(hub, "GET", "/api/me", viewer, from)).status).toBe(200);
    expect((await send(hub, "GET", "/api/me", { ...viewer, host: `evil.example:${new URL(hub.url).port}` }, from)).status).toBe(403);
    expect((await send(hub, "POST", "/events", {}, { ...from, body: validEventText("aop") })).status).toBe(401);
    // Another machine using this one's name is not local.
    expect(
      (await send(hub, "POST", "/events", { host: `localhost:${new URL(hub.url).port}` }, { ...from, body: validEventText("aop") })).status,
    ).toBe(401);
    expect((await send(hub, "POST", "/events", producer, { ...from, body: validEventText("aop") })).status).toBe(200);
  });
});
