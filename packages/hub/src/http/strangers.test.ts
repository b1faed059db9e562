import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Edge, expectRefused, expectUnharmed, openEdge, VIEWER_TOKEN } from "./testing/edge.ts";
import { saidText } from "./testing/said.ts";

/** A web page can make a browser call this port; whatever it tries, the answer is no, on every route there is. */
let edge: Edge;
beforeAll(async () => {
  edge = await openEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const POSTS = ["/v1/events", "/aaep/v1/events", "/aep/v1/events", "/events"] as const;
const READS = ["/api/status", "/api/refused", "/api/export?session=x", "/api/verify"] as const;

const STRANGERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["a name that was rebound to this machine", { host: "evil.example" }],
  ["such a name with the right port", { host: "evil.example:4747" }],
  ["a name that only begins like ours", { host: "localhost.evil.example" }],
  ["a name that only ends like ours", { host: "evil.localhost" }],
  ["an address that only begins like ours", { host: "127.0.0.1.evil.example" }],
  ["all addresses", { host: "0.0.0.0" }],
  ["another loopback address", { host: "127.0.0.2" }],
  ["a name and something before it", { host: "evil@localhost" }],
  ["two names", { host: "localhost, evil.example" }],
  ["a page elsewhere", { origin: "http://evil.example" }],
  ["a page on another port", { origin: "http://localhost:3000" }],
  ["a page over TLS", { origin: "https://localhost:80" }],
  ["a page that hides", { origin: "null" }],
  ["an empty origin", { origin: "" }],
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["another port of this machine", { "sec-fetch-site": "same-site" }],
  ["a site that it does not know", { "sec-fetch-site": "nonsense" }],
];

describe.each(STRANGERS)("%s", (_name, headers) => {
  it.each(POSTS)("may not post to %s", async (url) => {
    await expectRefused(edge, saidText("aop"), { status: 403, code: "HOST_REFUSED" }, { url, headers });
  });
  it.each(READS)("may not read %s, not even with the credential", async (url) => {
    const answer = await edge.app.inject({ url, headers: { authorization: `Bearer ${VIEWER_TOKEN}`, ...headers } });
    expect({ status: answer.statusCode, body: answer.json() as unknown }).toMatchObject({ status: 403, body: { code: "HOST_REFUSED" } });
  });
  it("does not even learn what there is", async () => {
    expect((await edge.app.inject({ url: "/nothing-here", headers })).statusCode).toBe(403);
  });
});

describe("without the credential", () => {
  it.each(READS)("nobody reads %s", async (url) => {
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      "Bearer wrong",
      `Basic ${VIEWER_TOKEN}`,
      `Bearer ${VIEWER_TOKEN}x`,
      VIEWER_TOKEN,
    ]) {
      const answer = await edge.app.inject({ url, headers: { authorization } });
      expect([authorization, answer.statusCode]).toEqual([authorization, 401]);
    }
  });
  it("no page may ask for permission beforehand, and no answer gives it", async () => {
    const headers = { origin: "http://evil.example", "access-control-request-method": "POST" };
    const asked = await edge.app.inject({ method: "OPTIONS", url: "/v1/events", headers });
    expect(asked.statusCode).toBe(403);
    const posted = await edge.app.inject({
      method: "POST",
      url: "/v1/events",
      headers: { "content-type": "application/json" },
      payload: "{}",
    });
    for (const { headers: answered } of [asked, posted]) {
      expect(Object.keys(answered).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });
});

describe("programs of this machine", () => {
  it.each([
    [{ host: "127.0.0.1:4747" }],
    [{ host: "localhost:4747" }],
    [{ host: "LOCALHOST" }],
    [{ host: "[::1]:4747" }],
    [{ host: "localhost:80", origin: "http://localhost:80", "sec-fetch-site": "same-origin" }],
    [{ "sec-fetch-site": "none" }],
  ])("are heard with %o", async (headers) => {
    expect((await edge.post(saidText("aop"), { headers })).status).toBe(200);
    await expectUnharmed(edge);
  });
});
