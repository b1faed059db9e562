import { extname } from "node:path";
import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import { NO_DASHBOARD_PAGE, NO_DASHBOARD_POLICY } from "./no-dashboard.ts";
import type { RouteInfo } from "./route-list.ts";
import { UiFiles } from "./ui-files.ts";

export interface FrontPorts {
  readonly version: string;
  readonly listeners: () => number;
  /** Shows that it knows what only the hub of this user knows, so that nobody else is given a credential. */
  readonly prove: (challenge: string) => string;
  /** The folder of the built dashboard; without one there is a page that says so, and no more. */
  readonly dashboard?: string | undefined;
}

/** Scripts and styles from here, calls to here, and nothing else; text never becomes code. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** The front door: whether the hub is up, what it is, and where a person goes. */
export function registerFront(app: FastifyInstance, { version, listeners, prove, dashboard }: FrontPorts): void {
  app.get("/health", { config: { access: "anyone", summary: "whether the hub is up" } }, async (request) => {
    const { challenge } = request.query as Readonly<Record<string, unknown>>;
    const proof = typeof challenge === "string" && challenge.length <= 128 ? { proof: prove(challenge) } : {};
    return { ok: true, version, ready: true, subscribers: listeners(), ...proof };
  });

  app.get("/", { config: { access: "page", summary: "what there is" } }, async (request, reply) => {
    if (prefersHtml(request.headers.accept)) return reply.redirect("/ui/", 302);
    return { name: "Earshot", version, spec: "aop/1.0", endpoints: endpointsOf(app.routeList) };
  });

  app.get("/ui", { config: { access: "page", summary: "" } }, async (_request, reply) => reply.redirect("/ui/", 302));
  if (dashboard === undefined) registerNoDashboard(app);
  else registerDashboard(app, new UiFiles(dashboard));
}

function registerDashboard(app: FastifyInstance, files: UiFiles): void {
  app.get("/ui/*", { exposeHeadRoute: false, config: { access: "page", summary: "the dashboard" } }, async (request, reply) => {
    const file = files.find((request.params as { readonly "*": string })["*"]);
    if (file === undefined) throw noSuchFile();
    return reply
      .header("content-type", file.type)
      .header("content-security-policy", PAGE_POLICY)
      .header("cache-control", file.isLasting ? "public, max-age=31536000, immutable" : "no-cache")
      .send(file.bytes);
  });
}

/** At every address that a page of the dashboard may have: links and bookmarks lead to what is to be done about it. */
function registerNoDashboard(app: FastifyInstance): void {
  app.get(
    "/ui/*",
    { exposeHeadRoute: false, config: { access: "page", summary: "where the dashboard would be" } },
    async (request, reply) => {
      if (extname((request.params as { readonly "*": string })["*"]) !== "") throw noSuchFile();
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

/** Browsers name HTML first; programs name JSON, or nothing in particular. */
function prefersHtml(accept = "*/*"): boolean {
  const html = accept.indexOf("text/html");
  const json = accept.indexOf("application/json");
  return html >= 0 && (json < 0 || html < json);
}
