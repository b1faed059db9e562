import { createHash } from "node:crypto";
import { extname } from "node:path";
import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type from "typebox";
import { naturalNumber } from "../api-schema.ts";
import type { RouteInfo } from "./openapi.ts";
import { UiFiles } from "./ui-files.ts";
import { defineRoute } from "./validation.ts";

interface FrontOptions {
  readonly version: string;
  readonly listeners: () => number;
  /** Whether the store of the ledger can be reached. */
  readonly isReady: () => boolean;
  /** Proves that this is the user's hub, so that no other program receives a credential. */
  readonly prove: (challenge: string) => string;
  /** The folder of the built dashboard; without one a page says that it is missing. */
  readonly dashboard?: string | undefined;
}

const MAX_CHALLENGE_CHARACTERS = 128;
const healthSchema = Type.Object({
  ok: Type.Boolean(),
  version: Type.String(),
  ready: Type.Boolean(),
  subscribers: naturalNumber(),
  proof: Type.Optional(Type.String({ description: "of the challenge, made with the viewer's credential" })),
});

const HTML = { type: "text/html" };
const fileRequest = { params: Type.Object({ "*": Type.String() }) };

/** Scripts, styles and calls only from the hub; text never becomes code. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Health, identity and the dashboard's files. */
export function registerFront(app: FastifyInstance, { version, listeners, isReady, prove, dashboard }: FrontOptions): void {
  const health = { querystring: Type.Object({ challenge: Type.Optional(Type.Unknown()) }), response: { 200: healthSchema } };
  app.get("/health", defineRoute("anyone", "whether the hub is up", health), async ({ query: { challenge } }) => {
    const proof = typeof challenge === "string" && challenge.length <= MAX_CHALLENGE_CHARACTERS ? { proof: prove(challenge) } : {};
    return { ok: true, version, ready: true, subscribers: listeners(), ...proof };
  });

  const readiness = { response: { 200: Type.Object({ ready: Type.Literal(true) }) } };
  app.get("/ready", defineRoute("anyone", "whether the hub can store: for load balancers", readiness), async () => {
    if (isReady()) return { ready: true } as const;
    throw new EarshotError({ code: "LEDGER_UNAVAILABLE", message: "The database of the ledger cannot be reached." });
  });

  const index = Type.Object({
    name: Type.String(),
    version: Type.String(),
    spec: Type.String({ description: "of the AOP collector's interface" }),
    endpoints: Type.Record(Type.String(), Type.String(), { description: "every route, with its summary" }),
  });
  app.get(
    "/",
    defineRoute("page", "what there is", {}, { answers: { type: "application/json", schema: index } }),
    async (request, reply) => {
      if (prefersHtml(request.headers.accept)) return reply.redirect("/ui/", 302);
      return { name: "Earshot", version, spec: "aop/1.0", endpoints: endpointsOf(app.routeList) };
    },
  );

  app.get("/ui", defineRoute("page", "", {}, { answers: HTML }), async (_request, reply) => reply.redirect("/ui/", 302));
  if (dashboard === undefined) registerNoDashboard(app);
  else registerDashboard(app, new UiFiles(dashboard));
}

function registerDashboard(app: FastifyInstance, files: UiFiles): void {
  app.get(
    "/ui/*",
    { exposeHeadRoute: false, ...defineRoute("page", "the dashboard", fileRequest, { answers: HTML }) },
    async (request, reply) => {
      const file = files.find(request.params["*"]);
      if (file === undefined) throw noSuchFile();
      return reply
        .header("content-type", file.type)
        .header("content-security-policy", PAGE_POLICY)
        .header("cache-control", file.isLasting ? "public, max-age=31536000, immutable" : "no-cache")
        .send(file.bytes);
    },
  );
}

/** For every dashboard URL, so that links and bookmarks lead to an explanation. */
function registerNoDashboard(app: FastifyInstance): void {
  app.get(
    "/ui/*",
    { exposeHeadRoute: false, ...defineRoute("page", "where the dashboard would be", fileRequest, { answers: HTML }) },
    async (request, reply) => {
      if (extname(request.params["*"]) !== "") throw noSuchFile();
      return reply
        .code(404)
        .header("content-type", "text/html; charset=utf-8")
        .header("content-security-policy", NO_DASHBOARD_POLICY)
        .header("cache-control", "no-store")
        .send(NO_DASHBOARD_PAGE);
    },
  );
}

function noSuchFile(): EarshotError {
  return new EarshotError({ code: "NOT_FOUND", message: "There is no such file." });
}

function endpointsOf(routes: readonly RouteInfo[]): Readonly<Record<string, string>> {
  const named = routes.filter(({ method, summary }) => method !== "HEAD" && summary !== "");
  return Object.fromEntries(named.map(({ method, url, summary }) => [`${method} ${url}`, summary]));
}

/** Browsers list HTML first; programs list JSON or anything. */
function prefersHtml(accept = "*/*"): boolean {
  const html = accept.indexOf("text/html");
  const json = accept.indexOf("application/json");
  return html >= 0 && (json < 0 || html < json);
}

const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { max-inline-size: 38rem; margin-inline: auto; padding: 3rem 1.25rem; color: light-dark(#1d2330, #e6e9f0); background: light-dark(#f7f8fa, #12151c); }
h1 { font-size: 1.6rem; line-height: 1.25; }
code { padding: 0.1em 0.35em; border: 1px solid light-dark(#d3d8e2, #3a4254); border-radius: 0.3em; font-size: 0.95em; overflow-wrap: anywhere; }
`;

/** The page shown if the dashboard was not built or installed. It is self-contained. */
const NO_DASHBOARD_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The dashboard is not here – Earshot</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The dashboard is not here</h1>
<p>The hub runs and hears everything, but its pages were not built or not installed. Stop the hub with <code>earshot hub stop</code>, then:</p>
<ul>
<li>In a clone of the repository, run <code>npm start</code>. It builds the pages first.</li>
<li>Installed from npm, run <code>npm install --global earshot</code> again, and <code>earshot start</code>.</li>
</ul>
<p>Until then, a terminal does the same: <code>earshot inbox</code> shows what waits for you, <code>earshot tail</code> what happens.</p>
</main>
</body>
</html>
`;

/** It runs no code, makes no calls, and allows only its own style. */
const NO_DASHBOARD_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");
