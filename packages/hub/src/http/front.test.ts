import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gateFor } from "../access/testing/test-access.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { createApp } from "./app.ts";
import { registerFront } from "./front.ts";

const folder = temporaryTestFolder();
const failures: unknown[] = [];
mkdirSync(folder.file("assets"));
writeFileSync(folder.file("index.html"), "<!doctype html><title>page</title>");
writeFileSync(folder.file("assets/index-1a2b.js"), "script()");

async function open(dashboard?: string): Promise<FastifyInstance> {
  const app = createApp({ gate: gateFor("a-viewer-of-tests-who-may-read-all-of-it"), onFailure: (error) => failures.push(error) });
  registerFront(app, {
    version: "1.2.3",
    listeners: () => 4,
    isReady: () => isReady,
    prove: (challenge) => `proof of ${challenge}`,
    dashboard,
  });
  await app.ready();
  return app;
}

let isReady = true;
let app: FastifyInstance;
beforeAll(async () => {
  app = await open(folder.path);
});
afterAll(async () => {
  await app.close();
  folder[Symbol.dispose]();
  expect(failures).toEqual([]);
});

const PAGE = { accept: "text/html,application/xhtml+xml" };
const get = (url: string, headers: Readonly<Record<string, string>> = {}) => app.inject({ method: "GET", url, headers });

it("says whether the store can be reached", async () => {
  expect(await get("/ready")).toMatchObject({ statusCode: 200 });
  isReady = false;
  expect(await get("/ready")).toMatchObject({ statusCode: 503 });
  isReady = true;
});

describe("the dashboard", () => {
  it("is one document at every address of a page, looked up anew each time", async () => {
    for (const url of ["/ui/", "/ui/inbox", "/ui/session/7?at=12", "/ui/no-such-page"]) {
      const { statusCode, headers, body } = await get(url, PAGE);
      expect([url, statusCode, headers["content-type"], headers["cache-control"]]).toEqual([
        url,
        200,
        "text/html; charset=utf-8",
        "no-cache",
      ]);
      expect(body).toContain("<title>page</title>");
    }
  });

  it("has files whose names change with them, which a browser may keep", async () => {
    const { statusCode, headers, body } = await get("/ui/assets/index-1a2b.js");
    expect([statusCode, headers["content-type"], body]).toEqual([200, "text/javascript; charset=utf-8", "script()"]);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  });

  it("runs no code but its own, calls nobody else, sits in no frame, and makes no code of text", async () => {
    const { headers } = await get("/ui/", PAGE);
    const policy = new Map(
      String(headers["content-security-policy"])
        .split("; ")
        .map((part) => [part.split(" ", 1)[0], part.split(" ").slice(1).join(" ")]),
    );
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "connect-src": "'self'",
      "img-src": "'self' data:",
      "media-src": "'self' data:",
      "font-src": "'self'",
      "manifest-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "'none'",
    });
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
  });

  it.each(["/ui/assets/index-0000.js", "/ui/..%2f..%2fpackage.json", "/ui/%2e%2e/%2e%2e/etc/hostname.txt", "/ui/assets/..%5cx.js"])(
    "answers %s with a problem",
    async (url) => {
      const { statusCode, body } = await get(url);
      expect([statusCode, (JSON.parse(body) as { code: string }).code]).toEqual([404, "NOT_FOUND"]);
    },
  );

  it("opens when its address is typed without the last slash", async () => {
    const { statusCode, headers } = await get("/ui", PAGE);
    expect([statusCode, headers["location"]]).toEqual([302, "/ui/"]);
  });
});

describe("the front door", () => {
  it("leads people to the dashboard, and tells programs what there is", async () => {
    expect((await get("/", PAGE)).headers["location"]).toBe("/ui/");
    for (const headers of [{}, { accept: "*/*" }, { accept: "application/json, text/html" }] as const) {
      expect((await get("/", headers)).json()).toMatchObject({
        name: "Earshot",
        version: "1.2.3",
        endpoints: { "GET /ui/*": "the dashboard" },
      });
    }
  });

  it("says that the hub is up, and proves its identity on request", async () => {
    expect((await get("/health")).json()).toEqual({ ok: true, version: "1.2.3", ready: true, subscribers: 4 });
    expect((await get("/health?challenge=abc")).json()).toMatchObject({ proof: "proof of abc" });
    expect((await get(`/health?challenge=${"a".repeat(129)}`)).json()).not.toHaveProperty("proof");
    expect((await get("/health?challenge=a&challenge=b")).json()).not.toHaveProperty("proof");
  });

  it("says what to run where no dashboard was built, at every address of a page, without a script", async () => {
    const bare = await open();
    for (const url of ["/ui/", "/ui/inbox", "/ui/session/7?at=12"]) {
      const { statusCode, headers, body } = await bare.inject({ method: "GET", url, headers: PAGE });
      expect([url, statusCode, headers["content-type"], headers["cache-control"]]).toEqual([
        url,
        404,
        "text/html; charset=utf-8",
        "no-store",
      ]);
      expect(body).toContain("<h1>The dashboard is not here</h1>");
      expect(body).toContain("<code>npm start</code>");
      expect(body).not.toMatch(/<script|<link|src=|href=|style=/);
      const style = /<style>([^<]*)<\/style>/.exec(body)?.[1] ?? "";
      const hash = createHash("sha256").update(style).digest("base64");
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; /);
      expect(headers["content-security-policy"]).toContain(`'sha256-${hash}'`);
    }
    const script = await bare.inject({ method: "GET", url: "/ui/assets/index-1a2b.js" });
    expect([script.statusCode, script.json<{ code: string }>().code]).toEqual([404, "NOT_FOUND"]);
    await bare.close();
  });
});
