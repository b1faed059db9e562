import Fastify, { type FastifyInstance } from "fastify";
import type { OpenConnections } from "../access/connections.ts";
import type { AccessGate } from "../access/gate.ts";
import { withoutAddressToken } from "../access/own-address.ts";
import { guardRoutes } from "./access.ts";
import { answerProblem, toProblemWithoutInternals } from "./answer.ts";
import { listRoutes, type RouteInfo } from "./openapi.ts";
import { validateRequests } from "./validation.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Every registered route. */
    readonly routeList: readonly RouteInfo[];
  }
}

/** Headers that forbid displaying, executing, framing and caching; pages override them. */
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
} as const;
/** The maximum body of requests other than events. */
const BODY_BYTES = 16 * 1024;
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

export interface AppOptions {
  readonly gate: AccessGate;
  readonly connections?: Pick<OpenConnections, "keep">;
  /** Logs internal errors. */
  readonly onFailure: (error: unknown) => void;
}

/** The HTTP application without routes: authorization and error handling. */
export function createApp({ onFailure, ...access }: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES,
    // Routes limit their bodies themselves; a long stream of events is not a slow request.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: true,
    return503OnClosing: true,
    routerOptions: { maxParamLength: 4096, caseSensitive: true },
    rewriteUrl: (request) => {
      const url = withoutAddressToken(request);
      Reflect.set(request, "originalUrl", url); // Fastify has kept the address with the token in it
      return url;
    },
    frameworkErrors: (error, _request, reply) => {
      answerProblem(reply, toProblemWithoutInternals(error));
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.decorate("routeList", listRoutes(app));
  validateRequests(app);
  guardRoutes(app, access);
  app.addHook("onSend", (_request, reply, _payload, done) => {
    const own = reply.getHeader("cache-control");
    reply.headers(SECURITY_HEADERS);
    if (own !== undefined) reply.header("cache-control", own);
    if (!reply.hasHeader("content-security-policy")) reply.header("content-security-policy", NOTHING);
    done();
  });
  app.setNotFoundHandler((request, reply) =>
    answerProblem(reply, { code: "NOT_FOUND", message: `There is nothing at ${request.method} ${request.url.split("?", 1)[0]}.` }),
  );
  app.setErrorHandler((error, _request, reply) => {
    const problem = toProblemWithoutInternals(error);
    if (problem.code === "INTERNAL") onFailure(error);
    return answerProblem(reply, problem);
  });
  return app;
}
