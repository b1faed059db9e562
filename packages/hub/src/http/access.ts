import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { OpenConnections } from "../access/connections.ts";
import { type AccessGate, type Caller, JSON_ONLY } from "../access/gate.ts";
import type { RouteAccess } from "../access/roles.ts";
import { trustConnection } from "./listen.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The required role; default: a viewer. */
    access?: RouteAccess;
    /** Content types of its body other than JSON. */
    takes?: readonly string[];
    /** Its summary in the interface description. */
    summary?: string;
    /** The schema of a body that the route reads by itself. */
    body?: TSchema;
    /** The answer of a route that writes it by itself: its content type, and its schema if it is JSON. */
    answers?: { readonly type: string; readonly schema?: TSchema };
  }
}

/** How long a browser may cache a preflight answer. */
const PREFLIGHT_S = 60;
const callers = new WeakMap<FastifyRequest, Caller>();

/** Authorizes every request, including unknown routes, before anything else. */
export function guardRoutes(
  app: FastifyInstance,
  { gate, connections }: { readonly gate: AccessGate; readonly connections?: Pick<OpenConnections, "keep"> },
): void {
  app.addHook("onRequest", (request, reply, done) => {
    try {
      if (answerPreflight(gate, request, reply)) return;
      const { access = "viewer", takes = JSON_ONLY } = request.routeOptions.config;
      const caller = gate.check(request.raw, request.is404 ? { access: "anyone" } : { access, takes });
      callers.set(request, caller);
      if (caller.credential !== undefined) trustConnection(request.raw.socket, caller.credential);
      connections?.keep(caller, reply.raw);
      if (caller.allowedOrigin !== undefined && caller.allowedOrigin === request.headers.origin) {
        reply
          .header("access-control-allow-origin", caller.allowedOrigin)
          .header("access-control-expose-headers", "location, retry-after")
          .header("vary", "origin");
      }
      done();
    } catch (error) {
      done(EarshotError.is(error) ? error : new Error("Access could not be checked.", { cause: error }));
    }
  });
}

/** The authorized caller. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error("A request that nobody has let in.");
  return caller;
}

/** Answers CORS preflight requests; only web applications with their own token are allowed. */
function answerPreflight(gate: AccessGate, request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return false;
  const origin = gate.allowsPreflight(request.raw);
  if (origin === undefined) return false;
  reply
    .code(204)
    .header("access-control-allow-origin", origin)
    .header("access-control-allow-methods", "GET, HEAD, POST, DELETE")
    .header("access-control-allow-headers", "authorization, cache-control, content-type, last-event-id")
    .header("access-control-max-age", String(PREFLIGHT_S))
    .header("vary", "origin");
  if (request.headers["access-control-request-private-network"] === "true") reply.header("access-control-allow-private-network", "true");
  reply.send();
  return true;
}
