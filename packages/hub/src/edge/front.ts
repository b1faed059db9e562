import type { FastifyInstance } from "fastify";
import type { RouteInfo } from "./route-list.ts";
import { readUiAssets } from "./ui-assets.ts";

export interface FrontPorts {
  readonly version: string;
  readonly listeners: () => number;
  /** Shows that it knows what only the hub of this user knows, so that nobody else is given a credential. */
  readonly prove: (challenge: string) => string;
}

/** Scripts and styles from here, calls to here, and nothing else; text never becomes code. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** The front door: whether the hub is up, what it is, and where a person goes. */
export function registerFront(app: FastifyInstance, { version, listeners, prove }: FrontPorts): void {
  app.get("/health", { config: { access: "anyone", summary: "whether the hub is up" } }, async (request) => {
    const { challenge } = request.query as Readonly<Record<string, unknown>>;
    const proof = typeof challenge === "string" && challenge.length <= 128 ? { proof: prove(challenge) } : {};
    return { ok: true, version, ready: true, subscribers: listeners(), ...proof };
  });

  app.get("/", { config: { access: "page", summary: "what there is" } }, async (request, reply) => {
    if (prefersHtml(request.headers.accept)) return reply.redirect("/ui/", 302);
    return { name: "Earshot", version, spec: "aop/1.0", endpoints: endpointsOf(app.routeList) };
  });

  for (const { path, type, bytes } of readUiAssets()) {
    const isPage = path === "/ui/";
    app.get(
      path,
      { config: { access: isPage ? "page" : "anyone", summary: isPage ? "the page for people" : "" } },
      async (_request, reply) => reply.header("content-type", type).header("content-security-policy", PAGE_POLICY).send(bytes),
    );
  }
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
